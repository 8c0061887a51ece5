// Holds clients to their share of the cases and dialects (spread.ts says which), over sockets: client → gate → library
// → scripted text model.

import { setTimeout as wait } from 'node:timers/promises';
import type { Dialect } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { representatives } from '../../packages/core/src/dialects/every.fixture.js';
import { type Gate, openGate, type Responder } from '../scripted/gate.js';
import type { Fault } from '../scripted/reply.js';
import { spell } from '../scripted/spell.js';
import { type ModelBody, startTextModel, type TextModel } from '../scripted/text-model.js';
import { type Case, exact, type Ran, RESULT, tools } from './case.js';
import { CLIENT_KEY, type Client, type Job, type Turn } from './client.js';
import { runsOf } from './spread.js';

let model: TextModel;
let gate: Gate;
let respond: Responder;

function openSockets(): void {
  beforeAll(async () => {
    model = await startTextModel();
    gate = await openGate((request) => respond(request));
  });
  afterAll(async () => {
    await gate.close();
    await model.close();
  });
}

export function holdClients(...clients: Client[]): void {
  openSockets();
  for (const client of clients)
    describe(client.name, () => {
      for (const { one, dialect } of runsOf(client.name))
        it(`${one.name}, in ${dialect.name}`, () => holdCase(client, dialect, one));
    });
}

function respondAs(dialect: Dialect, one?: Case): Responder {
  const upstream = { url: model.url, tools: false, retryDelay: 1, ...one?.upstream };
  return createResponder({ upstream, dialect: dialect.name, ...one?.options?.(dialect) });
}

async function holdCase(client: Client, dialect: Dialect, one: Case): Promise<void> {
  model.script(...one.script(dialect));
  respond = respondAs(dialect, one);
  const ran: Ran[] = [];
  const job: Job = {
    url: gate.url,
    prompt: 'How is the weather?',
    tools,
    ...(one.choice === undefined ? {} : { choice: one.choice }),
    turns: one.turns ?? 5,
    execute(name, input, raw) {
      ran.push({ name, input, ...(raw === undefined ? {} : { raw }) });
      return RESULT;
    },
  };
  if (one.throws) await failsAs(one, client, client.run(job));
  else {
    const turns = await client.run(job).catch((error) => forgive(error, one, client));
    if (turns) checkTurns(one, client, turns);
  }
  checkRan(one, dialect, ran);
  for (const { headers, body } of model.requests) {
    expect(JSON.stringify(headers), "the client's key went upstream").not.toContain(CLIENT_KEY);
    checkHistory(body, job, ran);
  }
}

/** Every request tells the model everything: what was asked, what tools there are, what it called before. */
function checkHistory(body: ModelBody, { prompt, choice }: Job, ran: Ran[]): void {
  const all = JSON.stringify(body);
  expect([body.model, all]).toEqual(['any', expect.stringContaining(prompt)]);
  if (choice !== 'none') expect(all).toContain('write_file');
  if (!all.includes(RESULT)) return;
  const said = body.messages?.filter(({ role }) => role === 'assistant') ?? body.prompt;
  for (const { name } of ran) expect(JSON.stringify(said), 'the calls of the model').toContain(name);
}

async function failsAs({ throws, also }: Case, client: Client, running: Promise<Turn[]>): Promise<void> {
  const error = await running.then(
    () => expect.fail('a clean end'),
    (error) => error,
  );
  if (typeof throws === 'number') expect(error.status ?? error.statusCode, String(error)).toBe(throws);
  also?.({ turns: [], client, asked: model.requests.map(({ body }) => body) });
}

function forgive(error: Error, { cut }: Case, { refusesCut }: Client): undefined {
  if (!cut || !refusesCut || !/length limit/.test(error.message)) throw error;
}

function checkTurns(one: Case, client: Client, turns: Turn[]): void {
  const { turnsSeen } = one;
  if (turnsSeen) {
    const wanted = turnsSeen.map(({ text, calls, ending, reasoning = '' }) => ({
      text: matcher(text),
      ...(calls === undefined ? {} : { calls }),
      ...(ending === undefined ? {} : { ending }),
      ...(client.reasons ? { reasoning: matcher(reasoning) } : {}),
    }));
    expect(turns.map((turn) => ({ ...turn, reasoning: turn.reasoning.trim() }))).toMatchObject(wanted);
    expect(turns.length).toBe(turnsSeen.length);
    expect(model.requests.length).toBe(turnsSeen.length);
  }
  one.also?.({ turns, client, asked: model.requests.map(({ body }) => body) });
}

function matcher(text: string | RegExp) {
  return typeof text === 'string' ? text : expect.stringMatching(text);
}

/** What the tools were given is what the model wrote, to the digit where the client shows digits. */
function checkRan(one: Case, dialect: Dialect, ran: Ran[]): void {
  const wanted = one.ran(dialect);
  expect(ran.map(({ name, input }) => ({ name, input }))).toEqual(
    wanted.map(({ name, raw }) => ({ name, input: JSON.parse(raw) })),
  );
  ran.forEach(({ raw }, at) => {
    if (raw !== undefined) expect(exact(raw)).toBe(exact(wanted[at]?.raw ?? ''));
  });
}

// ---------------------------------------------------------------- leaving

/** When a client leaves: how the model's answer stops, and whether the client has text by then. */
const moments: { name: string; fault: Fault; text?: true }[] = [
  { name: 'before the headers', fault: { type: 'no-answer' } },
  { name: 'before the first word', fault: { type: 'silence', after: 1 } },
  { name: 'in the middle of the text', fault: { type: 'silence', after: 6 }, text: true },
  { name: 'inside a call', fault: { type: 'silence', after: 40 } },
];

/** Only where nothing else runs: it holds clients to a time. */
export function holdLeaving(...clients: readonly Client[]): void {
  openSockets();
  for (const client of clients)
    describe(client.name, () => {
      it.each(moments)('leaves $name, and the model knows within 100 ms', (moment) => leaves(client, moment));
    });
}

const TRIES = 3;

/** A machine may be busy for a moment: slow is what is slow three times. */
async function leaves(client: Client, moment: (typeof moments)[number]): Promise<void> {
  const times: number[] = [];
  while (times.length < TRIES && !times.some((time) => time <= 100))
    times.push(await timeToLeave(client, moment));
  expect(Math.min(...times)).toBeLessThanOrEqual(100);
}

async function timeToLeave(client: Client, { fault, text }: (typeof moments)[number]): Promise<number> {
  const dialect = representatives[0] as Dialect;
  const call = { name: 'write_file', raw: JSON.stringify({ path: 'a', content: 'long '.repeat(40) }) };
  model.script({ text: spell(dialect, { text: 'A story.', calls: [call] }, tools), fault });
  respond = respondAs(dialect);
  const leaving = new AbortController();
  let left = 0;
  const leave = () => {
    left ||= performance.now();
    leaving.abort();
  };
  const waits = text && client.streams;
  const base = { url: gate.url, prompt: 'Hi', tools, turns: 1, execute: () => RESULT };
  const running = client.run({ ...base, signal: leaving.signal, ...(waits ? { onText: leave } : {}) });
  const settled = running.catch(() => {});
  const request = await model.arrived(0);
  if (!waits) {
    // Long enough for what the model sent to be on its way.
    await wait(20);
    leave();
  }
  await settled;
  expect(left).toBeGreaterThan(0);
  expect(await request.over).toBe(true);
  return (request.leftAt as number) - left;
}
