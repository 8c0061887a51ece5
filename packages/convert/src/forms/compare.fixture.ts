// Writes a conversation as JSON text, without what a set of loss codes names. Two conversations are equal except for
// these losses exactly if their texts are equal.

import {
  type AssistantMessage,
  type Conversation,
  type Extra,
  exactSchema,
  type Message,
  parseExact,
  readMedia,
  stringifyJson,
  type Tool,
  type ToolResult,
} from '@dragoman/core/internal';

import { exactInput } from './call-input.js';
import type { Transcript } from './form.js';

type Codes = ReadonlySet<string>;
type Part = Message['parts'][number];

export function saidBy({ conversation, rest }: Transcript, codes: Codes): string {
  const { messages, tools, toolChoice } = conversation;
  const said = {
    messages: withoutBounds(messages, codes).map((message) => saidMessage(message, conversation, codes)),
    tools: codes.has('tools') ? [] : tools.map((tool) => saidTool(tool, codes)),
    toolChoice: codes.has('tool-choice') ? null : toolChoice,
    rest: stringifyJson(
      rest.map(([key, value]) => [key, value]),
      'compact',
    ),
  };
  return JSON.stringify(said);
}

/** Joins the results of neighbouring messages; joins neighbours of one role only where their borders are lost. */
function withoutBounds(messages: readonly Message[], codes: Codes): Message[] {
  const out: Message[] = [];
  for (const message of messages) {
    const role = message.role === 'system' && codes.has('roles') ? 'user' : message.role;
    const last = out.at(-1);
    const joins = last?.role === role && (role === 'tool' || codes.has('message-bounds'));
    if (joins) last.parts = [...last.parts, ...message.parts] as never;
    else out.push({ ...message, role, parts: [...message.parts] } as Message);
  }
  return out;
}

function saidMessage(message: Message, conversation: Conversation, codes: Codes): unknown {
  const parts = ordered(message, conversation, codes).filter((part) => !isErased(part, codes));
  return {
    role: message.role,
    parts: parts.map((part) => saidPart(part, codes)),
    ...saidExtra(message.extra, codes, message.role === 'tool' ? ['name'] : []),
  };
}

function isErased(part: Part, codes: Codes): boolean {
  if (part.type === 'media') return codes.has('media');
  if (part.type === 'reasoning' && codes.has('reasoning')) return true;
  return (part.type === 'text' || part.type === 'reasoning') && part.text === '' && part.extra === undefined;
}

function ordered(message: Message, conversation: Conversation, codes: Codes): Part[] {
  if (message.role === 'tool' && codes.has('call-ids')) return inCallOrder(message.parts, conversation);
  let parts: Part[] = message.parts;
  if (message.role === 'assistant' && codes.has('text-after-calls')) {
    parts = withTextFirst(parts);
  }
  if (!codes.has('part-order') || message.role === 'tool') return parts;
  // The place of text among the calls is another loss.
  const first = parts.findIndex((part) => part.type === 'tool-call');
  const calls = first < 0 ? parts.length : first;
  return [
    ...joined(parts, 'reasoning'),
    ...joined(parts.slice(0, calls), 'text'),
    ...parts.filter((part) => part.type === 'media' || part.type === 'tool-call'),
    ...joined(parts.slice(calls), 'text'),
  ];
}

/** Moves text after the first call before it; reasoning stays, because its order is another loss. */
function withTextFirst(parts: readonly Part[]): Part[] {
  const first = parts.findIndex((part) => part.type === 'tool-call');
  if (first < 0) return [...parts];
  const behind = parts.slice(first);
  return [
    ...parts.slice(0, first),
    ...behind.filter((part) => part.type === 'text'),
    ...behind.filter((part) => part.type !== 'text'),
  ];
}

/** Joins all parts of a type into one, whatever comes between them. */
function joined(parts: readonly Part[], type: 'text' | 'reasoning'): Part[] {
  const texts = parts.filter((part) => part.type === type).map((part) => (part as { text: string }).text);
  return texts.length === 0 ? [] : [{ type, text: texts.join('').replaceAll('\n', '') }];
}

function inCallOrder(results: readonly ToolResult[], { messages }: Conversation): ToolResult[] {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? callsOf(message).map((call) => call.id) : [],
  );
  const place = ({ callId }: ToolResult) => (ids.includes(callId) ? ids.indexOf(callId) : ids.length);
  return [...results].sort((one, other) => place(one) - place(other));
}

function callsOf({ parts }: AssistantMessage) {
  return parts.filter((part) => part.type === 'tool-call');
}

function saidPart(part: Part, codes: Codes): unknown {
  switch (part.type) {
    case 'tool-call': {
      const { name, extra } = part;
      const input = codes.has('call-values') ? '' : stringifyJson(exactInput(part), 'compact');
      return { type: part.type, id: idOf(part.id, codes), name, input, ...saidExtra(extra, codes) };
    }
    case 'tool-result':
      return saidResult(part, codes);
    case 'media':
      return { type: 'media', media: readMedia(part.media) ?? part.media, ...saidExtra(part.extra, codes) };
    default: {
      const aside = part.type === 'text' && part.aside === true && !codes.has('text-after-calls');
      return { type: part.type, text: part.text, aside, ...saidExtra(part.extra, codes) };
    }
  }
}

function idOf(id: string, codes: Codes): string {
  return codes.has('call-ids') ? '' : id;
}

function saidResult({ callId, name, output, isError, extra }: ToolResult, codes: Codes): unknown {
  const { content, ...others } = extra ?? {};
  const blocks = Array.isArray(content) ? content : [];
  return {
    type: 'tool-result',
    id: idOf(callId, codes),
    name: codes.has('result-names') ? '' : name,
    output: codes.has('result-values') ? valueText(output) : output,
    isError: isError === true && !codes.has('result-errors'),
    media: codes.has('media') ? [] : blocks.filter((block) => block.type !== 'text'),
    texts: codes.has('extra') ? 0 : blocks.length,
    ...saidExtra(others, codes),
  };
}

/** Gives the same text for a value and its JSON text, whatever its spacing; and for no output and `{}`. */
function valueText(output: ToolResult['output']): string {
  if (output === '') return '{}';
  if (typeof output !== 'string') return stringifyJson(output, 'compact');
  try {
    return stringifyJson(parseExact(output), 'compact');
  } catch {
    return output;
  }
}

function saidTool(tool: Tool, codes: Codes): unknown {
  const schema = exactSchema(tool);
  return {
    name: tool.name,
    description: tool.description,
    parameters: schema === undefined ? null : stringifyJson(schema, 'compact'),
    ...saidExtra(tool.extra, codes),
  };
}

function saidExtra(extra: Extra | undefined, codes: Codes, ignored: string[] = []): { extra?: unknown } {
  const said = Object.entries(extra ?? {}).filter(
    ([key, value]) => value !== null && !key.startsWith('dragoman:') && !ignored.includes(key),
  );
  return codes.has('extra') || said.length === 0 ? {} : { extra: said };
}
