// Reads what the demo model needs from its messages: the dialect, the tools, the last question, the results since then,
// and what kind of reply is wanted.

import {
  type Conversation,
  type Dialect,
  type ParsedCall,
  parse,
  renderMessages,
  restore,
  type Tool,
} from '@dragoman/core/internal';
import { readTaughtTools } from './read-tools.js';

export interface ChatLine {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
}

export interface AnsweredCall {
  /** Absent if the result belongs to no known call. */
  call?: ParsedCall;
  output: string;
}

export interface DemoRequest {
  /** Absent if there are no tool instructions and no readable results. */
  dialect?: Dialect;
  tools: readonly Tool[];
  /** All messages: the system's may hold the working directory. */
  lines: readonly ChatLine[];
  /** The user's last question. */
  question: string;
  /** The calls since then, and their results. */
  answered: AnsweredCall[];
  /** Set if a call is required: of this tool, or of any (''). */
  required?: string;
  /** Whether at most one call is allowed. */
  once: boolean;
}

/** How many characters of each end of a long question are read. */
const MAX_END = 2_000;

export function chatLines({ messages }: Conversation): ChatLine[] {
  return messages.map(({ role, parts }) => {
    const texts = parts.map((part) => {
      if (part.type === 'tool-result') return typeof part.output === 'string' ? part.output : '';
      return part.type === 'text' ? part.text : '';
    });
    return { role, text: texts.join('') };
  });
}

/**
 * Reads the request. Several dialects may have the same tool instructions, and without tools there are none: then it is
 * the dialect in which the results are readable.
 */
export function readRequest(lines: readonly ChatLine[], known: readonly Dialect[]): DemoRequest {
  const [first] = lines;
  const taught = first?.role === 'system' ? readTaughtTools(first.text, known) : undefined;
  const tools = taught?.tools ?? [];
  const isFirst = !lines.some(({ role }) => role === 'assistant');
  const candidates = taught?.dialects ?? (isFirst ? [] : known);
  if (candidates.length > 1) {
    for (const dialect of candidates) {
      const request = readLines(lines, tools, dialect);
      if (request.answered.length > 0) return request;
    }
  }
  return readLines(lines, tools, taught?.dialects[0]);
}

function readLines(lines: readonly ChatLine[], tools: readonly Tool[], dialect?: Dialect): DemoRequest {
  const request: DemoRequest = { tools, lines, question: '', answered: [], once: false };
  if (dialect) request.dialect = dialect;
  let calls: ParsedCall[] = [];
  let isReminder = false;
  for (const { role, text } of lines) {
    if (role === 'system') continue;
    if (role === 'assistant') {
      const spoken = text.slice(Math.max(0, text.lastIndexOf('</think>')));
      calls = dialect ? parse(dialect, spoken, { tools }).calls : [];
      isReminder = false;
    } else isReminder = readUserLine(request, calls, text, isReminder);
  }
  return request;
}

/**
 * Reads a user's message. Returns whether it holds results: text beside them is a reminder, and the question came
 * before.
 */
function readUserLine(
  request: DemoRequest,
  calls: readonly ParsedCall[],
  text: string,
  isReminder: boolean,
): boolean {
  const { dialect } = request;
  const found = dialect && readResults(dialect, calls, text);
  const rest = readNotes(request, text.slice(found?.end ?? 0).trim());
  // After a refused reply, the calls are written again.
  const isRefusal = found ? found.answered.every(({ output }) => NOT_RUN.test(output)) : AGAIN.test(rest);
  if (!isRefusal && !found && !isReminder) request.question = questionOf(rest, dialect);
  request.answered = isRefusal ? [] : (found?.answered ?? (isReminder ? request.answered : []));
  return found !== undefined || isReminder;
}

// --- what the gateway adds -----------------------------------------------------------------------------

// The texts of core's bridge (reask-words.ts), in both languages.
const NOT_RUN = /^(?:Error: )?(?:Not run[:,]|未执行：)/;
const AGAIN = /Nothing was run\. Write your reply again,|没有执行任何调用。请按照给你的格式重新回复。/;
const ONCE = /\(At most one tool call in this reply\.\)|（本次回复最多一个工具调用。）/;
const REQUIRED = /\(Reply with a call of one of the tools\.\)|（请回复一次工具调用。）/;
const REQUIRED_TOOL = [
  /\(Reply with a call of the tool ([^\s()]+)\.\)/,
  /（请回复对工具 ([^\s（）]+) 的调用。）/,
];

/** Gives the text without the gateway's notes at its end, which go into the request. */
function readNotes(request: DemoRequest, text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  const tool = REQUIRED_TOOL.map((note) => note.exec(line)?.[1]).find((name) => name !== undefined);
  request.once ||= ONCE.test(line);
  if (tool !== undefined || REQUIRED.test(line)) request.required = tool ?? '';
  const rest = [ONCE, REQUIRED, ...REQUIRED_TOOL].reduce((kept, note) => kept.replace(note, ''), line);
  return (text.slice(0, start) + rest).trimEnd();
}

