// Takes a model's text out of what people paste: an answer of an API, whole or as a stream, lines of a log, an exchange of
// the inspector, a request with its answers, a JSON string. A chat template names its dialect.

import { type AnswerEvent, acceptTools, detect } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { type Wire, wires } from '@dragoman/core/wire';

export type Unwrapped =
  | { kind: 'template'; dialect?: string; reason: string }
  | {
      kind: 'answer' | 'text' | 'request' | 'exchange';
      text: string;
      /** The title of the API. */
      api?: string;
      /** Where the pieces ended, if it came in several. */
      ends?: number[];
      /** The names of the calls that the server itself has read. */
      calls?: string[];
      /** The text is the answer's reasoning: it has no other. */
      reasoning?: true;
      /** The line of the log, from 1. */
      line?: number;
      dialect?: string;
      /** JSON text. */
      tools?: string;
    };

/** Undefined: the text is what a model wrote, or nothing that is known. */
export function unwrap(text: string): Unwrapped | undefined {
  const start = text.trimStart();
  if (isTemplate(start)) return fromTemplate(text);
  if (/^(?:data|event|id|retry):/.test(start)) return fromStream(text);
  if (!/^[{["]/.test(start)) return undefined;
  const value = parsed(text);
  return value === undefined ? fromLines(text) : fromValue(value);
}

const isTemplate = (start: string) =>
  /^\{[%{#]/.test(start) && start.includes('{%') && start.includes('messages');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromTemplate(template: string): Unwrapped {
  const found = detect({ template });
  return found
    ? { kind: 'template', dialect: found.dialect.name, reason: found.reason }
    : { kind: 'template', reason: '' };
}

function fromValue(value: unknown): Unwrapped | undefined {
  if (typeof value === 'string') return /[<\n]/.test(value) ? { kind: 'text', text: value } : undefined;
  if (!isObject(value)) return Array.isArray(value) ? fromEvents(value) : undefined;
  const template = templateIn(value);
  if (template !== undefined) return fromTemplate(template);
  return fromExchange(value) ?? fromAnswer(value) ?? fromRequest(value);
}

/** The member of a tokenizer_config.json, which may be a list of named templates. */
function templateIn({ chat_template: template }: Record<string, unknown>): string | undefined {
  if (typeof template === 'string') return template;
  if (!Array.isArray(template)) return undefined;
  const named = template.filter((one) => isObject(one) && typeof one.template === 'string');
  const forTools = named.find(({ name }) => name === 'tool_use') ?? named[0];
  return forTools?.template;
}

// ---------------------------------------------------------------- answers

function fromAnswer(body: object): Unwrapped | undefined {
  for (const wire of wires) {
    const found = toAnswer(
      wire,
      attempt(() => wire.decodeResponse(body)),
    );
    if (found) return found;
  }
  return undefined;
}

function fromStream(text: string): Unwrapped | undefined {
  const found = wires.flatMap((wire) => {
    const answer = toAnswer(
      wire,
      attempt(() => {
        const decoder = wire.createStreamDecoder();
        return [...decoder.feed(text), ...decoder.finish()];
      }),
    );
    return answer ? [answer] : [];
  });
  const size = (one: Unwrapped) => ('text' in one ? one.text.length + 1000 * (one.calls?.length ?? 0) : 0);
  return found.sort((a, b) => size(b) - size(a))[0];
}

/** Events of a stream without their lines, as logs keep them. */
function fromEvents(list: readonly unknown[]): Unwrapped | undefined {
  const text = list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
  return list.every(isObject) ? fromStream(text) : undefined;
}

function attempt(decode: () => AnswerEvent[]): AnswerEvent[] {
  try {
    return decode();
  } catch {
    return [];
  }
}

function toAnswer({ title }: Wire, events: readonly AnswerEvent[]): Unwrapped | undefined {
  const first = events.filter((event) => !('choice' in event) || !event.choice);
  const text = piecesOf(first, 'text-delta');
  const thought = piecesOf(first, 'reasoning-delta');
  const calls = first.flatMap((event) => (event.type === 'call-start' ? [event.name] : []));
  const shown = text.length > 0 ? text : thought;
  if (shown.length === 0 && calls.length === 0) return undefined;
  return {
    kind: 'answer',
    api: title,
    text: shown.join(''),
    ...(shown.length > 1 && { ends: endsOf(shown) }),
    ...(calls.length > 0 && { calls }),
    ...(text.length === 0 && shown.length > 0 && { reasoning: true as const }),
  };
}

function piecesOf(events: readonly AnswerEvent[], type: 'text-delta' | 'reasoning-delta'): string[] {
  return events.flatMap((event) => (event.type === type && event.text !== '' ? [event.text] : []));
}

function endsOf(pieces: readonly string[]): number[] {
  let end = 0;
  return pieces.map(({ length }) => {
    end += length;
    return end;
  });
}

// ---------------------------------------------------------------- requests, exchanges, logs

/** An exchange of the inspector. */
function fromExchange({ attempts, dialect, request }: Record<string, unknown>): Unwrapped | undefined {
  const last: unknown = Array.isArray(attempts) ? attempts.at(-1) : undefined;
  if (!isObject(last) || typeof last.text !== 'string') return undefined;
  const tools = isObject(request) && isObject(request.conversation) ? request.conversation.tools : undefined;
  return {
    kind: 'exchange',
    text: last.text,
    ...(typeof dialect === 'string' && { dialect }),
    ...toolsText(tools),
  };
}

/** The last text of an assistant among messages, and the tools beside them. */
function fromRequest({ messages, tools }: Record<string, unknown>): Unwrapped | undefined {
  if (!Array.isArray(messages)) return undefined;
  const last = messages.findLast((one) => isObject(one) && one.role === 'assistant' && textIn(one.content));
  return last && { kind: 'request', text: textIn(last.content) as string, ...toolsText(tools) };
}

function textIn(content: unknown): string | undefined {
  if (typeof content === 'string') return content === '' ? undefined : content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) =>
    isObject(part) && typeof part.text === 'string' ? [part.text] : [],
  );
  return texts.length > 0 ? texts.join('') : undefined;
}

function toolsText(tools: unknown): { tools?: string } {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const declared = tools.map((tool: unknown) =>
    isObject(tool) && isObject(tool.source) ? tool.source : tool,
  );
  try {
    acceptTools(declared);
    return { tools: JSON.stringify(declared, null, 2) };
  } catch {
    return {};
  }
}

/** Members of log records that hold an answer or its text. */
const holders = [
  'response',
  'output',
  'completion',
  'generated_text',
  'answer',
  'body',
  'result',
  'content',
  'text',
];

/** The first line of a log with an answer in it. */
function fromLines(text: string): Unwrapped | undefined {
  const lines = text.split('\n');
  const values = lines.map((line) => (line.trim() === '' ? undefined : parsed(line)));
  const stream = values.filter((one) => one !== undefined);
  if (stream.length < lines.filter((line) => line.trim() !== '').length || stream.length === 0)
    return undefined;
  const whole = fromEvents(stream);
  if (whole) return whole;
  for (const [at, value] of values.entries()) {
    const found = fromRecord(value, 3);
    if (found) return 'text' in found ? { ...found, line: at + 1 } : found;
  }
  return undefined;
}

function fromRecord(value: unknown, depth: number): Unwrapped | undefined {
  const found = isObject(value) ? fromValue(value) : undefined;
  if (found || !isObject(value) || depth === 0) return found;
  for (const name of holders) {
    const inner = value[name];
    if (typeof inner === 'string' && inner !== '') return unwrap(inner) ?? { kind: 'text', text: inner };
    const deeper = fromRecord(inner, depth - 1);
    if (deeper) return deeper;
  }
  return undefined;
}
