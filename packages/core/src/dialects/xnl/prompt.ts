// Writes xnl:
//
//   !unquote_start
//   <tool_call id="abcd" lang="javascript" #>      or   <tool_resp id="abcd" #r1>
//   SysBuiltIn.bash({ command: "ls" })                  any text, with </#> in it too
//   </#>                                                </#r1>
//   !unquote_end
//
// Inside an element only its own closer acts. Results are therefore verbatim, in an element whose marker does not
// occur in them; calls are code, in which a marker can be escaped. Other text with markers is quoted.

import type { ReadBack, ReadResults, Render } from '../../engine/dialect.js';
import { defineMarkers, hasMarker, NO_MARKERS, neutralise } from '../../engine/markers.js';
import { resultText } from '../../engine/message-text.js';
import { Writer } from '../../engine/writer.js';
import { inputOf } from '../../families/writing/call-arguments.js';
import { chooseText } from '../../families/writing/tool-text.js';
import {
  ExactNumber,
  type ExactValue,
  exactEntries,
  type ToolCall,
  type ToolResult,
  tryParseExact,
} from '../../model/index.js';
import { BLOCK_END, BLOCK_START, isIdentifier, QUOTE_END, QUOTE_START, quote, toXnlPath } from './names.js';
import { writeSignatures } from './signatures.js';
import { XNL_CLOSERS, XNL_TEXT } from './text.js';

/** Markers in text outside a block, also those of reasoning: a text that seems to open it would swallow later calls. */
const textMarkers = defineMarkers([QUOTE_START, QUOTE_END, BLOCK_START, BLOCK_END, '<think>', '</think>']);
const quotedMarkers = defineMarkers([QUOTE_END]);

export const xnlRender: Render = {
  instructions(out, tools, options) {
    out.ours(chooseText(XNL_TEXT, options));
    writeSignatures(out, tools);
  },

  calls(out, calls, context) {
    if (calls.length === 0) return;
    if (context.afterText) out.ours('\n');
    out.ours(`${BLOCK_START}\n`);
    for (const [at, call] of calls.entries()) writeCall(out, call, `calls[${at}]`);
    out.ours(BLOCK_END);
  },

  results(out, results) {
    if (results.length === 0) return;
    out.ours(`${BLOCK_START}\n`);
    for (const [at, result] of results.entries()) writeResult(out, result, `results[${at}]`);
    out.ours(BLOCK_END);
  },

  text(out, text, field) {
    // The writer itself handles `exact` (writes the text unchanged) and `reject` (throws).
    if (out.safety !== 'escape' || !hasMarker(text, textMarkers)) out.outside(text, field, textMarkers);
    else out.ours(`${QUOTE_START}\n`).outside(text, field, quotedMarkers).ours(`\n${QUOTE_END}`);
  },

  stop: [],

  closers: XNL_CLOSERS,
};

/** Quotes text with markers as `render.text` does; any other text stays as it is. */
export function quoteText(text: string): string {
  if (!hasMarker(text, textMarkers)) return text;
  return `${QUOTE_START}\n${neutralise(text, quotedMarkers)}\n${QUOTE_END}`;
}

function writeCall(out: Writer, call: ToolCall, field: string): void {
  const code = codeOf(call);
  // Checked in its written form: with `exact` nothing is escaped, and a string may contain the closer.
  const written = new Writer(out.markers, out.safety).jsonText(code, field).text;
  const marker = freshMarker(written, 'm');
  out.ours('<tool_call id=').jsonText(quote(call.id), `${field}.id`).ours(` lang="javascript" ${marker}>\n`);
  out.jsonText(code, field).ours(`\n</${marker}>\n`);
}

function writeResult(out: Writer, result: ToolResult, field: string): void {
  const text = resultText(result);
  const marker = freshMarker(text, 'r');
  out.ours('<tool_resp id=').jsonText(quote(result.callId), `${field}.callId`).ours(` ${marker}>\n`);
  out.outside(text, field, NO_MARKERS).ours(`\n</${marker}>\n`);
}

/** Gives `#` if the text contains no closer at all; otherwise the first of `#r1`, `#r2` … that it does not contain. */
function freshMarker(text: string, letter: string): string {
  if (!text.includes('</#')) return '#';
  const taken = new Set<string>();
  // `#r12` also contains `#r1`. Seven digits outnumber the places of any text we could be given.
  for (const [, digits = ''] of text.matchAll(/#[mr]([0-9]{1,7})/g)) {
    for (let end = 1; end <= digits.length; end++) taken.add(digits.slice(0, end));
  }
  let number = 1;
  while (taken.has(String(number))) number++;
  return `#${letter}${number}`;
}

export const xnlBack: ReadBack = { results: readResponses };

const RESPONSE = '<tool_resp id=';

/** Reads !unquote_start\n (<tool_resp id="abcd" #r1>\n text \n</#r1>\n)+ !unquote_end */
function readResponses(text: string): ReadResults | undefined {
  if (!text.startsWith(`${BLOCK_START}\n`)) return undefined;
  const results: ReadResults['results'] = [];
  let at = BLOCK_START.length + 1;
  while (text.startsWith(RESPONSE, at)) {
    const head = text.indexOf('>\n', at);
    const mark = text.lastIndexOf(' #', head);
    const callId = tryParseExact(text.slice(at + RESPONSE.length, mark));
    const closer = `\n</${text.slice(mark + 1, head)}>\n`;
    const start = head + 2;
    const end = head < 0 || mark < at ? -1 : text.indexOf(closer, start - 1);
    if (typeof callId !== 'string' || end < 0) return undefined;
    results.push({ callId, text: text.slice(start, Math.max(start, end)) });
    at = end + closer.length;
  }
  const isWhole = results.length > 0 && text.startsWith(BLOCK_END, at);
  return isWhole ? { results, end: at + BLOCK_END.length } : undefined;
}

function codeOf(call: ToolCall): string {
  return `${toXnlPath(call.name)}(${valueCode(inputOf(call), '')})`;
}

function valueCode(value: ExactValue, margin: string): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    return bracket(
      '[',
      value.map((item) => valueCode(item, inner)),
      ']',
      margin,
    );
  }
  const members = exactEntries(value).map(([key, member]) => `${keyCode(key)}: ${valueCode(member, inner)}`);
  return bracket('{', members, '}', margin);
}

/** Writes a key. A plain `__proto__` would set the prototype; in brackets it is an ordinary key. */
function keyCode(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return isIdentifier(key) ? key : quote(key);
}

function bracket(open: string, items: readonly string[], close: string, margin: string): string {
  if (items.length === 0) return open + close;
  const line = `\n${margin}  `;
  return `${open}${line}${items.join(`,${line}`)}\n${margin}${close}`;
}
