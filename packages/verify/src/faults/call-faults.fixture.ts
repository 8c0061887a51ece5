// Faults of calls: whether they come, their ids and names, and why the answer ended.

import {
  before,
  callsIn,
  ended,
  ignores,
  isCall,
  mapCalls,
  refuse,
  withCalls,
} from './answer-events.fixture.js';
import { eachFinish, eachId, eachName } from './any-api.fixture.js';
import { type NamedFault, WORDS_FOR_CALLS } from './named-fault.fixture.js';

/** That of the probe. */
const LIMIT = 16;

export const callFaults: Record<string, NamedFault> = {
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
  'names have a prefix': {
    fails: ['unknown-tool'],
    events: mapCalls((call) => ({ ...call, name: `functions.${call.name}` })),
  },
  'names are empty': { fails: ['unknown-tool'], ...eachName(() => '') },
  'names are null': { fails: ['unknown-tool'], ...eachName(() => null) },
  'calls have no name': { fails: ['unknown-tool'], ...eachName(() => undefined) },
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
  'requests with a limit get a 500': {
    fails: ['finish-reason'],
    request: (request) => (request.settings.maxTokens === LIMIT ? refuse(500, 'boom') : request),
  },
  'requests with a limit are refused': {
    fails: ['finish-reason'],
    request: (request) => (request.settings.maxTokens === LIMIT ? refuse(400, 'bad request') : request),
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
  'the second call is always lost': {
    fails: ['parallel-calls'],
    streamed: ['stream-equals-whole'],
    events: (events) => withCalls(events, callsIn(events).slice(0, 1)),
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
};
