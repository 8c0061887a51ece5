// Faults of endpoints, one value each, with the checks that name them.

import { type AnswerEvent, all, type Message, type ModelRequest } from '@dragoman/core';
import { Writer } from '@dragoman/core/internal';
import type { CheckId } from './check.js';
import type { Fault } from './stand-in.fixture.js';

export interface NamedFault extends Fault {
  fails: CheckId[];
  /** It is made of the words of the first API, and tried with that alone. */
  onlyChat?: boolean;
}

type Calls = { id: string; name: string; raw: string }[];

/** Takes the calls out of the events. */
function callsIn(events: readonly AnswerEvent[]): Calls {
  const calls: Calls = [];
  for (const event of events) {
    if (event.type === 'call-start') calls.push({ id: event.id, name: event.name, raw: '' });
    else if (event.type === 'call-delta') {
      const call = calls.find(({ id }) => id === event.id);
      if (call) call.raw += event.text;
    }
  }
  return calls;
}

const isCall = ({ type }: AnswerEvent) => type.startsWith('call-');

const SMALL = 12;

/** Puts other calls in the place of those that came, in small pieces or whole. */
function withCalls(events: AnswerEvent[], calls: Calls, pieces = SMALL): AnswerEvent[] {
  const written = calls.flatMap(({ id, name, raw }): AnswerEvent[] => [
    { type: 'call-start', id, name },
    ...(raw.match(new RegExp(`[^]{1,${pieces}}`, 'g')) ?? []).map((text) => ({
      type: 'call-delta' as const,
      id,
      text,
    })),
    { type: 'call-end', id },
  ]);
  return before(
    events.filter((event) => !isCall(event)),
    written,
  );
}

function before(events: AnswerEvent[], more: AnswerEvent[]): AnswerEvent[] {
  const at = events.findIndex(({ type }) => type === 'finish');
  return at < 0 ? [...events, ...more] : [...events.slice(0, at), ...more, ...events.slice(at)];
}

const ended = (events: AnswerEvent[], reason: 'stop' | 'tool-calls'): AnswerEvent[] =>
  events.map((event) => (event.type === 'finish' ? { type: 'finish', reason } : event));

function mapCalls(change: (call: Calls[number], at: number) => Calls[number]): NonNullable<Fault['events']> {
  return (events) => withCalls(events, callsIn(events).map(change));
}

function mapInput(change: (text: string) => string): NonNullable<Fault['events']> {
  return mapCalls((call) => ({ ...call, raw: JSON.stringify(deep(JSON.parse(call.raw || '{}'), change)) }));
}

function deep(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => deep(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, change)]));
}

/** Writes the calls as text, in a dialect. */
function leaked(
  name: string,
  type: 'text-delta' | 'reasoning-delta' = 'text-delta',
  change = (text: string) => text,
): NamedFault {
  return {
    fails: ['call-leak'],
    events(events, request) {
      const calls = callsIn(events);
      if (calls.length === 0) return events;
      const text = change(spelled(name, calls, request));
      return ended(
        before(
          events.filter((event) => !isCall(event)),
          [{ type, text }],
        ),
        'stop',
      );
    },
  };
}

function spelled(name: string, calls: Calls, { conversation }: ModelRequest): string {
  const dialect = all.find(name);
  const out = new Writer(dialect.markers);
  const parts = calls.map((call) => ({
    type: 'tool-call' as const,
    id: call.id,
    name: call.name,
    input: JSON.parse(call.raw || '{}'),
  }));
  dialect.render.calls(out, parts, { tools: conversation.tools, afterText: false });
  return out.text;
}

const has = (
  { conversation }: ModelRequest,
  test: (message: Message, at: number, all: Message[]) => boolean,
) => conversation.messages.some(test);

const refuse = (status: number, message: string) => ({ status, message });

