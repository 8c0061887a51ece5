// Finds what a text in a dialect lost of a conversation, by reading the text back and comparing. So the report is right
// by construction, whatever a dialect can express.

import {
  type AssistantMessage,
  type Conversation,
  callsOf,
  isObject,
  type Message,
  orderResults,
  parseExact,
  stringifyJson,
  type Tool,
  type ToolCall,
  type ToolResult,
  textOf,
} from '@dragoman/core/internal';
import type { LossCode } from '../forms/codes.js';
import { UntoldResults } from '../forms/conversation-builder.js';
import { type Note, RowError } from '../forms/form.js';
import { noteExtra, noteResult } from '../forms/losses.js';
import { noteTools } from '../forms/tools.js';
import { squeeze } from './same-text.js';

/**
 * `given` is the conversation that was written, `back` the one read from the text. Throws a RowError if they differ in
 * more than losses.
 */
export function lossesBetween(given: Conversation, back: Conversation): Note[] {
  const losses = new Losses();
  losses.conversation(given, back);
  const [runs, read] = [runsOf(given.messages), runsOf(back.messages)];
  for (const [at, run] of runs.entries()) losses.run(run, read[at], runs[at - 1]);
  const more = read[runs.length];
  if (more)
    throw notSaid(
      `messages[${given.messages.length - 1}]`,
      `a part of it would be a message of the role ${more.role}`,
    );
  return losses.done();
}

/**
 * Neighbouring messages of one role, which dialects join. The grouping of results carries no information; lost borders
 * between texts are noted. Answers are not joined.
 */
interface Run {
  role: Message['role'];
  messages: { message: Message; path: string }[];
}

function runsOf(messages: readonly Message[]): Run[] {
  const runs: Run[] = [];
  for (const [at, message] of messages.entries()) {
    const placed = { message, path: `messages[${at}]` };
    const last = runs.at(-1);
    if (last?.role === message.role && message.role !== 'assistant') last.messages.push(placed);
    else runs.push({ role: message.role, messages: [placed] });
  }
  return runs;
}

interface PlacedResult {
  result: ToolResult;
  path: string;
}

class Losses {
  readonly #notes: Note[] = [];
  /** Reasoning parts that were joined or moved: not reported where reasoning itself is lost. */
  readonly #thoughts: string[] = [];
  /** The ids of the calls as given, and as read. */
  readonly #ids = new Map<string, string>();
  #calls: ToolCall[] = [];

