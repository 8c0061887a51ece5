// The quick way to read an answer that is text, calls, or both, as the renderer writes them: with the frame of the
// calls (call-frame.ts) instead of the parser, and a check of simple schemas instead of the validator.
//
// The parser reads plain calls (plain-calls.ts) from their rendered text unchanged. So the calls that are read here are
// rendered, and count if that gives the same text; everything else is left to the parser. plain-answer.laws.test.ts compares
// the two ways, with every dialect.

import {
  type AssistantMessage,
  acceptedTools,
  type Dialect,
  hasMarker,
  type JsonObject,
  type Tool,
  type ToolCall,
  Writer,
} from '@dragoman/core/internal';

import { type Behind, type CallFrame, callFrameOf, type TagFrame } from './call-frame.js';
import { isPlainInput } from './plain-calls.js';
import { isExactly } from './plain-json.js';
import { isSurelyValid } from './surely-valid.js';

export interface PlainAnswer {
  text: string;
  calls: ToolCall[];
}

export interface AnswerSource {
  /** The answer's text without reasoning. */
  body: string;
  tools: readonly Tool[];
  inPrompt: boolean;
  /** The text that may come before the answer's text. */
  gap: string;
}

const MOST_CALLS = 100;

/** Reads the answer; undefined for the long way. Ids are empty: they are made once the calls are certain. */
export function readPlainAnswer(dialect: Dialect, source: AnswerSource): PlainAnswer | undefined {
  const frame = guessedFrame(dialect);
  const start = frame ? source.body.indexOf(frame.open) : -1;
  if (!frame || start < 0 || !areAccepted(source.tools)) return undefined;
  const calls = new Calls(frame, source).read(start);
  if (!calls?.every((call) => isPlain(dialect, call, source.tools))) return undefined;
  const text = textBefore(frame, source, start);
  if (text === undefined || (text !== '' && hasMarker(text, dialect.markers))) return undefined;
  return isWritten(dialect, source, { text, calls }) ? { text, calls } : undefined;
}

/** Gives the frame; undefined if a dialect writes text in its own way, or its calls have ids. */
export function guessedFrame(dialect: Dialect): CallFrame | undefined {
  return dialect.render.text || dialect.traits.ids ? undefined : callFrameOf(dialect);
}

/** The last result is cached: all answers of a row have the same tools. */
let lastAsked: { tools: readonly Tool[]; are: boolean } | undefined;

/** Whether all tools were accepted without a fault, and no two have the same name. */
function areAccepted(tools: readonly Tool[]): boolean {
  if (lastAsked?.tools !== tools) {
    const names = new Set(tools.map(({ name }) => name));
    const are = names.size === tools.length && tools.every((tool) => acceptedTools.has(tool));
    lastAsked = { tools, are };
  }
  return lastAsked.are;
}

function isPlain(dialect: Dialect, call: ToolCall, tools: readonly Tool[]): boolean {
  const tool = tools.find(({ name }) => name === call.name);
  return (
    tool !== undefined && isSurelyValid(tool.parameters, call.input) && isPlainInput(dialect, call, tools)
  );
}

/** Gives the text before the calls; '' if there is none. */
function textBefore({ lead }: CallFrame, { body, gap }: AnswerSource, start: number): string | undefined {
  const behind = body.startsWith(gap) ? gap.length : 0;
  if (start <= behind) return body.startsWith(gap) || start === 0 ? '' : undefined;
  const end = start - lead.length;
  if (end < behind || !body.startsWith(lead, end)) return undefined;
  const text = body.slice(behind, end);
  return text.trim() !== '' && text.isWellFormed() ? text : undefined;
}

/** Whether the text ends with these calls, rendered. In a prompt, calls are rendered without the tools' schemas. */
function isWritten(
  dialect: Dialect,
  { body, tools, inPrompt, gap }: AnswerSource,
  { text, calls }: PlainAnswer,
): boolean {
  const afterText = text !== '';
  const out = new Writer(dialect.markers);
  dialect.render.calls(out, calls, { tools: inPrompt ? [] : tools, afterText });
  if (!body.endsWith(out.text)) return false;
  const front = body.length - out.text.length;
  return afterText || front === 0 || (front === gap.length && body.startsWith(gap));
}

