// Reads xnl blocks, from the outside in.
//
//   !unquote_start
//   <tool_call id="abcd" lang="javascript" #>        an element: ends only at its own closer
//   SysBuiltIn.bash({ command: "ls -al" })           code, read statically, never run
//   </#>
//   !unquote_end                                     only now do the calls of the block count
//
// The block is held and scanned once, which records a script of what is in it. When the block closes, the cursor goes
// back and the script is played, so that calls come in order, with ranges, and none before the block has closed.

import type { OpenerHold } from '../../engine/hold.js';
import { matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { FORGED } from '../../families/declared/dialect-parts.js';
import type { IssueCode, RepairCode } from '../../model/index.js';
import { Gather } from '../../text/gather.js';
import { type CallExpression, readJavaScriptCall } from '../../text/javascript-call.js';
import { NEVER_CLOSED } from '../../text/string-literal.js';
import { isNameChar, readAttributes } from '../../text/tags.js';
import { BLOCK_END, BLOCK_START, fromXnlSegments, QUOTE_END, QUOTE_START } from './names.js';

/** How often another closer is tried in one element: each try parses the code once. */
const OTHER_CLOSERS = 8;

interface Element {
  tag: string;
  id: string | undefined;
  lang: string | undefined;
  /** `#` or `?`, and its name. */
  marker: string;
  repairs: RepairCode[];
  code: Gather;
}

type Action =
  | { type: 'markup' | 'text'; length: number; repair?: RepairCode; issue?: [IssueCode, string] }
  | {
      type: 'call';
      length: number;
      element: Element;
      call: CallExpression | undefined;
      error?: [IssueCode, string];
      closer: number;
    };

export class XnlBlock {
  readonly #script: Action[] = [];
  #element: Element | undefined;
  #tries = 0;
  #tooLong = false;
  #elements = 0;

  constructor(readonly hold: OpenerHold) {}

  open(reader: Reader): Mode {
    // A block that never closes and holds no call was only mentioned.
    reader.unfinished = 'text';
    this.#pass(reader, BLOCK_START.length);
    return this.#items;
  }

  /** Skips characters and records how to emit them. */
  #pass(reader: Reader, length: number, action: Partial<Action> = {}): void {
    reader.markup(length);
    this.#bound(reader);
    const last = this.#script.at(-1);
    const plain = !('repair' in action || 'issue' in action) && (action.type ?? 'markup') === last?.type;
    if (plain && last && last.type !== 'call') last.length += length;
    else this.#script.push({ type: 'markup', length, ...action } as Action);
  }

  // ---------------------------------------------------------------- between elements

  readonly #items: Mode = (reader) => {
    const { text, ended } = reader;
    let end = reader.at;
    while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end++;
    if (end > reader.at) this.#pass(reader, end - reader.at, { type: this.#inText ? 'text' : 'markup' });
    if (reader.at >= text.length) return undefined;
    const char = text.charAt(reader.at);
    if (char === '!') return this.#mark(reader);
    if (char === '<') return this.#angle(reader);
    const next = nextOfEither(text, reader.at + 1);
    this.#text(reader, next - reader.at);
    return ended || next < text.length ? this.#items : undefined;
  };

  get #inText(): boolean {
    return this.#script.at(-1)?.type === 'text';
  }

  /** Records prose or a code fence among the elements as text, with one repair for each run. */
  #text(reader: Reader, length: number): void {
    this.#pass(reader, length, this.#inText ? { type: 'text' } : { type: 'text', repair: 'text-in-block' });
  }

  /**
   * Gives up on a block that is too long to hold: it is skipped, and fails when it closes, however the text is chunked.
   */
  #bound(reader: Reader): void {
    if (this.#tooLong || this.hold.length <= reader.limits.held) return;
    this.#tooLong = true;
    this.hold.keep();
    reader.unfinished = 'too-long';
  }

  #mark(reader: Reader): Mode | undefined {
    const { text, at, ended } = reader;
    let undecided = false;
    for (const marker of [BLOCK_END, QUOTE_START, BLOCK_START]) {
      const found = matchLiteral(text, at, marker, ended);
      if (found === NOT_YET) undecided = true;
      if (found <= 0) continue;
      if (marker === BLOCK_END) return this.#close(reader);
      if (marker === QUOTE_START) {
        this.#pass(reader, found);
        return this.#quoted;
      }
      this.#pass(reader, found, {
        issue: ['nested-block', 'A block was opened inside a block; that changes nothing.'],
      });
      return this.#items;
    }
    if (undecided) return undefined;
    this.#text(reader, 1);
    return this.#items;
  }

  /** !quote_start | …  — nothing counts until the quote ends. */
  readonly #quoted: Mode = (reader) => this.#skipPast(reader, QUOTE_END, this.#quoted);
  readonly #comment: Mode = (reader) => this.#skipPast(reader, '-->', this.#comment);

  #skipPast(reader: Reader, closer: string, self: Mode): Mode | undefined {
    const { text, at } = reader;
    const found = text.indexOf(closer, at);
    if (found >= 0) {
      this.#pass(reader, found + closer.length - at);
      return this.#items;
    }
    this.#pass(reader, Math.max(0, text.length - closer.length + 1 - at));
    if (reader.ended) this.#pass(reader, text.length - reader.at);
    return reader.ended && reader.at < text.length ? self : undefined;
  }

  // ---------------------------------------------------------------- elements

  #angle(reader: Reader): Mode | undefined {
    const { text, at, ended } = reader;
    const comment = matchLiteral(text, at, '<!--', ended);
    if (comment === NOT_YET) return undefined;
    if (comment > 0) {
      this.#pass(reader, comment);
      return this.#comment;
    }
    const opened = readOpener(text, at, ended);
    if (opened === NOT_YET) return undefined;
    if (opened === NO) {
      this.#text(reader, 1);
      return this.#items;
    }
    const isCall = opened.element.tag === 'tool_call';
    this.#pass(reader, opened.length, isCall ? {} : foreignElement(opened.element));
    this.#element = opened.element;
    this.#tries = 0;
    // From here on the block stays a block: the inside of an element must never be read as text outside of it.
    this.#elements++;
    if (!this.#tooLong) reader.unfinished = isCall ? 'incomplete' : 'unclosed-block';
    return this.#content;
  }

  /** <tool_call … #> | code  */
  readonly #content: Mode = (reader) => {
    const element = this.#element as Element;
    const { text, ended } = reader;
    let at = reader.at;
    for (;;) {
      at = text.indexOf('<', at);
      if (at < 0) at = text.length;
      this.#take(reader, element, at - reader.at);
      if (at >= text.length) return undefined;
      const own = matchLiteral(text, at, `</${element.marker || '#'}>`, ended);
      if (own > 0) return this.#closeElement(reader, element, own);
      const other = this.#otherCloser(text, at, ended, element);
      if (own === NOT_YET || other === NOT_YET) return undefined;
      if (other !== NO) {
        element.repairs.push('other-closer');
        return this.#closeElement(reader, element, other);
      }
      this.#take(reader, element, 1);
      at++;
    }
  };

  #take(reader: Reader, element: Element, length: number): void {
    if (length <= 0) return;
    if (!this.#tooLong) element.code.add(reader.text.slice(reader.at, reader.at + length));
    reader.markup(length);
    this.#bound(reader);
  }

  /** Matches `</tool_call>` and `<#>`, which close an element only if the code before them is complete. */
  #otherCloser(text: string, at: number, ended: boolean, element: Element): number {
    for (const closer of [`</${element.tag}>`, `<${element.marker || '#'}>`]) {
      const found = matchLiteral(text, at, closer, ended);
      if (found === NO) continue;
      if (found === NOT_YET) return NOT_YET;
      if (element.tag !== 'tool_call') return found;
      if (this.#tries++ < OTHER_CLOSERS && readJavaScriptCall(element.code.toString()).ok) return found;
    }
    return NO;
  }

  #closeElement(reader: Reader, element: Element, closer: number): Mode {
    reader.markup(closer);
    const { length } = element.code;
    this.#element = undefined;
    if (this.#tooLong) return this.#items;
    reader.unfinished = 'unclosed-block';
    if (element.tag !== 'tool_call') {
      this.#script.push({ type: 'text', length: length + closer });
      return this.#items;
    }
    const [call, error] = readCall(reader, element);
    this.#script.push({ type: 'call', length, element, call, closer, ...(error ? { error } : {}) });
    return this.#items;
  }

  // ---------------------------------------------------------------- playing the script

  #close(reader: Reader): Mode {
    if (this.#elements === 0 && !this.#tooLong) return this.hold.reject();
    this.#pass(reader, BLOCK_END.length);
    if (this.#tooLong) return this.#failLong(reader);
    const script = this.#laterWins();
    // Elements without a call among them: everything is text, and is not read again.
    const isText = !script.some(({ type }) => type === 'call');
    this.hold.restart(isText);
    reader.unfinished = 'nothing';
    for (const action of script) this.#play(reader, isText ? { ...action, type: 'text' } : action);
    return reader.plain;
  }

  #failLong(reader: Reader): Mode {
    reader.failCall('too-long', `A block longer than ${reader.limits.held} characters.`);
    reader.unfinished = 'nothing';
    return reader.plain;
  }

  /** Replaces earlier calls by later ones of the same id, at the place of the first. */
  #laterWins(): Action[] {
    const first = new Map<string, Extract<Action, { type: 'call' }>>();
    return this.#script.map((action) => {
      if (action.type !== 'call' || action.element.id === undefined || !action.call) return action;
      const earlier = first.get(action.element.id);
      if (!earlier) {
        first.set(action.element.id, action);
        return action;
      }
      earlier.call = { ...action.call, nameRange: [0, 0], argsRange: [0, 0] };
      const message = `Two calls have the id ${JSON.stringify(action.element.id)}; the later one counts, at the place of the first.`;
      return { type: 'markup', length: action.length + action.closer, issue: ['duplicate-id', message] };
    });
  }

  #play(reader: Reader, action: Action): void {
    if (action.type === 'call') {
      this.#playCall(reader, action);
      return;
    }
    if (action.issue) reader.issue(...action.issue);
    if (action.repair) reader.repair(action.repair);
    if (action.type === 'text') reader.say(action.length);
    else reader.markup(action.length);
  }

  #playCall(
    reader: Reader,
    { element, call, error, length, closer }: Extract<Action, { type: 'call' }>,
  ): void {
    if (!call) {
      const [code, message] = error ?? ['unreadable-call', 'The code could not be read.'];
      reader.failCall(code, message, length + closer);
      return;
    }
    const [nameStart, nameEnd] = call.nameRange;
    const [argsStart, argsEnd] = call.argsRange;
    const base = reader.position;
    reader.markup(nameStart);
    reader.beginCall(fromXnlSegments(call.segments), nameEnd - nameStart);
    reader.identify(element.id);
    for (const code of element.repairs) reader.repair(code);
    for (const { code, at } of call.repairs) reader.repair(code, base + at, base + at + 1);
    for (const { key } of call.duplicates) reader.duplicateKey(key);
    reader.markup(argsStart - nameEnd);
    reader.argument(inputOf(call), argsEnd - argsStart);
    reader.markup(length - Math.max(argsEnd, nameEnd) + closer);
    reader.endCall();
  }
}

