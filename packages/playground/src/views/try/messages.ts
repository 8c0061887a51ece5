// The conversation as the Chat Completions API takes it.

import { acceptTools } from '@dragoman/core';
import { readTools } from '../../reading/index.js';
import type { StreamedAnswer } from './answer.js';
import type { TryState } from './state.js';

export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; reasoning_content?: string; tool_calls?: ChatCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

interface ChatCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type ChatRequest = Omit<TryState, 'question' | 'others'>;

/** Gives the body of a request. Throws a SyntaxError if the tools cannot be read. */
export function toBody({ model, system, tools, messages }: ChatRequest): object {
  const declared = toolList(tools);
  const first = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [...first, ...messages],
    ...(declared.length > 0 && { tools: declared }),
  };
}

/** The tools as a list; those of a record of the AI SDK in the shape of OpenAI. */
function toolList(text: string): unknown[] {
  const read = readTools(text);
  if ('problem' in read) throw new SyntaxError(`The tools cannot be read: ${read.problem.message}.`);
  if (Array.isArray(read.tools)) return read.tools;
  return acceptTools(read.tools).map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
}

/** Gives the answer as a message for the next request. Calls that were cut off are left out: they have no result. */
export function toMessage(answer: StreamedAnswer): ChatMessage {
  const { text, reasoning } = answer;
  const calls = waitsForResults(answer) ? answer.calls : [];
  return {
    role: 'assistant',
    content: text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: json }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: json },
      })),
    }),
  };
}

/** Gives the results as messages, in the order of the calls. */
export function toResults({ calls }: StreamedAnswer, results: readonly string[]): ChatMessage[] {
  return calls.map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: results[at] ?? '' }));
}

/** Whether the model waits for results: calls, and complete ones. */
export function waitsForResults({ calls, finish }: StreamedAnswer): boolean {
  return calls.length > 0 && finish === 'tool_calls';
}
