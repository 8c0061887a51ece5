// Holds clients to the cases, in every dialect, over sockets: client → gate → library → scripted text model.

import { type Dialect, dialects } from '@dragoman/core';
import { createResponder } from '@dragoman/core/bridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gate, openGate, type Responder } from '../scripted/gate.js';
import { spell } from '../scripted/spell.js';
import { startTextModel, type TextModel } from '../scripted/text-model.js';
import { type Case, cases, exact, type Ran, RESULT, tools } from './cases.js';
import { CLIENT_KEY, type Client, type Job, type Turn } from './client.js';

/** The dialects the project began with run every case; the others those that differ by dialect most. */
const seeds = ['alkaid', 'xnl', 'glm-4.5', 'deepseek-v4'];
const everywhere = /calls two tools|argument full of markers|thinks before/;

let model: TextModel;
let gate: Gate;
let respond: Responder;

export function holdClients(...clients: Client[]): void {
  beforeAll(async () => {
    model = await startTextModel();
    gate = await openGate((request) => respond(request));
  });
  afterAll(async () => {
    await gate.close();
    await model.close();
  });
  for (const client of clients)
    describe(client.name, () => {
      for (const dialect of dialects) describe(dialect.name, () => holdDialect(client, dialect));
      it('leaves, and the model knows within 100 ms', () => leaves(client));
    });
}

function holdDialect(client: Client, dialect: Dialect): void {
  for (const one of cases)
    if (seeds.includes(dialect.name) || everywhere.test(one.name))
      it(one.name, () => holdCase(client, dialect, one));
}

async function holdCase(client: Client, dialect: Dialect, one: Case): Promise<void> {
  model.script(...one.script(dialect));
  respond = createResponder({ upstream: { url: model.url, tools: false }, dialect: dialect.name });
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
  if (one.throws) await expect(client.run(job), 'a clean end').rejects.toThrow();
  else {
    const turns = await client.run(job).catch((error) => forgive(error, one, client));
    if (turns) checkTurns(one, client, turns);
  }
  checkRan(one, dialect, ran);
  for (const { headers } of model.requests) expect(JSON.stringify(headers)).not.toContain(CLIENT_KEY);
}

function forgive(error: Error, { cut }: Case, { refusesCut }: Client): undefined {
  if (!cut || !refusesCut || !/length limit/.test(error.message)) throw error;
}

function checkTurns(one: Case, client: Client, turns: Turn[]): void {
  const { turnsSeen } = one;
  if (turnsSeen) {
    const wanted = turnsSeen.map(({ text, calls, ending, reasoning = '' }) => ({
      text: typeof text === 'string' ? text : expect.stringMatching(text),
      ...(calls === undefined ? {} : { calls }),
      ...(ending === undefined ? {} : { ending }),
      ...(client.reasons ? { reasoning } : {}),
    }));
    expect(turns.map((turn) => ({ ...turn, reasoning: turn.reasoning.trim() }))).toMatchObject(wanted);
    expect(turns.length).toBe(turnsSeen.length);
    expect(model.requests.length).toBe(turnsSeen.length);
  }
  one.also?.({ turns, client, asked: model.requests.map(({ body }) => body) });
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

const TRIES = 3;

/** A machine may be busy for a moment: slow is what is slow three times. */
async function leaves(client: Client): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < TRIES && !times.some((time) => time <= 100); n++) times.push(await timeToLeave(client));
  expect(Math.min(...times)).toBeLessThanOrEqual(100);
}

async function timeToLeave(client: Client): Promise<number> {
  const dialect = dialects[0] as Dialect;
  const text = spell(dialect, { text: 'A story without an end. '.repeat(20) });
  model.script({ text, fault: client.streams ? { type: 'silence', after: 60 } : { type: 'no-answer' } });
  respond = createResponder({ upstream: { url: model.url, tools: false }, dialect: dialect.name });
  const leaving = new AbortController();
  let left = 0;
  const leave = () => {
    left ||= performance.now();
    leaving.abort();
  };
  const base = { url: gate.url, prompt: 'Hi', tools, turns: 1, execute: () => RESULT };
  const running = client.run({
    ...base,
    signal: leaving.signal,
    ...(client.streams ? { onText: leave } : {}),
  });
  const settled = running.then(
    () => {},
    () => {},
  );
  const request = await model.arrived(0);
  if (!client.streams) leave();
  await settled;
  expect(left).toBeGreaterThan(0);
  expect(await request.over).toBe(true);
  return (request.leftAt as number) - left;
}
