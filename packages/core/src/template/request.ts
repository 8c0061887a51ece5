// Turns a request into the messages that transformers gives to a template: OpenAI's keys, arguments as an object.

import { callsOf, reasoningOf, resultText, textOf } from '../engine/message-text.js';
import {
  type AssistantMessage,
  acceptConversation,
  type Conversation,
  ExactNumber,
  isObject,
  type Message,
  parseExact,
  type Tool,
  type ToolCall,
  UsageError,
} from '../model/index.js';
import { Digits, type Value } from './python.js';

export interface TemplateInput {
  messages: Value;
  /** None if there are no tools, or if `tool_choice` is `none`. */
  tools: Value;
}

/** Reads an OpenAI chat request directly; a Conversation or another API's request through `acceptConversation`. */
export function readRequest(request: unknown): TemplateInput {
  const fields = toValue(Array.isArray(request) ? { messages: request } : request, 'request');
  if (!(fields instanceof Map) || !Array.isArray(fields.get('messages'))) {
    throw new UsageError('bad-conversation', 'must be a request with messages', 'request');
  }
  if (isForeign(fields)) return readConversation(acceptConversation(request));
  const messages = (fields.get('messages') as Value[]).map((message, at) =>
    openaiMessage(message, `messages[${at}]`),
  );
  const tools = fields.get('tools');
  const shown = fields.get('tool_choice') !== 'none' && Array.isArray(tools) && tools.length > 0;
  return { messages, tools: shown ? tools : null };
}

/** Whether the request is a Conversation, or has parts of Anthropic's API or the AI SDK, which no template knows. */
function isForeign(fields: ReadonlyMap<Value, Value>): boolean {
  const types = ['tool_use', 'tool_result', 'thinking', 'tool-call', 'tool-result', 'reasoning'];
  const messages = fields.get('messages') as Value[];
  return (
    messages.some((message) => {
      if (!(message instanceof Map)) return false;
      if (Array.isArray(message.get('parts'))) return true;
      const content = message.get('content');
      const parts = Array.isArray(content) ? content : [];
      return parts.some((part) => part instanceof Map && types.includes(part.get('type') as string));
    }) ||
    (fields.has('system') && fields.get('system') !== null)
  );
}

function openaiMessage(message: Value, path: string): Value {
  if (!(message instanceof Map)) throw new UsageError('bad-conversation', 'must be a message', path);
  const out = new Map(message);
  // `content: null` means no text in the API, but a template would print None.
  if (out.get('content') === null || (out.get('role') === 'assistant' && !out.has('content')))
    out.set('content', '');
  const calls = out.get('tool_calls');
  if (Array.isArray(calls))
    out.set(
      'tool_calls',
      calls.map((call, at) => openaiCall(call, `${path}.tool_calls[${at}]`)),
    );
  return out;
}

function openaiCall(call: Value, path: string): Value {
  if (!(call instanceof Map)) return call;
  const inner = call.get('function');
  if (inner instanceof Map) return new Map(call).set('function', withArguments(inner, `${path}.function`));
  return withArguments(call, path);
}

function withArguments(call: Map<Value, Value>, path: string): Value {
  const text = call.get('arguments');
  if (typeof text !== 'string') return call;
  if (text.trim() === '') return new Map(call).set('arguments', new Map());
  return new Map(call).set('arguments', parseArguments(text, `${path}.arguments`));
}

function parseArguments(text: string, path: string): Value {
  try {
    return toValue(parseExact(text), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('bad-conversation', `is not JSON (${(error as Error).message})`, path);
  }
}

function readConversation(conversation: Conversation): TemplateInput {
  const shown = conversation.toolChoice === 'none' ? [] : conversation.tools;
  const messages = conversation.messages.flatMap(fromMessage);
  return {
    messages: toValue(messages, 'messages', asWritten),
    tools: shown.length > 0 ? toValue(shown.map(fromTool), 'tools', asWritten) : null,
  };
}

function fromMessage(message: Message): unknown[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: textOf(message) }];
    case 'user': {
      const plain = message.parts.every((part) => part.type === 'text');
      const parts = message.parts.map((part) =>
        part.type === 'text' ? { type: 'text', text: part.text } : part.media,
      );
      return [{ role: 'user', content: plain ? textOf(message) : parts }];
    }
    case 'assistant':
      return [fromAssistant(message)];
    case 'tool':
      return message.parts.map((result) => ({
        role: 'tool',
        tool_call_id: result.callId,
        ...(result.name !== undefined && { name: result.name }),
        content: resultText(result),
      }));
  }
}

function fromAssistant(message: AssistantMessage): unknown {
  const reasoning = reasoningOf(message);
  const calls = callsOf(message);
  return {
    role: 'assistant',
    content: textOf(message),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(fromCall) }),
  };
}

function fromCall({ id, name, input, raw }: ToolCall): unknown {
  const exact = raw === undefined ? input : parseExact(raw);
  return {
    id,
    type: 'function',
    function: new Map<string, unknown>([
      ['name', name],
      ['arguments', exact],
    ]),
  };
}

function fromTool(tool: Tool): unknown {
  if (tool.source !== undefined) return tool.source;
  const { name, description, parameters } = tool;
  return { type: 'function', function: { name, description, parameters } };
}

/** Gives the size of a value: its characters, plus a constant for each value in it. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length + 8;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 8);
  if (!(value instanceof Map)) return 8;
  let size = 8;
  for (const [key, item] of value) size += sizeOf(key) + sizeOf(item);
  return size;
}

/** The most digits of an integer, as in Python. */
const MOST_DIGITS = 4300;

type ReadNumber = (text: string, path: string) => Value;

/** Converts a JavaScript value as if Python had read it from JSON. Lone surrogates become U+FFFD. */
export function toValue(value: unknown, path: string, readNumber: ReadNumber = asPython): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return fromNumber(value);
  if (value instanceof ExactNumber) return readNumber(value.text, path);
  if (Array.isArray(value))
    return value.map((item, at) => toValue(item ?? null, `${path}[${at}]`, readNumber));
  if (!isObject(value)) throw new UsageError('bad-conversation', `cannot be ${typeof value}`, path);
  const map = new Map<Value, Value>();
  for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
    const name = String(key).toWellFormed();
    if (item !== undefined) map.set(name, toValue(item, `${path}.${name}`, readNumber));
  }
  return map;
}

/** Converts a number: what JSON writes without a point or an exponent is an int in Python. */
function fromNumber(value: number): Value {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value) : value;
}

/** Reads a number of a request as transformers would: Python prints 120.50 as 120.5. */
function asPython(text: string, path: string): Value {
  if (!/^-?\d+$/.test(text)) return Number(text);
  if (text.length > MOST_DIGITS) {
    throw new UsageError('bad-conversation', `has more than ${MOST_DIGITS} digits`, path);
  }
  return BigInt(text);
}

/** Reads a number of a Conversation: it keeps its original digits, as in the prompts of the dialects. */
function asWritten(text: string, path: string): Value {
  const value = asPython(text, path);
  return typeof value === 'bigint' && `${value}` === text ? value : new Digits(Number(text), text);
}
