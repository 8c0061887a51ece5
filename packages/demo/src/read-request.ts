// Reads what the demo model needs from its messages: the dialect, the tools, the last question, the results since then,
// and what kind of reply is wanted.

import {
  type Conversation,
  type Dialect,
  type JsonObject,
  type ParsedCall,
  parse,
  type ReadResults,
  readResults,
  readText,
  type Tool,
} from '@dragoman/core/internal';
import { parsedObject } from './parsed-object.js';
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
  /** The same as it came: with reminders, and not cut. */
  asked: string;
  /** The schema of the answer, where it is to be JSON. */
  answerSchema?: JsonObject;
  /** The calls since then, and their results. */
  answered: AnsweredCall[];
  /** Whether results were read, also of calls that were refused. */
  readsResults: boolean;
  /** Set if a call is required: of this tool, or of any (''). */
  required?: string;
  /** Whether at most one call is allowed. */
  once: boolean;
}

type Result = ReadResults['results'][number];

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
  const read = candidates.map((dialect) => readLines(lines, tools, dialect));
  const answered = read.filter((request) => request.answered.length > 0);
  const best = answered.find((request) => request.answered.every(({ call }) => call)) ?? answered[0];
  return (
    best ?? (taught && (read.find(({ readsResults }) => readsResults) ?? read[0])) ?? readLines(lines, tools)
  );
}

function readLines(lines: readonly ChatLine[], tools: readonly Tool[], dialect?: Dialect): DemoRequest {
  const request: DemoRequest = {
    tools,
    lines,
    question: '',
    asked: '',
    answered: [],
    readsResults: false,
    once: false,
  };
  if (dialect) request.dialect = dialect;
  let calls: ParsedCall[] = [];
  let isReminder = false;
  for (const line of lines) {
    if (line.role === 'system') {
      readFormat(request, line.text);
      continue;
    }
    if (line.role === 'assistant') {
      const spoken = line.text.slice(Math.max(0, line.text.lastIndexOf('</think>')));
      calls = dialect ? parse(dialect, spoken, { tools }).calls : [];
      isReminder = false;
    } else isReminder = readUserLine(request, calls, line.text, isReminder);
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
  const waiting = isReminder ? 0 : calls.length;
  // Some dialects write nothing around results: where calls wait for them, the whole message is theirs.
  const alone = waiting > 0 && dialect?.traits.resultRole === 'tool';
  const found = dialect && readResults(dialect, text, { waiting, alone });
  request.readsResults ||= found !== undefined;
  const rest = readNotes(request, text.slice(found?.end ?? 0).trim());
  // After a refused reply, the calls are written again.
  const isRefusal = found ? found.results.every((result) => NOT_RUN.test(result.text)) : AGAIN.test(rest);
  if (!isRefusal && !found && !isReminder) {
    request.asked = (dialect && readText(dialect, rest)) ?? rest;
    request.question = questionOf(request.asked);
  }
  if (isRefusal || !isReminder) request.answered = [];
  if (!isRefusal && found) request.answered = found.results.map((result, at) => answerOf(result, calls, at));
  return found !== undefined || isReminder;
}

function answerOf({ text, callId }: Result, calls: readonly ParsedCall[], at: number): AnsweredCall {
  const call = calls.find(({ id }) => callId !== undefined && id === callId) ?? calls[at];
  return { ...(call && { call }), output: text };
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

/** The texts of core's bridge (teach-format.ts), in both languages, each before the schema. */
const FORMATS = [
  'Your answer must be JSON that fits this JSON Schema:\n',
  '你的回答必须是符合以下 JSON Schema 的 JSON：\n',
];

function readFormat(request: DemoRequest, text: string): void {
  for (const words of FORMATS) {
    const at = text.lastIndexOf(words);
    if (at < 0) continue;
    const [line = ''] = text.slice(at + words.length).split('\n', 1);
    const schema = parsedObject(line);
    if (schema) request.answerSchema = schema;
  }
}

// --- the question --------------------------------------------------------------------------------------

/**
 * Agents put reminders around a question: `<system-reminder>…</system-reminder>What is in README.md?`. The gateway adds
 * late system messages, in tags with an id.
 */
const REMINDER_TAG = /<(\/?)([a-z]{1,40}[_-][a-z_-]{1,40})(?: id="[0-9a-f]{16}")?>/g;

function questionOf(text: string): string {
  const said = withoutQuotes(withoutReminders(text).trim());
  return said.length > 2 * MAX_END ? `${said.slice(0, MAX_END)}\n${said.slice(-MAX_END)}` : said;
}

/** Reminders hold tags of their own, closed or not. A tag that is never closed is text. */
function withoutReminders(text: string): string {
  const tags = [...text.matchAll(REMINDER_TAG)];
  const lastClose = new Map(tags.filter(([, slash]) => slash).map(({ 2: name, index }) => [name, index]));
  let outside = '';
  let from = 0;
  let inside: string | undefined;
  for (const { 0: tag, 1: slash, 2: name, index } of tags) {
    if (inside === undefined && !slash && (lastClose.get(name) ?? -1) > index) {
      outside += text.slice(from, index);
      inside = name;
    } else if (slash && name === inside) {
      from = index + tag.length;
      inside = undefined;
    }
  }
  return outside + text.slice(from);
}

/** Removes shell quotes around the question: commands that take it as an argument may pass them on. */
function withoutQuotes(text: string): string {
  const inner = text.slice(1, -1);
  const isQuoted = text === `"${inner}"` && inner.includes(' ') && !/(?<!\\)"/.test(inner);
  return isQuoted ? inner.replaceAll('\\"', '"') : text;
}