/** Forgets the tool choice, where it is this one. */
function ignores(kind: 'none' | 'required' | 'named'): NonNullable<Fault['request']> {
  return (request) => {
    const { toolChoice } = request.conversation;
    const is = typeof toolChoice === 'object' ? 'named' : toolChoice;
    if (is !== kind) return request;
    const { extra: _, ...rest } = request;
    return { ...rest, conversation: { ...request.conversation, toolChoice: 'auto' } };
  };
}

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
    ].map((name) => [`calls are left in the text in ${name}`, leaked(name)]),
  ),
  'calls are left in the reasoning': leaked('hermes', 'reasoning-delta'),
  'calls lose their special tokens': {
    ...leaked('kimi-k2', 'text-delta', (text) => text.replace(/<\|[a-z_]+\|>/g, '')),
    fails: ['special-tokens-stripped'],
  },
  'arguments lose special tokens': {
    fails: ['special-tokens-stripped'],
    events: mapInput((text) => text.replace(/<\|[a-z_]+\|>|\[TOOL_CALLS\]/g, '')),
  },
  'arguments are cut': {
    fails: ['arguments-json'],
    onlyChat: true,
    json: (value, streamed) => {
      const calls = value.choices?.[0]?.[streamed ? 'delta' : 'message']?.tool_calls ?? [];
      for (const { function: called } of calls) {
        if (called?.arguments?.endsWith('}')) called.arguments = called.arguments.slice(0, -1);
      }
      return value;
    },
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
    onlyChat: true,
    json: (value, streamed) => {
      if (streamed) return value;
      for (const { function: called } of value.choices?.[0]?.message?.tool_calls ?? [])
        called.arguments = JSON.stringify(called.arguments);
      return value;
    },
  },
  'arguments are cut when it streams': {
    fails: ['arguments-json'],
    onlyChat: true,
    json: (value, streamed) => {
      for (const { function: called } of (streamed && value.choices?.[0]?.delta?.tool_calls) || []) {
        if (called?.arguments?.endsWith('}')) called.arguments = called.arguments.slice(0, -1);
      }
      return value;
    },
  },
  'arguments are values': {
    fails: ['arguments-json'],
    onlyChat: true,
    json: (value, streamed) => {
      if (streamed) return value;
      for (const { function: called } of value.choices?.[0]?.message?.tool_calls ?? [])
        called.arguments = JSON.parse(called.arguments);
      return value;
    },
  },
  'every call comes twice': {
    fails: ['calls-tool'],
    events: (events) =>
      withCalls(
        events,
        callsIn(events).flatMap((call) => [call, { ...call, id: `${call.id}b` }]),
      ),
  },
  'the finish reason is missing': {
    fails: ['finish-reason'],
    onlyChat: true,
    json: (value) => {
      for (const choice of value.choices ?? []) choice.finish_reason = null;
      return value;
    },
  },
  'the finish reason is length': {
    fails: ['finish-reason'],
    onlyChat: true,
    json: (value) => {
      for (const choice of value.choices ?? [])
        if (choice.finish_reason === 'tool_calls') choice.finish_reason = 'length';
      return value;
    },
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
  'all calls have one id': {
    fails: ['ids-unique'],
    onlyChat: true,
    json: (value, streamed) => {
      const calls = value.choices?.[0]?.[streamed ? 'delta' : 'message']?.tool_calls ?? [];
      for (const call of calls) if (call.id !== undefined) call.id = 'call_1';
      return value;
    },
  },
  'calls have no id': {
    fails: ['ids-unique'],
    onlyChat: true,
    json: (value, streamed) => {
      const calls = value.choices?.[0]?.[streamed ? 'delta' : 'message']?.tool_calls ?? [];
      for (const call of calls) delete call.id;
      return value;
    },
  },
  'the finish reason is stop after calls': {
    fails: ['finish-reason'],
    onlyChat: true,
    json: (value) => {
      for (const choice of value.choices ?? [])
        if (choice.finish_reason === 'tool_calls') choice.finish_reason = 'stop';
      return value;
    },
  },
  'the finish reason is tool_calls after text': {
    fails: ['finish-reason'],
    onlyChat: true,
    json: (value) => {
      for (const choice of value.choices ?? [])
        if (choice.finish_reason === 'stop') choice.finish_reason = 'tool_calls';
      return value;
    },
  },
  'the second call is lost when it streams': {
    fails: ['stream-equals-whole'],
    events: (events, { stream }) => withCalls(events, callsIn(events).slice(0, stream ? 1 : undefined)),
  },
  'calls are lost when it streams': {
    fails: ['stream-equals-whole'],
    events: (events, { stream }) =>
      stream && callsIn(events).length > 0 ? ended(withCalls(events, []), 'stop').concat() : events,
  },
  'the second call is always lost': {
    fails: ['parallel-calls'],
    events: (events) => withCalls(events, callsIn(events).slice(0, 1)),
  },
  'arguments come in one piece': {
    fails: ['arguments-stream'],
    events: (events) => withCalls(events, callsIn(events), 1_000_000),
  },
  'streams are refused': {
    fails: ['stream-equals-whole'],
    request: (request) => (request.stream ? refuse(400, 'streams are not supported') : request),
  },
  'streams come whole': { fails: ['stream-equals-whole'], neverStreams: true, events: (events) => events },
  'streams break off': {
    fails: ['stream-order'],
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
    onlyChat: true,
    text: (text) => text.replace('data: [DONE]\n\n', ''),
  },
  'all calls have the index 0': {
    fails: ['stream-order'],
    onlyChat: true,
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
    onlyChat: true,
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
    onlyChat: true,
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
  'tools are refused': {
    fails: ['calls-tool'],
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
    onlyChat: true,
    json: (value) =>
      value.usage ? { ...value, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } } : value,
  },
  'more tokens are cached than were sent': {
    fails: ['prefix-cache'],
    onlyChat: true,
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
    events: (events) => events.filter(({ type }) => type !== 'text-delta'),
  },
};