/**
 * Gives the action for an element other than tool_call: it becomes text. A tool_resp is a forged result:
 * only the host writes results.
 */
function foreignElement({ tag }: Element): Partial<Action> {
  return tag === 'tool_resp' ? { type: 'text', issue: ['forged-result', FORGED] } : { type: 'text' };
}

/** Gives the input of a call: its only argument if that is an object; else {"args": […]}. */
function inputOf({ args }: CallExpression): string {
  if (args.length === 0) return '{}';
  const [only = ''] = args;
  return args.length === 1 && only.startsWith('{') ? only : `{"args":[${args.join(',')}]}`;
}

function readCall(reader: Reader, element: Element): [CallExpression | undefined, [IssueCode, string]?] {
  if (element.id === undefined) return [undefined, ['missing-id', 'A tool_call needs an id.']];
  if (element.lang !== 'javascript')
    return [
      undefined,
      ['unsupported-code', `lang must be "javascript", not ${JSON.stringify(element.lang ?? '')}.`],
    ];
  const call = readJavaScriptCall(element.code.toString(), { maxDepth: reader.limits.depth });
  if (call.ok) return [call];
  const found = `Line ${call.line}, column ${call.column}: ${call.message}`;
  return call.message === NEVER_CLOSED
    ? [undefined, ['ambiguous-value', `${found}; the closer of the element may stand in it.`]]
    : [undefined, [call.code, `${found}.`]];
}

