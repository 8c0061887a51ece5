// The wire alone, without streams and promises. Reading an upstream's events, against eventsource-parser and
// JSON.parse of each event, with nothing understood. Writing them, against JSON.stringify of one whole object each.

import type { AnswerEvent } from '@dragoman/core';
import { type EncodeContext, wireOf } from '@dragoman/core/wire';
import { createParser } from 'eventsource-parser';
import type { DeltaKind } from './deltas.js';
import { type ClientApi, chunks } from './exchange.js';
import { cut, fileText, KB, prose } from './inputs.js';
import { DECODE_TO_FLOOR, ENCODE_TO_OBJECTS } from './limits.js';
import { race, upToThrice } from './measure.js';

export interface WireSpeed {
  api: ClientApi;
  kind: DeltaKind;
  /** Nanoseconds a delta. */
  ours: number;
  other: number;
  ratio: number;
}

const context: EncodeContext = {
  request: {
    model: 'some-model',
    conversation: { messages: [], tools: [], toolChoice: 'auto' },
    settings: {},
    stream: true,
  },
  newId: (prefix) => `${prefix}0123456789abcdef01234567`,
  report: false,
};

const CALL = 'call_0123456789abcdef01234567';
const start: AnswerEvent = { type: 'answer-start', id: 'answer', model: 'some-model', created: 1 };

/** A text in deltas of four characters, or a call whose arguments come in one. */
function answer(kind: DeltaKind, length: number): AnswerEvent[] {
  if (kind === 'prose') {
    const texts = cut(prose(length), 4).map((text): AnswerEvent => ({ type: 'text-delta', text }));
    return [start, ...texts, { type: 'finish', reason: 'stop' }];
  }
  return [
    start,
    { type: 'call-start', id: CALL, name: 'write_file' },
    { type: 'call-delta', id: CALL, text: JSON.stringify({ text: fileText(length) }) },
    { type: 'call-end', id: CALL },
    { type: 'finish', reason: 'tool-calls' },
  ];
}

export function decodeSpeed(api: ClientApi, kind: DeltaKind, length = 64 * KB, rounds = 8): WireSpeed {
  const frames = framesOf(api, kind, length);
  const arms = { ours: () => decodeAll(api, frames), other: () => parseAll(frames) };
  return compare({ api, kind }, arms, frames.length, DECODE_TO_FLOOR, rounds);
}

/** The events as a server sends them, one for each delta of four characters, each a string of its own. */
function framesOf(api: ClientApi, kind: DeltaKind, length: number): string[] {
  const encoder = wireOf(api).createStreamEncoder(context);
  const frames = answer(kind, length).flatMap((event) => {
    const frame = encoder.encode(event);
    return event.type === 'call-delta' ? fragments(frame, event.text) : [frame];
  });
  return [...frames, encoder.end()].filter((frame) => frame !== '').map(asFromSocket);
}

/** The frame of a whole text as frames of four characters each: our encoder would send fewer and longer ones. */
function fragments(frame: string, text: string): string[] {
  const [before = '', behind = ''] = frame.split(JSON.stringify(text));
  return cut(text, 4).map((piece) => before + JSON.stringify(piece) + behind);
}

const asFromSocket = (text: string) => Buffer.from(text, 'utf8').toString('utf8');

function decodeAll(api: ClientApi, frames: readonly string[]): number {
  const decoder = wireOf(api).createStreamDecoder();
  let seen = 0;
  const look = (events: AnswerEvent[]) => {
    for (const event of events) {
      if (event.type === 'error') throw event.error;
      if ('text' in event) seen += event.text.length;
    }
  };
  for (const frame of frames) look(decoder.feed(frame));
  look(decoder.finish());
  return seen;
}

function parseAll(frames: readonly string[]): number {
  let seen = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data !== '[DONE]') seen += Object.keys(JSON.parse(data)).length;
    },
  });
  for (const frame of frames) parser.feed(frame);
  return seen;
}

/** Text alone: of arguments fewer, longer fragments are sent than the model wrote, so there is nothing to compare. */
export function encodeSpeed(api: ClientApi, length = 64 * KB, rounds = 8): WireSpeed {
  const events = answer('prose', length);
  const chunk = chunks[api];
  const arms = {
    ours: () => {
      const encoder = wireOf(api).createStreamEncoder(context);
      let seen = 0;
      for (const event of events) seen += encoder.encode(event).length;
      return seen + encoder.end().length;
    },
    other: () => {
      let seen = 0;
      for (const event of events) if (event.type === 'text-delta') seen += chunk(event.text).length;
      return seen;
    },
  };
  return compare({ api, kind: 'prose' }, arms, events.length, ENCODE_TO_OBJECTS, rounds);
}

function compare(
  what: { api: ClientApi; kind: DeltaKind },
  arms: Record<'ours' | 'other', () => number>,
  count: number,
  limit: number,
  rounds: number,
): WireSpeed {
  const { ours, other } = upToThrice(
    () => race(arms, rounds),
    (best) => best.ours <= limit * best.other,
  );
  const each = 1e6 / count;
  return { ...what, ours: ours * each, other: other * each, ratio: ours / other };
}
