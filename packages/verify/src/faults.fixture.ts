// Faults of endpoints, one value each, with the checks that name them.

import type { AnswerEvent, Message, ModelRequest } from '@dragoman/core';
import type { ApiName } from '@dragoman/core/wire';
import {
  before,
  type ChangeEvents,
  callsIn,
  ended,
  has,
  ignores,
  isCall,
  leaked,
  mapCalls,
  mapInput,
  refuse,
  spelled,
  withCalls,
} from './answer-events.fixture.js';
import { eachArguments, eachFinish, eachId, eachUsage, oneWay } from './any-api.fixture.js';
import type { CheckId } from './check.js';
import type { Fault } from './stand-in.fixture.js';

export interface NamedFault extends Fault {
  fails: CheckId[];
  /** The APIs that have words for it. Absent: all. */
  by?: readonly ApiName[];
  /** Only such answers can have it. Absent: both. */
  only?: 'stream' | 'whole';
  /** The checks that fail if only streams have it, where those are others. */
  streamed?: CheckId[];
}

const isPlain = (events: readonly AnswerEvent[]) => !events.some(isCall);

/** Changes the pieces of text. */
const eachText = (change: (text: string, at: number) => string): ChangeEvents => {
  return (events) => {
    let at = 0;
    return events.flatMap((event): AnswerEvent[] => {
      if (event.type !== 'text-delta') return [event];
      const text = change(event.text, at++);
      return text === '' ? [] : [{ ...event, text }];
    });
  };
};

const textIn = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

const without = (
  request: ModelRequest,
  isLeft: (message: Message, at: number, all: Message[]) => boolean,
): ModelRequest => {
  const { conversation } = request;
  return { ...request, conversation: { ...conversation, messages: conversation.messages.filter(isLeft) } };
};

/** The Responses API ends answers with and without calls alike. */
const WORDS_FOR_CALLS: readonly ApiName[] = ['openai-chat', 'anthropic-messages'];