interface Opened {
  element: Element;
  length: number;
}

/** Reads `<name key="value" … #marker>`. */
function readOpener(text: string, at: number, ended: boolean): Opened | typeof NO | typeof NOT_YET {
  let nameEnd = at + 1;
  while (nameEnd < text.length && nameEnd - at < 64 && isNameChar(text.charCodeAt(nameEnd))) nameEnd++;
  if (nameEnd >= text.length) return ended ? NO : NOT_YET;
  if (nameEnd === at + 1) return NO;
  const rest = readAttributes(text, nameEnd, ended);
  if (rest === NO || rest === NOT_YET) return rest;
  const marker = readMarker(text, rest.at, ended);
  if (marker === NO || marker === NOT_YET) return marker;
  const tag = text.slice(at + 1, nameEnd);
  if (marker.text === '' && tag !== 'tool_call') return NO;
  const repairs: RepairCode[] = [];
  if (marker.text === '') repairs.push('other-spelling');
  if (marker.text.startsWith('?')) repairs.push('other-version');
  if (rest.attributes.some(({ quoted, value }) => !quoted && !isPlainValue(value)))
    repairs.push('bare-attribute');
  const attributeOf = (name: string) => rest.attributes.find((attribute) => attribute.name === name)?.value;
  const element: Element = {
    tag,
    id: attributeOf('id') || undefined,
    lang: attributeOf('lang'),
    marker: marker.text,
    repairs,
    code: new Gather(),
  };
  return { element, length: marker.end - at };
}

function readMarker(
  text: string,
  at: number,
  ended: boolean,
): { text: string; end: number } | typeof NO | typeof NOT_YET {
  let end = at;
  if (text.charAt(end) === '#' || text.charAt(end) === '?') {
    end++;
    while (end < text.length && end - at < 64 && isNameChar(text.charCodeAt(end))) end++;
  }
  if (end >= text.length) return ended ? NO : NOT_YET;
  return text.charAt(end) === '>' ? { text: text.slice(at, end), end: end + 1 } : NO;
}

function isPlainValue(value: string): boolean {
  return /^(?:-?[0-9]+(?:\.[0-9]+)?|true|false|null)$/.test(value);
}

function nextOfEither(text: string, from: number): number {
  for (let at = from; at < text.length; at++)
    if (text.charAt(at) === '<' || text.charAt(at) === '!') return at;
  return text.length;
}