// --- the question --------------------------------------------------------------------------------------

/** Agents put reminders around a question: `<system-reminder>…</system-reminder>What is in README.md?` */
const REMINDER_TAG = /<\/?[a-z]{1,40}[_-][a-z_-]{1,40}>/;

function questionOf(text: string, dialect: Dialect | undefined): string {
  const plain = !dialect
    ? text
    : dialect.render.text
      ? parse(dialect, text).text
      : restore(text, dialect.markers);
  const outside = plain.split(REMINDER_TAG).filter((_, at) => at % 2 === 0);
  const said = withoutQuotes(outside.join('').trim());
  return said.length > 2 * MAX_END ? `${said.slice(0, MAX_END)}\n${said.slice(-MAX_END)}` : said;
}

/** Removes shell quotes around the question: commands that take it as an argument may pass them on. */
function withoutQuotes(text: string): string {
  const inner = text.slice(1, -1);
  const isQuoted = text === `"${inner}"` && inner.includes(' ') && !/(?<!\\)"/.test(inner);
  return isQuoted ? inner.replaceAll('\\"', '"') : text;
}

// --- results -------------------------------------------------------------------------------------------
//
// Finds the results in a message by rendering: the dialect renders placeholder outputs for the same calls, and the text
// around them is also around the real ones.
//
//   <tool_response>\n  OUTPUT_1  \n</tool_response>\n<tool_response>\n  OUTPUT_2  \n</tool_response>
//   frame[0]                     frame[1]                                        frame[2]

interface FoundResults {
  answered: AnsweredCall[];
  end: number;
}

/** Reads the results of these calls at the start of `text`, and gives where they end. */
function readResults(dialect: Dialect, calls: readonly ParsedCall[], text: string): FoundResults | undefined {
  const reader = dialect.render.back?.results;
  if (!reader) return calls.length === 0 ? undefined : matchFrame(dialect, calls, text);
  const read = reader(text);
  if (!read) return undefined;
  const answered = read.results.map(({ text, callId }, at): AnsweredCall => {
    const call = calls.find(({ id }) => id === callId) ?? calls[at];
    return { ...(call && { call }), output: text };
  });
  return { answered, end: read.end };
}

/** Matches the frame. Text from outside holds no marker, so an output ends where the frame first continues. */
function matchFrame(dialect: Dialect, calls: readonly ParsedCall[], text: string): FoundResults | undefined {
  const frame = frameOf(dialect, calls);
  // The dialect writes nothing around outputs: the whole text is the output.
  if (frame.every((words) => words.trim() === '')) {
    const [call] = calls.length === 1 ? calls : [];
    return {
      answered: [{ ...(call && { call }), output: restore(text, dialect.markers) }],
      end: text.length,
    };
  }
  const [first = '', ...rest] = frame;
  const isQuoted = first.endsWith('"') && rest[0]?.startsWith('"') === true;
  let at = text.startsWith(first) ? first.length : -1;
  const answered: AnsweredCall[] = [];
  for (const [index, words] of rest.entries()) {
    if (at < 0) return undefined;
    const end = isQuoted ? quoteEnd(text, at) : words === '' ? text.length : text.indexOf(words, at);
    if (end < 0 || !text.startsWith(words, end)) return undefined;
    const raw = text.slice(at, end);
    const output = isQuoted ? String(JSON.parse(`"${raw}"`)) : restore(raw, dialect.markers);
    answered.push({ call: calls[index] as ParsedCall, output });
    at = end + words.length;
  }
  return { answered, end: at };
}

function frameOf(dialect: Dialect, calls: readonly ParsedCall[]): string[] {
  const ids = calls.map(({ id }, at) => id ?? `call_${at}`);
  const parts = calls.map(({ name, input }, at) => ({ type: 'tool-call', id: ids[at], name, input }));
  const results = calls.map(({ name }, at) => {
    return { type: 'tool-result', callId: ids[at], name, output: `OUTPUT_${at}_HERE` };
  });
  const messages = [
    { role: 'assistant', parts },
    { role: 'tool', parts: results },
  ];
  const rendered = renderMessages(dialect, { messages }).messages;
  return (rendered.at(-1)?.content ?? '').split(/OUTPUT_\d+_HERE/);
}

/** Gives the index of the closing quote of the string that begins before `start`. */
function quoteEnd(text: string, start: number): number {
  const string = /(?:[^"\\\n]|\\.)*/y;
  string.lastIndex = start;
  string.exec(text);
  return text.charAt(string.lastIndex) === '"' ? string.lastIndex : -1;
}
