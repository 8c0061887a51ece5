// The system text of Glaive: a sentence, and the functions one after the other as indented JSON.
//
//     SYSTEM: You are a helpful assistant with access to the following functions. Use them if required -
//     {
//         "name": "get_exchange_rate",
//         …
//     }
//
// The sentence introduces the functions and does not belong to the conversation; text before it does. Rows without
// functions have other text there, which belongs to the conversation.

import { type ExactValue, indentSpaced, JsonReader, type Tool } from '@dragoman/core/internal';
import { parseJson } from '../quick/plain-json.js';
import type { Note } from './form.js';
import { type Frames, readText, writeText } from './frame-text.js';
import { readDefinitions, writeDefinition } from './tool-definitions.js';

const PREFIX = 'SYSTEM: ';
const LEAD = 'You are a helpful assistant with access to the following functions. Use them if required -';
/** The sentence of the first version of the data. */
const LEAD_1 =
  'You are an helpful assistant who has access to the following functions to help the user, ' +
  'you can use the functions if needed-';

const frames: Frames = {
  firsts: 'Y',
  acts: (text, _, tail) => text.startsWith(LEAD.slice(1), tail) || text.startsWith(LEAD_1.slice(1), tail),
};

/** `text`: the conversation's own system text; undefined if there is none. */
export function readSystem(
  system: string,
  path: string,
  notes: Note[],
): { text: string | undefined; tools: Tool[] } {
  const body = system.startsWith(PREFIX) ? system.slice(PREFIX.length) : system.replace(/^SYSTEM:/, '');
  const lead = [LEAD, LEAD_1].find((sentence) => body.includes(sentence));
  if (lead === undefined) {
    const text = withoutBreaks(body);
    return { text: system === '' ? undefined : readText(text, frames, path, notes), tools: [] };
  }
  const at = body.indexOf(lead);
  const { definitions, rest } = readFunctions(body.slice(at + lead.length), path, notes);
  const before = at === 0 ? undefined : withoutBreaks(body.slice(0, at));
  const text = rest === '' ? before : `${before === undefined ? '' : `${before}\n`}${rest}`;
  return {
    text: text === undefined ? undefined : readText(text, frames, path, notes),
    tools: readDefinitions(definitions, path, notes),
  };
}

function withoutBreaks(text: string): string {
  if (text.endsWith('\n\n')) return text.slice(0, -2);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Reads as many functions as possible; the rest is text. */
function readFunctions(
  text: string,
  path: string,
  notes: Note[],
): { definitions: ExactValue[]; rest: string } {
  const definitions: ExactValue[] = [];
  let at = afterSpace(text, 0);
  while (text.charAt(at) === '{' || text.charAt(at) === '[') {
    const reader = new JsonReader({ maxDepth: 500 });
    reader.watch = -1;
    const end = reader.read(text, at, true);
    if (!reader.done) break;
    for (const { code } of reader.repairs) notes.push({ kind: 'repair', code, path });
    const value = parseJson(reader.take());
    definitions.push(...(Array.isArray(value) ? value : [value]));
    at = afterSpace(text, end);
  }
  const rest = text.slice(at).trim();
  if (rest !== '') notes.push({ kind: 'issue', code: 'wrong-type', path });
  return { definitions, rest };
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at).trim() === '') at += 1;
  return at;
}

export function writeSystem(
  text: string | undefined,
  tools: readonly Tool[],
  own: boolean,
  notes: Note[],
): string {
  const written = text === undefined ? undefined : writeText(text, frames, 'messages[0]', notes);
  if (tools.length === 0) return written === undefined ? '' : `${PREFIX}${written}\n\n`;
  const functions = tools.map((tool) => `${indentSpaced(writeDefinition(tool, own), 4)}\n`);
  const before = written === undefined ? '' : `${written}\n\n`;
  // One function is followed by one line break, several by two each.
  return `${PREFIX}${before}${LEAD}\n${functions.length === 1 ? functions[0] : functions.map((one) => `${one}\n`).join('')}`;
}
