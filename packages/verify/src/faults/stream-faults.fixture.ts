// Faults that only streams have.

import {
  before,
  callsIn,
  eachText,
  ended,
  isPlain,
  mapCalls,
  refuse,
  textIn,
  withCalls,
} from './answer-events.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';

/** The demo says little but ASCII. */
const broken = (text: string) => text.replace(/\P{ASCII}/gu, '\ufffd').replace('I am', 'I\ufffdam');

export const streamFaults: Record<string, NamedFault> = {
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
    events: (events, { stream }) =>
      stream ? mapCalls((call) => ({ ...call, raw: broken(call.raw) }))(eachText(broken)(events)) : events,
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
  'streams have an event that is no JSON': {
    fails: ['stream-order'],
    only: 'stream',
    text: (text, streamed) => (streamed ? text.replace('\n\n', '\n\nevent: half\ndata: {"half\n\n') : text),
  },
  'the arguments of the second call are joined to those of the first': {
    fails: ['arguments-json'],
    only: 'stream',
    events: (events, { stream }) => {
      const [one, two, ...more] = callsIn(events);
      return stream && one && two ? withCalls(events, [{ ...one, raw: one.raw + two.raw }, ...more]) : events;
    },
  },
  'streams have the media type of JSON': {
    fails: ['stream-order'],
    only: 'stream',
    type: 'application/json',
  },
  'streams have an empty body': {
    fails: ['stream-equals-whole'],
    only: 'stream',
    text: (text, streamed) => (streamed ? '' : text),
  },
  'the second call loses its first piece when it streams': {
    fails: ['arguments-json'],
    only: 'stream',
    events: (events, { stream }) =>
      stream
        ? mapCalls((call, at) => (at === 1 ? { ...call, raw: call.raw.slice(4) } : call))(events)
        : events,
  },
};
