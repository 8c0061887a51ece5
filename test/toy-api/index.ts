// An API that nobody speaks, to prove that a new one is one folder: it streams lines of JSON instead of server-sent
// events, has a header of its own for keys, and calls nothing as the other APIs do.
//
//   POST /toy   {"model": "m", "lines": […], "tools": […], "stream": true}
//   {"piece": "Let me look."}
//   {"begin": "toy_call_1", "tool": "get_weather"}
//   {"of": "toy_call_1", "more": "{\"city\":\"Beijing\"}"}
//   {"done": "toy_call_1"}
//   {"over": "tool-calls", "answer": "toy_1"}

import { type AnswerEvent, ApiError, acceptConversation, type FinishReason } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { Wire } from '@dragoman/core/wire';

export const toyApi = {
  name: 'toy',
  title: 'Toy',
  path: '/toy',
  served: true,
  takes: 'messages',
  impliesTools: false,
  auth: { keyHeader: 'toy-key', headers: { 'toy-version': '1' }, accountHeaders: ['toy-team'] },
  ids: { call: 'toy_call_', answer: 'toy_' },
  // Its streams begin like its whole answers, which are read as a stream of one line.
  stream: { type: 'application/x-ndjson', heartbeat: '\n', begins: () => true },
  state: { members: ['thread'] },
  counts: { path: '/toy/size', encode: (tokens) => ({ size: tokens }) },
  decodeRequest(body) {
    if (!isObject(body)) throw new ApiError('bad-request', 'expected an object');
    const { model, lines, tools = [], stream = false, ...extra } = body;
    if (!Array.isArray(lines)) throw new ApiError('bad-request', 'lines: expected a list', { path: 'lines' });
    return {
      api: 'toy',
      model: String(model),
      conversation: acceptConversation({ messages: lines, tools }),
      settings: {},
      stream: stream === true,
      extra,
    };
  },
  encodeRequest({ model, conversation, stream }) {
    const tools = conversation.tools.map(({ source }) => source);
    return { model, lines: conversation.messages, tools, stream };
  },
  decodeResponse: (body) => readLine(body as Line),
  encodeResponse({ id, choices: [choice] }) {
    const parts = choice?.parts ?? [];
    return {
      piece: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
      calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
      over: choice?.finish,
      answer: id,
    };
  },
  createStreamDecoder() {
    let held = '';
    const take = (text: string): AnswerEvent[] => {
      const lines = (held + text).split('\n');
      held = lines.pop() ?? '';
      return lines.filter((line) => line !== '').flatMap((line) => readLine(JSON.parse(line)));
    };
    return { feed: take, finish: () => take('\n') };
  },
  createStreamEncoder() {
    let answer: string | undefined;
    return {
      encode(event) {
        if (event.type === 'answer-start') answer = event.id;
        const line = lineOf(event, answer);
        return line ? `${JSON.stringify(line)}\n` : '';
      },
      end: () => '',
    };
  },
  encodeError: ({ message }) => ({ status: 418, headers: {}, body: { wrong: message } }),
  decodeError: (status, body) => new ApiError('upstream-refused', body, { status }),
} as const satisfies Wire;

interface Line {
  piece?: string;
  begin?: string;
  tool?: string;
  of?: string;
  more?: string;
  done?: string;
  calls?: { id: string; name: string; input: object }[];
  over?: FinishReason;
  answer?: string | undefined;
  wrong?: string;
}

function lineOf(event: AnswerEvent, answer: string | undefined): Line | undefined {
  if (event.type === 'text-delta') return { piece: event.text };
  if (event.type === 'call-start') return { begin: event.id, tool: event.name };
  if (event.type === 'call-delta') return { of: event.id, more: event.text };
  if (event.type === 'call-end') return { done: event.id };
  if (event.type === 'finish') return { over: event.reason, answer };
  return event.type === 'error' ? { wrong: event.error.message } : undefined;
}

function readLine(line: Line): AnswerEvent[] {
  if (line.wrong !== undefined)
    return [{ type: 'error', error: new ApiError('upstream-failed', line.wrong) }];
  const events: AnswerEvent[] = [];
  if (line.piece) events.push({ type: 'text-delta', text: line.piece });
  if (line.begin !== undefined) events.push({ type: 'call-start', id: line.begin, name: line.tool ?? '' });
  if (line.of !== undefined) events.push({ type: 'call-delta', id: line.of, text: line.more ?? '' });
  if (line.done !== undefined) events.push({ type: 'call-end', id: line.done });
  for (const { id, name, input } of line.calls ?? []) {
    events.push({ type: 'call-start', id, name });
    events.push({ type: 'call-delta', id, text: JSON.stringify(input) }, { type: 'call-end', id });
  }
  if (line.over) events.push({ type: 'finish', reason: line.over });
  return events;
}
