// Time to the first event, counted in pieces the model wrote and not in milliseconds. The model writes a piece only
// when all output of the last one has arrived, so that it is certain which piece caused it.

import { setImmediate as settled } from 'node:timers/promises';
import { type AnswerEvent, findDialect } from '@dragoman/core';
import { wireOf } from '@dragoman/core/wire';
import { type BridgeMode, bridgeOptions, type ClientApi, readThrough } from './exchange.js';
import { callText, cut } from './inputs.js';

export interface FirstEvent {
  api: ClientApi;
  mode: BridgeMode;
  dialect: string;
  /** Pieces of a text up to and with the one at which its first byte arrived. */
  text: number;
  /** Of a call: the pieces between the one that ends its name and the one at which the client has the name. */
  name: number;
  /** Between the first character of an argument and its arrival. */
  argument: number;
  /** Characters of the argument that were written and not yet there, at worst. */
  behind: number;
}

interface Arrival {
  /** Pieces written when it arrived. */
  pieces: number;
  /** As it was sent, and as it is understood. */
  text: string;
  events: AnswerEvent[];
}

/** What announces a call, by API. */
const announcements: Record<ClientApi, string> = {
  'openai-chat': '"tool_calls":[{',
  'openai-responses': '"type":"function_call"',
  'anthropic-messages': '"type":"tool_use"',
};

const PIECE = 4;
const VALUE = 'The harbour was quiet, and the boats lay where the tide had left them. '.repeat(4);

export async function firstEvent(api: ClientApi, mode: BridgeMode, dialect: string): Promise<FirstEvent> {
  const said = await arrivals(api, mode, dialect, VALUE);
  const { head, argument, tail } = callText(findDialect(dialect), VALUE);
  const called = await arrivals(api, mode, dialect, head + argument + tail);
  const named = head.indexOf('write_file') + 'write_file'.length;
  return {
    api,
    mode,
    dialect,
    text: piecesAt(said, ({ events }) => events.some(({ type }) => type === 'text-delta')),
    name: piecesAt(called, ({ text }) => text.includes(announcements[api])) - Math.ceil(named / PIECE),
    argument: firstOfArgument(called) - Math.ceil((head.length + 1) / PIECE),
    behind: mostBehind(called, head.length, argument.length),
  };
}

/** What the client understands, and when. */
async function arrivals(api: ClientApi, mode: BridgeMode, dialect: string, text: string): Promise<Arrival[]> {
  let pieces = 0;
  async function* ask(): AsyncGenerator<AnswerEvent> {
    yield { type: 'answer-start' };
    for (const piece of cut(text, PIECE)) {
      for (let turn = 0; turn < 3; turn++) await settled();
      pieces++;
      yield { type: 'text-delta', text: piece };
    }
    for (let turn = 0; turn < 3; turn++) await settled();
    pieces++;
    yield { type: 'finish', reason: 'stop' };
  }
  const decoder = wireOf(api).createStreamDecoder();
  const utf8 = new TextDecoder();
  const found: Arrival[] = [];
  const upstream = { takes: 'messages', tools: mode === 'heal', media: false, ask } as const;
  await readThrough(api, { ...bridgeOptions(mode, dialect), upstream }, (bytes) => {
    const sent = utf8.decode(bytes, { stream: true });
    found.push({ pieces, text: sent, events: decoder.feed(sent) });
  });
  return found;
}

function piecesAt(arrived: readonly Arrival[], is: (arrival: Arrival) => boolean): number {
  const found = arrived.find(is);
  if (!found) throw new Error('What was waited for never arrived.');
  return found.pieces;
}

/** The JSON before the first character of the value. */
const LEAD = '{"text":"'.length;

function firstOfArgument(arrived: readonly Arrival[]): number {
  let length = 0;
  return piecesAt(arrived, ({ events }) => {
    length += argumentLength(events);
    return length > LEAD;
  });
}

function mostBehind(arrived: readonly Arrival[], head: number, argument: number): number {
  let most = 0;
  let there = -LEAD;
  const last = arrived.at(-1)?.pieces ?? 0;
  for (let pieces = 1; pieces <= last; pieces++) {
    for (const { pieces: at, events } of arrived) if (at === pieces) there += argumentLength(events);
    const written = Math.min(argument, pieces * PIECE - head);
    most = Math.max(most, written - Math.max(0, there));
  }
  return most;
}

function argumentLength(events: readonly AnswerEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'call-delta' ? event.text.length : 0), 0);
}
