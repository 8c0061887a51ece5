// What the bridge promises of every answer, held over everything models really wrote (corpus/wild) and over mixes of
// markers: the same events for any cutting, streamed and whole; calls that are complete or not there; an end.
//
// Outputs of the project's own dialects are read one by one and cut at random, those of the field's in one of the two
// ways, in turn, and their mixes are a third: what is held is the bridge, and cutting is a law of every dialect.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isFullyTried, representatives } from '../../dialects/every.fixture.js';
import type { Dialect } from '../../engine/dialect.js';
import { type AnswerEvent, ApiError, acceptTools, type ModelRequest, type Tool } from '../../model/index.js';
import { createRandom, ingredients, markerMix, type Random } from '../../testing/index.js';
import type { BridgeOptions } from '../options.js';
import { collectAnswer } from '../reply/collect-answer.js';
import type { Upstream } from '../upstream/upstream.js';
import { emulate } from './emulate.js';

interface Output {
  name: string;
  dialect: Dialect;
  text: string;
  tools: readonly Tool[];
}

const wild = fileURLToPath(new URL('../../../corpus/wild/', import.meta.url));

function wildOutputs(): Output[] {
  return representatives.flatMap((dialect) =>
    readdirSync(wild + dialect.name).flatMap((file): Output[] => {
      const { name, tools, text } = JSON.parse(readFileSync(`${wild}${dialect.name}/${file}`, 'utf8'));
      const declared = acceptTools(tools ?? [{ name: 'f', parameters: { type: 'object' } }]);
      const strange = declared.some(({ name: tool }) => !/^[\w.:-]{1,128}$/.test(tool));
      return strange || declared.length === 0
        ? []
        : [{ name: `${name} in ${dialect.name}`, dialect, text, tools: declared }];
    }),
  );
}

function mixes(count: number): Output[] {
  const random = createRandom(3);
  const tools = acceptTools([
    { name: 'f', parameters: { type: 'object', properties: { s: { type: 'string' } } } },
  ]);
  return representatives.flatMap((dialect) => {
    const pieces = ingredients(dialect, []);
    const length = isFullyTried(dialect) ? count : Math.ceil(count / 3);
    return Array.from({ length }, (_, n) => ({
      name: `markerMix ${n} in ${dialect.name}`,
      dialect,
      text: markerMix(random, pieces, 1 + random.int(20)).toWellFormed(),
      tools,
    }));
  });
}

const outputs = [...wildOutputs(), ...mixes(15)].filter(({ text }) => text.length < 5000);