  done(): Note[] {
    const isLost = this.#notes.some(({ code }) => code === 'reasoning');
    if (!isLost) for (const path of this.#thoughts) this.#lose('part-order', path);
    return this.#notes;
  }

  conversation(given: Conversation, back: Conversation): void {
    if (!sameJson(given.toolChoice, back.toolChoice)) this.#lose('tool-choice', 'toolChoice');
    noteTools(this.#notes, given.tools, given.extra);
    noteExtra(this.#notes, given.extra, '');
    for (const [at, tool] of given.tools.entries()) {
      const read = back.tools[at];
      if (!read || !sameJson(definitionOf(tool), definitionOf(read))) this.#lose('tools', `tools[${at}]`);
    }
  }

  run(given: Run, read: Run | undefined, before: Run | undefined): void {
    const [first] = given.messages;
    const [other] = read?.messages ?? [];
    if (first && !read && isEmptyAnswer(first.message)) throw unseenAnswer(first.path);
    if (!first || !other || read?.role !== given.role)
      throw notSaid(first?.path ?? '', takenFor(given, read, before));
    if (given.role === 'assistant' && before?.role !== 'assistant') this.#calls = [];
    for (const { message, path } of given.messages) noteExtra(this.#notes, message.extra, path);
    if (given.role === 'tool') this.#results(resultsOf(given), resultsOf(read));
    else if (first.message.role === 'assistant') {
      this.#answer(first.message, other.message as AssistantMessage, first.path);
    } else this.#texts(given, read);
  }

  // --- system and user ---------------------------------------------------------------------------------

  #texts(given: Run, read: Run): void {
    const texts: { text: string; path: string }[] = [];
    for (const { message, path } of given.messages) {
      for (const [index, part] of message.parts.entries()) {
        const place = `${path}.parts[${index}]`;
        noteExtra(this.#notes, part.extra, place);
        if (part.type === 'media') this.#lose('media', place);
        if (part.type === 'text' && part.text !== '') texts.push({ text: part.text, path: place });
      }
    }
    const [first, second] = given.messages;
    if (given.messages.length !== read.messages.length)
      this.#lose('message-bounds', (second ?? first)?.path ?? '');
    const heard = read.messages.map(({ message }) => textOf(message)).filter((text) => text !== '');
    this.#spoken(texts, heard, first?.path ?? '');
  }

  /** Compares texts. Several texts that were joined may have line breaks between them. */
  #spoken(given: readonly { text: string; path: string }[], read: readonly string[], path: string): void {
    if (given.length !== read.length) this.#lose('part-order', given[1]?.path ?? path);
    const texts = given.map(({ text }) => text);
    if (texts.length === read.length && texts.every((text, at) => text === read[at])) return;
    const [one, other] = [texts.join(''), read.join('')];
    if (one.replaceAll('\n', '') !== other.replaceAll('\n', '') || given.length === read.length) {
      this.#compare('text', one, other, path);
    }
  }

  // --- answers -----------------------------------------------------------------------------------------

  #answer(given: AssistantMessage, read: AssistantMessage, path: string): void {
    checkNames(callsOf(given), callsOf(read), path);
    const texts: { text: string; path: string }[] = [];
    let calls = 0;
    let thoughts = 0;
    for (const [index, part] of given.parts.entries()) {
      const place = `${path}.parts[${index}]`;
      noteExtra(this.#notes, part.extra, place);
      if (part.type === 'tool-call') calls++;
      else if (part.type === 'reasoning') {
        if (thoughts++ > 0 || texts.length > 0 || calls > 0) this.#thoughts.push(place);
      } else if (part.text !== '') {
        if (calls > 0 || part.aside) this.#lose('text-after-calls', place);
        if (!part.aside) texts.push({ text: part.text, path: place });
      }
    }
    const heard = textOf(read);
    this.#spoken(texts, heard === '' ? [] : [heard], path);
    this.#thought(given, read, path);
    this.#callsOf(callsOf(given), callsOf(read), path);
  }

  #thought(given: AssistantMessage, read: AssistantMessage, path: string): void {
    const at = given.parts.findIndex((part) => part.type === 'reasoning');
    const [thought, heard] = [thoughtOf(given), thoughtOf(read)];
    if (thought === heard && (thought !== '' || at < 0)) return;
    if (at < 0) throw notSaid(path, 'a text of it would be reasoning');
    const isCut = thought !== '' && thought.trim() === heard.trim();
    this.#lose(isCut ? 'white-space' : 'reasoning', `${path}.parts[${at}]`);
  }

  #callsOf(given: readonly ToolCall[], read: readonly ToolCall[], path: string): void {
    for (const [index, call] of given.entries()) {
      const other = read[index] as ToolCall;
      this.#calls.push(call);
      if (inputOf(call) !== inputOf(other)) this.#lose('call-values', path);
      this.#ids.set(call.id, other.id);
      if (other.id !== call.id) this.#lose('call-ids', path);
    }
  }

  // --- results -----------------------------------------------------------------------------------------

  #results(given: readonly PlacedResult[], read: readonly PlacedResult[]): void {
    const order = orderResults(
      given.map(({ result }) => result),
      this.#calls,
    );
    const places = new Map(given.map((placed) => [placed.result, placed]));
    for (const [index, result] of order.entries()) {
      const { path } = places.get(result) ?? { path: '' };
      // Results are written in the order of their calls.
      if (given[index]?.result !== result) this.#lose('call-ids', path);
      noteResult(this.#notes, result.extra, path);
      const other = read[index]?.result;
      if (!other) throw notSaid(path, 'this result would be a part of another');
      this.#result(result, other, path);
    }
    if (read.length > given.length) throw notSaid(given[0]?.path ?? '', 'this result would be several');
  }

  #result(given: ToolResult, read: ToolResult, path: string): void {
    if ((this.#ids.get(given.callId) ?? given.callId) !== read.callId) this.#lose('call-ids', path);
    if (given.name !== read.name) this.#lose('result-names', path);
    if (given.isError) this.#lose('result-errors', path);
    if (given.output === read.output) return;
    // A text may lose white space, but nothing else.
    const isText = typeof given.output === 'string' && given.output !== '';
    if (isText && squeezed(given.output) !== squeezed(read.output))
      throw notSaid(path, 'this result would have another text');
    this.#lose('result-values', path);
  }

  /** Compares a text. It may only lose white space at its ends, and lone surrogates, which no file can hold. */
  #compare(code: LossCode, given: string, read: string, path: string): void {
    if (given.trim() === read.trim()) this.#lose('white-space', path);
    else if (given.toWellFormed() === read) this.#lose(code, path);
    else throw notSaid(path, 'it would have another text');
  }

  #lose(code: LossCode, path: string): void {
    const last = this.#notes.at(-1);
    if (last?.code !== code || last.path !== path) this.#notes.push({ kind: 'loss', code, path });
  }
}

