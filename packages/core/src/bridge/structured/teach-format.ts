// Teaches a model by its prompt that its answer is to be JSON. The text ends the system message, and depends on the
// format alone, so that prompt caches hold.

import type { AnswerFormat, Message, ModelRequest } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';
import { refusesFormats } from './format-refusals.js';

type Language = 'en' | 'zh';

interface FormatWords {
  title: string;
  schema: string;
  object: string;
  bare: string;
  named(name: string): string;
  calls: string;
}

const words: Record<Language, FormatWords> = {
  en: {
    title: '# Answer format',
    schema: 'Your answer must be JSON that fits this JSON Schema:',
    object: 'Your answer must be one JSON object.',
    bare: 'Write the JSON alone: no other text before or after it, and no code fence.',
    named: (name) => `The answer is called ${name}.`,
    calls:
      'This holds for your answer, not for tool calls: to call a tool, write the call as always and no JSON answer.',
  },
  zh: {
    title: '# 回答格式',
    schema: '你的回答必须是符合以下 JSON Schema 的 JSON：',
    object: '你的回答必须是一个 JSON 对象。',
    bare: '只写 JSON：前后不要有其他文字，也不要用代码块。',
    named: (name) => `这个回答名为 ${name}。`,
    calls: '这只适用于你的回答，不适用于工具调用：要调用工具时，照常写调用，不要写 JSON 回答。',
  },
};

/** Says what the answer must be. */
export function formatText(format: AnswerFormat, language: Language = 'en'): string {
  const { schema, object, bare, named } = words[language];
  if (format.type === 'json') return `${object} ${bare}`;
  const { name, description } = format;
  const about = [...(name ? [named(name)] : []), ...(description ? [description] : [])];
  return [...about, schema, JSON.stringify(format.schema), bare].join('\n');
}

/** Gives the messages with the format at the end of the first system message; a client's tools may still be called. */
export function withFormatText(
  messages: Message[],
  { format, conversation: { tools, toolChoice } }: ModelRequest,
  language: Language = 'en',
): Message[] {
  if (!format) return messages;
  const { title, calls } = words[language];
  const offers = tools.length > 0 && toolChoice !== 'none';
  const text = [title, formatText(format, language), ...(offers ? [calls] : [])].join('\n\n');
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = first < 0 ? messages.length : first;
  const last = messages[leading - 1];
  if (last?.role !== 'system') return [{ role: 'system', parts: [{ type: 'text', text }] }, ...messages];
  const taught = { ...last, parts: [...last.parts, { type: 'text' as const, text: `\n\n${text}` }] };
  return [...messages.slice(0, leading - 1), taught, ...messages.slice(leading)];
}

/** Whether the upstream takes this format in the words of its API. */
export function takesFormat(request: ModelRequest, upstream: Upstream): boolean {
  const { formats = [] } = upstream;
  return (
    request.format !== undefined &&
    formats.includes(request.format.type) &&
    !refusesFormats(upstream, request)
  );
}

/** Gives the request as it is for an upstream that can be asked for this format; others are taught it by the prompt. */
export function askedInWords(request: ModelRequest, upstream: Upstream, language?: Language): ModelRequest {
  const { format, ...rest } = request;
  if (!format || takesFormat(request, upstream)) return request;
  const { conversation } = request;
  const messages = withFormatText(conversation.messages, request, language);
  return { ...rest, conversation: { ...conversation, messages } };
}