function cutAt(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.int(12);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

interface Asked extends BridgeOptions {
  stream?: boolean;
  toolChoice?: ModelRequest['conversation']['toolChoice'];
  stop?: string[];
}

/** The model that writes these pieces each time, and how often it was asked. */
function writes(pieces: readonly string[]): Upstream & { asked: number } {
  const upstream = {
    takes: 'messages' as const,
    tools: false,
    media: false,
    asked: 0,
    async *ask(): AsyncGenerator<AnswerEvent> {
      upstream.asked++;
      yield { type: 'answer-start' };
      for (const text of pieces) yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  return upstream;
}

function answerOf(
  output: Output,
  upstream: Upstream,
  { stream = true, toolChoice = 'auto', stop, ...options }: Asked,
) {
  const request: ModelRequest = {
    api: 'openai-chat',
    model: 'm',
    conversation: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
      tools: output.tools,
      toolChoice,
    },
    settings: stop ? { stop } : {},
    stream,
  };
  let ids = 0;
  return emulate(request, upstream, {
    dialect: output.dialect,
    newId: (prefix) => `${prefix}${++ids}`,
    signal: new AbortController().signal,
    ...options,
  });
}

type Told = (AnswerEvent | { type: 'thrown'; message: string })[];

async function told(output: Output, pieces: readonly string[], asked: Asked): Promise<Told> {
  const events: Told = [];
  try {
    for await (const event of answerOf(output, writes(pieces), asked))
      if (event.type !== 'usage') events.push(event);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    events.push({ type: 'thrown', message: error.message });
  }
  return coalesced(events);
}

/** What is told of each output, once for all that is held of it. */
function toldOnce(tell: (output: Output) => Promise<Told>): (output: Output) => Promise<Told> {
  const known = new Map<Output, Promise<Told>>();
  return (output) => {
    const events = known.get(output) ?? tell(output);
    known.set(output, events);
    return events;
  };
}

const streamed = toldOnce((output) => told(output, [output.text], { reasks: 0 }));

/** As texts first, which is many times faster: almost always they are equal. */
function expectSame(events: Told, others: Told, how?: string): void {
  if (JSON.stringify(events) !== JSON.stringify(others)) expect(events, how).toEqual(others);
}

/** Deltas of the same kind that follow each other, as one. */
function coalesced(events: Told): Told {
  const joined: Told = [];
  for (const event of events) {
    const last = joined.at(-1);
    const isMore = last?.type === event.type && 'text' in last && 'text' in event;
    if (isMore && ('id' in last ? last.id : '') === ('id' in event ? event.id : '')) last.text += event.text;
    else joined.push({ ...event });
  }
  return joined;
}

async function hold(check: (output: Output) => Promise<void>, of = outputs): Promise<void> {
  const failures: string[] = [];
  for (const output of of)
    await check(output).catch((error: Error) => failures.push(`${output.name}: ${error.message}`));
  expect(failures.length, failures.slice(0, 3).join('\n\n')).toBe(0);
}

const ways: [name: string, asked: Asked][] = [
  ['streamed', { reasks: 0 }],
  ['streamed, and asked again', { reasks: 1 }],
  ['streamed, calls whole', { reasks: 0, delivery: 'whole' }],
  ['streamed, a call required', { reasks: 1, toolChoice: 'required' }],
  ['whole', { reasks: 1, stream: false }],
  ['with stop strings', { reasks: 0, stop: ['Beijing', 'ei', '{"c', 'the '] }],
];

/** A part of them for each way, so that all of them have their turn. */
const some = (turn: number, of = 4) => outputs.filter((_, at) => at % of === turn % of);

describe.each(ways)('an answer, %s', (name, asked) => {
  const few = some(ways.findIndex(([one]) => one === name));
  const random = createRandom(11);
  const cut = toldOnce((output) => told(output, cutAt(output.text, random), asked));

  it('is the same for every cutting', async () => {
    await hold(async (output) => {
      const whole = await told(output, [output.text], asked);
      const turn = few.indexOf(output) % 2;
      if (isFullyTried(output.dialect) || turn === 0)
        expectSame(await told(output, [...output.text], asked), whole, 'one by one');
      if (isFullyTried(output.dialect) || turn === 1) expectSame(await cut(output), whole, 'cut at random');
    }, few);
  });

  it('has one start, one end, and calls that are complete JSON in between', async () => {
    await hold(async (output) => {
      const events = await cut(output);
      expect(events[0]?.type).toBe('answer-start');
      expect(events.filter(({ type }) => type === 'answer-start')).toHaveLength(1);
      const over = events.findIndex(({ type }) => type === 'finish' || type === 'thrown');
      const rest = events[over]?.type === 'finish' ? ['report'] : [];
      expect(events.slice(over + 1).map(({ type }) => type)).toEqual(rest);
      let open: { id: string; text: string } | undefined;
      for (const event of events) {
        if (event.type === 'call-start') {
          expect(open).toBeUndefined();
          open = { id: event.id, text: '' };
        } else if (event.type === 'call-delta') {
          expect(event.id).toBe(open?.id);
          if (open) open.text += event.text;
        } else if (event.type === 'call-end') {
          expect(event.id).toBe(open?.id);
          expect(typeof JSON.parse(open?.text ?? '')).toBe('object');
          open = undefined;
        } else if (open) expect(['finish', 'thrown', 'report']).toContain(event.type);
      }
    }, few);
  });
});

/** Events that were told, up to what was thrown. */
async function* again(events: Told): AsyncGenerator<AnswerEvent> {
  for (const event of events) if (event.type !== 'thrown') yield event;
}

describe('an answer', () => {
  it('says the same streamed and whole, if the model was asked once', async () => {
    await hold(async (output) => {
      const inPieces = await told(output, [output.text], { reasks: 0, delivery: 'whole' });
      expectSame(await told(output, [output.text], { reasks: 0, stream: false }), inPieces);
    });
  });

  it('holds only calls that ended', async () => {
    await hold(async (output) => {
      const events = await streamed(output);
      if (events.at(-1)?.type === 'thrown') return;
      const ended = events.flatMap((event) => (event.type === 'call-end' ? [event.id] : []));
      const answer = await collectAnswer(again(events)).catch((error) => {
        expect(error).toBeInstanceOf(ApiError);
        return undefined;
      });
      if (!answer) return;
      const calls = answer.choices.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call'));
      expect(calls.map((call) => 'id' in call && call.id)).toEqual(ended);
    });
  });

  it('comes after at most as many requests as are allowed, however wrong the model is', async () => {
    for (const reasks of [0, 1, 3]) {
      await hold(async (output) => {
        const upstream = writes([output.text]);
        for await (const _ of answerOf(output, upstream, { reasks, stream: false, toolChoice: 'required' })) {
          // Only how often it was asked matters.
        }
        expect(upstream.asked).toBeLessThanOrEqual(reasks + 1);
      }, some(reasks));
    }
  });

  it('says nothing twice', async () => {
    // Each text that is delivered stands in what the model wrote, in that order.
    await hold(async (output) => {
      const events = await streamed(output);
      let from = 0;
      for (const event of events) {
        if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') continue;
        for (const character of event.text) {
          from = output.text.indexOf(character, from) + 1;
          if (from > 0) continue;
          expect.fail(`${JSON.stringify(event.text)} in ${JSON.stringify(output.text)}`);
        }
      }
    });
  });
});