export const faults: Record<string, NamedFault> = {
  ...Object.fromEntries(
    [
      'hermes',
      'qwen3-coder',
      'glm-4.5',
      'kimi-k2',
      'mistral',
      'deepseek-v3.1',
      'llama3-json',
      'minimax-m2',
      'pythonic',
      'harmony',
    ].map((name) => [`calls are left in the text in ${name}`, { fails: ['call-leak'], ...leaked(name) }]),
  ),
  'calls are left in the reasoning': { fails: ['call-leak'], ...leaked('hermes', 'reasoning-delta') },
  'calls lose their special tokens': {
    ...leaked('kimi-k2', 'text-delta', (text) => text.replace(/<\|[a-z_]+\|>/g, '')),
    fails: ['special-tokens-stripped'],
  },
  'calls of a bare name lose their special tokens': {
    ...leaked('mistral', 'text-delta', (text) => text.replace(/\[[A-Z_]+\]/g, '')),
    fails: ['special-tokens-stripped'],
  },
  'arguments lose special tokens': {
    fails: ['special-tokens-stripped'],
    events: mapInput((text) => text.replace(/<\|[a-z_]+\|>|\[TOOL_CALLS\]/g, '')),
  },
  'arguments are cut': {
    fails: ['arguments-json'],
    // Whole messages of Anthropic have values.
    by: ['openai-chat', 'openai-responses'],
    ...oneWay(
      eachArguments((text) => text.slice(0, -1)),
      false,
    ),
    events: (events, { stream }) =>
      stream ? mapCalls((call) => ({ ...call, raw: call.raw.slice(0, -1) }))(events) : events,
  },
  'numbers become strings': {
    fails: ['arguments-schema'],
    events: mapCalls((call) => ({ ...call, raw: call.raw.replace(/: ?(-?\d[\d.]*)([,}])/g, ':"$1"$2') })),
  },
  'a required argument is missing': {
    fails: ['arguments-schema'],
    events: mapCalls((call) => ({ ...call, raw: '{}' })),
  },
  'backslashes are doubled': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('\\', '\\\\')),
  },
  'line breaks are lost': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('\n', ' ')),
  },
  'texts lose the spaces before them': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.trimStart()),
  },
  'texts are trimmed': { fails: ['arguments-exact'], events: mapInput((text) => text.trim()) },
  'entities are decoded': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('&lt;', '<')),
  },
  'zeros are lost': { fails: ['arguments-exact'], events: mapInput((text) => (text === '007' ? '7' : text)) },
  'large numbers become infinite': {
    fails: ['arguments-exact'],
    events: mapInput((text) => (text === '1e400' ? 'Infinity' : text)),
  },
  'emoji are broken': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replace(/[\u{1f000}-\u{1ffff}]/gu, '\ufffd')),
  },
  'text ends at a marker': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.split('</tool_call>')[0] ?? ''),
  },
  'thoughts are cut out of arguments': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replace(/<think>.*<\/think>/s, '')),
  },
  'numbers are rounded': {
    fails: ['arguments-exact'],
    events: mapCalls((call) => ({ ...call, raw: call.raw.replace(/(\d)\.\d+/g, '$1') })),
  },
  'lists get an item': {
    fails: ['arguments-exact'],
    events: mapCalls((call) => {
      const input = JSON.parse(call.raw || '{}');
      if (Array.isArray(input.dishes)) input.dishes = [...input.dishes, 'water'];
      return { ...call, raw: JSON.stringify(input) };
    }),
  },
  'arguments are encoded twice': {
    fails: ['arguments-json'],
    only: 'whole',
    by: ['openai-chat'],
    json: (value, streamed) => {
      if (streamed) return value;
      for (const { function: called } of value.choices?.[0]?.message?.tool_calls ?? [])
        called.arguments = JSON.stringify(called.arguments);
      return value;
    },
  },
  'arguments are values': {
    fails: ['arguments-json'],
    only: 'whole',
    by: ['openai-chat'],
    json: (value, streamed) => {
      if (streamed) return value;
      for (const { function: called } of value.choices?.[0]?.message?.tool_calls ?? [])
        called.arguments = JSON.parse(called.arguments);
      return value;
    },
  },
  'every call comes twice': {
    fails: ['calls-tool'],
    streamed: ['stream-equals-whole'],
    events: (events) =>
      withCalls(
        events,
        callsIn(events).flatMap((call) => [call, { ...call, id: `${call.id}b` }]),
      ),
  },
  'the finish reason is missing': { fails: ['finish-reason'], ...eachFinish(() => undefined) },
  'the finish reason is length': {
    fails: ['finish-reason'],
    by: WORDS_FOR_CALLS,
    ...eachFinish((word) => ({ tool_calls: 'length', tool_use: 'max_tokens' })[word] ?? word),
  },
  'calls are there twice, also as text': {
    fails: ['call-leak'],
    events: (events, request) => {
      const calls = callsIn(events);
      return calls.length === 0
        ? events
        : [{ type: 'text-delta', text: spelled('hermes', calls, request) }, ...events];
    },
  },
  'names have a prefix': {
    fails: ['unknown-tool'],
    events: mapCalls((call) => ({ ...call, name: `functions.${call.name}` })),
  },
  'all calls have one id': { fails: ['ids-unique'], ...eachId(() => 'call_1') },
  'calls have no id': { fails: ['ids-unique'], ...eachId(() => undefined) },
  'ids are empty': { fails: ['ids-unique'], ...eachId(() => '') },
  'the finish reason is stop after calls': {
    fails: ['finish-reason'],
    by: WORDS_FOR_CALLS,
    ...eachFinish((word) => ({ tool_calls: 'stop', tool_use: 'end_turn' })[word] ?? word),
  },
  'the finish reason is that of calls after text': {
    fails: ['finish-reason'],
    by: WORDS_FOR_CALLS,
    ...eachFinish((word) => ({ stop: 'tool_calls', end_turn: 'tool_use' })[word] ?? word),
  },
  'the finish reason is in capitals': {
    fails: ['finish-reason'],
    by: WORDS_FOR_CALLS,
    ...eachFinish((word) => word.toUpperCase()),
  },
  'answers at the limit end as others do': {
    fails: ['finish-reason'],
    events: (events) =>
      events.some(({ type }) => type === 'finish') && !events.some(isCall) ? ended(events, 'stop') : events,
  },
  'the limit of tokens is ignored': {
    fails: ['finish-reason'],
    request: ({ settings: { maxTokens: _, ...settings }, ...request }) => ({ ...request, settings }),
  },
  'the second call is lost when it streams': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) => withCalls(events, callsIn(events).slice(0, stream ? 1 : undefined)),
  },
  'calls are lost when it streams': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) =>
      stream && callsIn(events).length > 0 ? ended(withCalls(events, []), 'stop').concat() : events,
  },
  'the second call is always lost': {
    fails: ['parallel-calls'],
    streamed: ['stream-equals-whole'],
    events: (events) => withCalls(events, callsIn(events).slice(0, 1)),
  },
  'arguments come in one piece': {
    fails: ['arguments-stream'],
    only: 'stream',
    events: (events) => withCalls(events, callsIn(events), 1_000_000),
  },
  'streams are refused': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    request: (request) => (request.stream ? refuse(400, 'streams are not supported') : request),
  },
  'streams come whole': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    neverStreams: true,
    events: (events) => events,
  },
  'streams break off': {
    fails: ['stream-order'],
    only: 'stream',
    text: (text, streamed) =>
      streamed
        ? text
            .split(/(?<=\n\n)/)
            .slice(0, -3)
            .join('')
        : text,
  },
  'streams have no [DONE]': {
    fails: ['stream-order'],
    only: 'stream',
    by: ['openai-chat'],
    text: (text) => text.replace('data: [DONE]\n\n', ''),
  },
  'all calls have the index 0': {
    fails: ['stream-order'],
    only: 'stream',
    by: ['openai-chat'],
    json: (value, streamed) => {
      for (const call of (streamed && value.choices?.[0]?.delta?.tool_calls) || []) call.index = 0;
      return value;
    },
  },
  'results get a 500': {
    fails: ['result-accepted'],
    request: (request) => (has(request, ({ role }) => role === 'tool') ? refuse(500, 'oops') : request),
  },
  'results do not reach the model': {
    fails: ['result-accepted'],
    request: (request) => {
      const messages = request.conversation.messages.map(
        (message): Message =>
          message.role === 'tool'
            ? {
                ...message,
                parts: message.parts.map(({ extra: _, ...part }) => ({ ...part, output: 'Done.' })),
              }
            : message,
      );
      return { ...request, conversation: { ...request.conversation, messages } };
    },
  },
  'calls beside text are refused': {
    fails: ['history-tolerant'],
    request: (request) =>
      has(request, ({ role, parts }) => role === 'assistant' && parts.length > 1 && parts[0]?.type === 'text')
        ? refuse(400, 'content must be null beside tool calls')
        : request,
  },
  'past calls of other tools are refused': {
    fails: ['history-tolerant'],
    request: (request) =>
      has(request, ({ parts }) =>
        parts.some((part) => part.type === 'tool-call' && part.name === 'read_calendar'),
      )
        ? refuse(400, 'unknown tool')
        : request,
  },
  'two users in a row are refused': {
    fails: ['history-tolerant'],
    by: ['openai-chat'],
    request: (request) =>
      has(request, ({ role }, at, list) => role === 'user' && list[at + 1]?.role === 'user')
        ? refuse(400, 'roles must alternate')
        : request,
  },
  'system messages are refused': {
    fails: ['system-order'],
    request: (request) =>
      has(request, ({ role }) => role === 'system') ? refuse(400, 'no system role') : request,
  },
  'late system messages are refused': {
    fails: ['system-order'],
    by: ['openai-chat'],
    request: (request) =>
      has(request, ({ role }, at) => role === 'system' && at > 1)
        ? refuse(400, 'system must be first')
        : request,
  },
  'a thought is left in the text': {
    fails: ['reasoning-leak'],
    events: (events) =>
      before(events, events.some(isCall) ? [] : [{ type: 'text-delta', text: '<think>Hm.</think>' }]),
  },
  'the end of a thought is left in the text': {
    fails: ['reasoning-leak'],
    events: (events) =>
      before(events, events.some(isCall) ? [] : [{ type: 'text-delta', text: '\n</think>\n' }]),
  },
  'tool choice none is ignored': { fails: ['tool-choice-none'], request: ignores('none') },
  'tool choice required is ignored': { fails: ['tool-choice-required'], request: ignores('required') },
  'a named tool choice is ignored': { fails: ['tool-choice-named'], request: ignores('named') },
  'a tool is always called': {
    fails: ['no-call-when-none-fits'],
    request: (request) => {
      const { conversation } = request;
      const last = conversation.messages.at(-1);
      if (conversation.tools.length === 0 || conversation.toolChoice !== 'auto' || last?.role === 'tool')
        return request;
      return { ...request, conversation: { ...conversation, toolChoice: 'required' } };
    },
  },
  'no tool is ever called': {
    fails: ['calls-tool'],
    streamed: ['stream-equals-whole'],
    events: (events) =>
      events.some(isCall)
        ? ended(
            before(
              events.filter((event) => !isCall(event)),
              [{ type: 'text-delta', text: 'I would rather not.' }],
            ),
            'stop',
          )
        : events,
  },
  'questions without tools are refused': {
    fails: ['answers'],
    streamed: ['stream-equals-whole'],
    request: (request) =>
      request.conversation.tools.length === 0 ? refuse(400, 'tools are missing') : request,
  },
  'tools are refused': {
    fails: ['calls-tool'],
    streamed: ['stream-equals-whole'],
    request: (request) =>
      request.conversation.tools.length > 0 ? refuse(400, 'this model has no tools') : request,
  },
  'the format is ignored': {
    fails: ['structured-output'],
    request: ({ format: _, extra, ...request }) => {
      const { response_format: _a, text: _b, output_config: _c, ...rest } = extra ?? {};
      return { ...request, extra: rest };
    },
  },
  'usage is missing': {
    fails: ['usage'],
    json: ({ usage: _, ...value }) => {
      if (value.message) delete value.message.usage;
      if (value.response) delete value.response.usage;
      return value;
    },
  },
  'usage is zero': {
    fails: ['usage'],
    ...eachUsage((usage) =>
      Object.fromEntries(Object.entries(usage).map(([key, one]) => [key, typeof one === 'number' ? 0 : one])),
    ),
  },
  'more tokens are cached than were sent': {
    fails: ['prefix-cache'],
    by: ['openai-chat'],
    json: (value) =>
      value.usage
        ? { ...value, usage: { ...value.usage, prompt_tokens_details: { cached_tokens: 10_000_000 } } }
        : value,
  },
  'bad requests get a 500': {
    fails: ['errors'],
    other: (status, body) => ({ status: status >= 400 ? 500 : status, body }),
  },
  'bad requests get a 200': { fails: ['errors'], other: (_, body) => ({ status: 200, body }) },
  'errors are plain text': {
    fails: ['errors'],
    other: (status, body) =>
      status >= 400 ? { status, body: 'Bad Request', type: 'text/plain' } : { status, body },
  },
  'the list of models has no ids': {
    fails: ['models'],
    other: (status, body, path) => ({ status, body: path === '/models' ? '{"models": ["demo"]}' : body }),
  },
  'answers are empty': {
    fails: ['answers'],
    streamed: ['stream-equals-whole'],
    events: (events) => events.filter(({ type }) => type !== 'text-delta'),
  },
  // --- streams
  'streams lose their text': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) => (stream ? eachText(() => '')(events) : events),
  },
  'streams lose their first piece of text': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) => (stream ? eachText((text, at) => (at > 0 ? text : ''))(events) : events),
  },
  'streams say their text twice': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) =>
      stream && isPlain(events) && textIn(events) !== ''
        ? before(events, [{ type: 'text-delta', text: textIn(events) }])
        : events,
  },
  'streams lose spaces': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) => (stream ? eachText((text) => text.trim())(events) : events),
  },
  'streams break letters of several bytes': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    text: (text, streamed) =>
      streamed ? text.replace(/\P{ASCII}/gu, '\ufffd').replace('I am', 'I\ufffdam') : text,
  },
  'arguments change when it streams': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    events: (events, { stream }) =>
      stream ? mapCalls((call) => ({ ...call, raw: call.raw.replaceAll('3', '4') }))(events) : events,
  },
  'streams break off within calls': {
    fails: ['stream-order'],
    only: 'stream',
    text: (text, streamed) =>
      streamed && /tool_calls|tool_use|function_call/.test(text)
        ? text.slice(0, Math.floor(text.length * 0.6))
        : text,
  },
  'streams have the media type of JSON': {
    fails: ['stream-order'],
    only: 'stream',
    type: 'application/json',
  },
  // --- shapes
  'answers are within another object': {
    fails: ['answers'],
    only: 'whole',
    json: (value, streamed) => (streamed ? value : { code: 0, data: value }),
  },
  'whole answers come as a stream': {
    fails: ['answers'],
    only: 'whole',
    text: (text, streamed) => (streamed ? text : `data: ${text}\n\ndata: [DONE]\n\n`),
  },
  'objects within arguments are texts': {
    fails: ['arguments-schema'],
    events: mapCalls((call) => {
      const input = JSON.parse(call.raw || '{}');
      for (const key of Object.keys(input))
        if (typeof input[key] === 'object') input[key] = JSON.stringify(input[key]);
      return { ...call, raw: JSON.stringify(input) };
    }),
  },
  'arguments have entities': {
    fails: ['arguments-exact'],
    events: mapInput((text) => text.replaceAll('<', '&lt;')),
  },
  'arguments are in another encoding': {
    fails: ['arguments-exact'],
    events: mapInput((text) =>
      Buffer.from(text, 'utf8')
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, '?'),
    ),
  },
  'texts end with a special token': {
    fails: ['special-tokens-stripped'],
    events: (events) =>
      textIn(events) === '' ? events : before(events, [{ type: 'text-delta', text: '<|im_end|>' }]),
  },
  'structured output is in a fence': {
    fails: ['structured-output'],
    events: (events, { format }) =>
      format
        ? [
            { type: 'text-delta', text: '```json\n' },
            ...before(events, [{ type: 'text-delta', text: '\n```' }]),
          ]
        : events,
  },
  'a thought stands before calls': {
    fails: ['reasoning-leak'],
    events: (events) =>
      isPlain(events) ? events : [{ type: 'text-delta', text: '<think>I call it.</think>' }, ...events],
  },
  // --- conversations
  'only the first tool reaches the model': {
    fails: ['calls-tool'],
    streamed: ['stream-equals-whole'],
    request: ({ conversation, ...request }) => ({
      ...request,
      conversation: { ...conversation, tools: conversation.tools.slice(0, 1) },
    }),
  },
  'results are left out of the conversation': {
    fails: ['result-accepted'],
    request: (request) =>
      without(
        request,
        ({ role, parts }) => role !== 'tool' && !parts.some(({ type }) => type === 'tool-call'),
      ),
  },
  'only the last message reaches the model': {
    fails: ['result-accepted'],
    // The other APIs have all results in one message.
    by: ['openai-chat'],
    request: (request) => without(request, ({ role }, at, all) => role === 'system' || at === all.length - 1),
  },
};