// --- calls ---------------------------------------------------------------------------------------------

const NAME = /[A-Za-z0-9_.:-]*/y;
const KEY = /[a-z_]*/y;

/** Reads the calls, one after the other, up to the end of the text. */
class Calls {
  #at = 0;
  #isDone = false;

  constructor(
    readonly frame: CallFrame,
    readonly source: AnswerSource,
  ) {}

  read(start: number): ToolCall[] | undefined {
    const calls: ToolCall[] = [];
    this.#at = start + this.frame.open.length;
    while (calls.length < MOST_CALLS) {
      const call = this.#call();
      if (!call) return undefined;
      calls.push(call);
      if (this.#isDone) return calls;
    }
    return undefined;
  }

  #take(words: string): boolean {
    if (!this.source.body.startsWith(words, this.#at)) return false;
    this.#at += words.length;
    return true;
  }

  /** Reads the text after a call: up to the name of the next one, or the end of the last. */
  #leave({ next, last }: Behind): boolean {
    if (this.#take(next)) return true;
    this.#isDone = this.#take(last) && this.#at === this.source.body.length;
    return this.#isDone;
  }

  #run(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [run = ''] = pattern.exec(this.source.body) ?? [];
    this.#at += run.length;
    return run;
  }

  #upTo(words: string): string | undefined {
    const end = this.source.body.indexOf(words, this.#at);
    if (end < 0) return undefined;
    const text = this.source.body.slice(this.#at, end);
    this.#at = end;
    return text;
  }

  #call(): ToolCall | undefined {
    const { json, tags } = this.frame;
    const name = this.#run(NAME);
    const input = json ? this.#json(json) : tags && this.#tags(tags, name);
    return input && { type: 'tool-call', id: '', name, input, raw: JSON.stringify(input) };
  }

  #json({ before, behind }: { before: string; behind: Behind }): JsonObject | undefined {
    const text = this.#take(before) ? this.#upTo(behind.end) : undefined;
    if (!text?.startsWith('{') || !this.#leave(behind)) return undefined;
    try {
      const value = JSON.parse(text) as JsonObject;
      return isExactly(text, value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #tags(tags: TagFrame, name: string): JsonObject | undefined {
    if (!this.#take(tags.first)) return this.#leave(tags.none) ? {} : undefined;
    const properties = propertiesOf(this.source.tools, name);
    const input: JsonObject = {};
    do {
      const key = this.#run(KEY);
      const value = this.#value(tags, memberType(properties, key));
      if (key === '' || value === undefined || Object.hasOwn(input, key)) return undefined;
      input[key] = value;
    } while (this.#take(tags.key));
    return this.#leave(tags.behind) ? input : undefined;
  }

  /** Reads a value: a string, unless the frame or the schema says otherwise. */
  #value({ string, other, end }: TagFrame, type: unknown): string | number | boolean | undefined {
    const isString = this.source.body.startsWith(string, this.#at) && (string !== other || !OTHERS.has(type));
    if (!this.#take(isString ? string : other)) return undefined;
    const text = this.#upTo(end);
    if (isString || text === undefined) return text;
    if (type === 'boolean') return words.get(text);
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    return type === 'integer' ? number : undefined;
  }
}

/** The spellings of JSON and Python. Rendering shows which one the dialect uses. */
const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
]);
const OTHERS: ReadonlySet<unknown> = new Set(['integer', 'boolean']);

function propertiesOf(tools: readonly Tool[], name: string): object {
  const parameters = tools.find((tool) => tool.name === name)?.parameters;
  const properties = typeof parameters === 'object' ? parameters.properties : undefined;
  return typeof properties === 'object' && properties !== null ? properties : {};
}

function memberType(properties: object, key: string): unknown {
  const member: unknown = Object.hasOwn(properties, key) ? (properties as JsonObject)[key] : undefined;
  return typeof member === 'object' && member !== null && 'type' in member ? member.type : undefined;
}

/** Gives the parts of a message, with new ids. */
export function plainParts({ text, calls }: PlainAnswer, newId: () => string): AssistantMessage['parts'] {
  const named = calls.map((call) => ({ ...call, id: newId() }));
  return text === '' ? named : [{ type: 'text', text }, ...named];
}