function resultsOf({ messages }: Run): PlacedResult[] {
  return messages.flatMap(({ message, path }) =>
    message.role === 'tool'
      ? message.parts.map((result, index) => ({ result, path: `${path}.parts[${index}]` }))
      : [],
  );
}

function notSaid(path: string, what: string): RowError {
  const message =
    `the text of the dialect would say something else here: ${what}. Change or leave out the message, or give the ` +
    'conversation another form or another dialect';
  return new RowError(path, message);
}

/**
 * What to tell of a text that was written and cannot be read: not where, since the text is not in the row. `text`: what
 * was written.
 */
export function unsaid(text: string, error: RowError): RowError {
  if (error instanceof UntoldResults) return new RowError('messages', error.message);
  const message =
    `${text} would say something else than this conversation: messages would be taken for others, in this order or ` +
    'with these texts. Change or leave out some, or give the conversation another form or another dialect';
  return new RowError('messages', message);
}

function takenFor(given: Run, read: Run | undefined, before: Run | undefined): string {
  if (read) return `this message of the role ${given.role} would be one of the role ${read.role}`;
  if (before) return `this message would be a part of the one before it, of the role ${before.role}`;
  return 'this message would not be there';
}

/** The names that all dialects can spell. */
const PLAIN_NAME = /^[\w.:-]+$/;

/** Throws for a call whose name no dialect has to read, where nobody reads the text that is written. */
export function checkPlainNames({ messages }: Conversation, dialect: string): void {
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const odd = callsOf(message).find(({ name }) => !PLAIN_NAME.test(name));
    if (!odd) continue;
    const name = JSON.stringify(odd.name);
    const reason = `a call of ${name} may be none in the text of ${dialect}: --rename-tools writes such names with underscores`;
    throw new RowError(`messages[${at}]`, reason);
  }
}

/** Checks the names of calls before their texts: a call that is none there is a text. */
function checkNames(given: readonly ToolCall[], read: readonly ToolCall[], path: string): void {
  const lost = given.find(({ name }, at) => read[at]?.name !== name);
  if (!lost && read.length > given.length) throw notSaid(path, 'a text of it would be a call');
  if (!lost) return;
  const isPlain = PLAIN_NAME.test(lost.name);
  const remedy = isPlain ? '' : ' (--rename-tools writes such names with underscores)';
  throw notSaid(path, `the call of ${JSON.stringify(lost.name)} would be none, or another one${remedy}`);
}

function isEmptyAnswer({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.every((part) => part.type === 'text' && part.text === '');
}

/** GLM ends an answer with the next turn: an empty one at the end is what a prompt ends with. */
function unseenAnswer(path: string): RowError {
  const message =
    'an empty answer at the end cannot be told from a prompt that asks for one in this dialect: leave it out, or use ' +
    'another dialect';
  return new RowError(path, message);
}

function squeezed(output: ToolResult['output']): string {
  return squeeze(String(output).toWellFormed());
}

function thoughtOf({ parts }: AssistantMessage): string {
  return parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}

/** Whether the JSON is compact already, so that it need not be written again. */
function isCompact(raw: string): boolean {
  try {
    return JSON.stringify(JSON.parse(raw)) === raw;
  } catch {
    return false;
  }
}

/** Gives the arguments as JSON; key order and digits count. */
function inputOf({ raw, input }: ToolCall): string {
  if (raw === undefined) return stringifyJson(input, 'compact');
  return isCompact(raw) ? raw : stringifyJson(parseExact(raw), 'compact');
}

/**
 * Gives a definition with its own members sorted by key: some dialects sort them, and the order carries no meaning.
 * Schemas stay as they are.
 */
function definitionOf({ name, description, parameters, source }: Tool): unknown {
  const definition = source ?? { type: 'function', function: { name, description, parameters } };
  return sorted(definition).map(([key, value]) => [key, key === 'function' ? sorted(value) : value]);
}

function sorted(value: unknown): [key: string, value: unknown][] {
  if (!isObject(value)) return [];
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return members
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || stringifyJson(a as never, 'compact') === stringifyJson(b as never, 'compact');
}
