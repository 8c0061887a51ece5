// The clients over a real gateway: client → gateway → scripted text model, each step over a socket whose writes are
// cut at odd places. What the bridge alone does is held by test/clients; here it is that the gateway adds nothing.
//
// Each client has each case in one of the dialects, and the next client in the next: every two of client, case and
// dialect meet, and not every three. A gateway does not read dialects.

import { setTimeout as wait } from 'node:timers/promises';
import { type Dialect, findDialect } from '@dragoman/core';
import { configFromFlags, type Flags, type Gateway, type GatewayConfig, serve } from '@dragoman/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { representatives } from '../packages/core/src/dialects/every.fixture.js';
import { type Case, exact, type Ran, RESULT, tools } from './clients/case.js';
import { cases } from './clients/cases.js';
import { CLIENT_KEY, type Client, type Job, type Turn } from './clients/client.js';
import { everyone as clients } from './clients/everyone.js';
import { seeds as seedNames } from './clients/spread.js';
import { type Cutter, startCutter } from './scripted/cutter.js';
import { spell } from './scripted/spell.js';
import { type ScriptedReply, startTextModel, type TextModel } from './scripted/text-model.js';

const seeds = seedNames.map(findDialect);

const chosen = [
  'answers in plain text',
  'calls a tool and quotes its result',
  'calls two tools at once',
  'carries an argument full of markers, quotes, line breaks and digits',
  'thinks before it calls',
].map((name) => {
  const found = cases.find((one) => one.name === name);
  if (!found?.turnsSeen) throw new Error(`there is no case called: ${name}`);
  return { ...found, turnsSeen: found.turnsSeen };
});

// ---------------------------------------------------------------- the way

let model: TextModel;
let upstream: Cutter;
let gateway: Gateway;
let front: Cutter;

beforeAll(async () => {
  model = await startTextModel();
  upstream = await startCutter(Number(new URL(model.url).port), 1);
  gateway = await serve(scripted(seeds[0] as Dialect), { write: () => {} });
  front = await startCutter(gateway.port, 2);
});
afterAll(async () => {
  await front.close();
  await gateway.close();
  await upstream.close();
  await model.close();
});

/** With a store: one of the providers names what it was given, and does not send it again. */
function configOf(flags: Flags): GatewayConfig {
  const result = configFromFlags({ port: 0, log: 'silent', store: 'memory:', ...flags }, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result.config, shutdownSeconds: 0.2 };
}

/** All clients ask for a model called `any`. */
function scripted(dialect: Dialect): GatewayConfig {
  const { url } = upstream;
  return configOf({ upstream: `${url}/v1`, kind: 'chat', dialect: dialect.name, model: 'any' });
}

function demo(dialect: Dialect): GatewayConfig {
  const config = configOf({ demo: true });
  const name = `demo/${dialect.name}`;
  const models = config.models.filter((one) => one.name === name);
  expect(models).toHaveLength(1);
  return { ...config, models: models.map((one) => ({ ...one, aliases: ['any'] })) };
}

// ---------------------------------------------------------------- the cases

describe.each(seeds.map((dialect, place) => [dialect.name, dialect, place] as const))(
  'over the gateway in %s',
  (_, dialect, place) => {
    beforeAll(() => gateway.reload(scripted(dialect)));
    for (const [at, client] of clients.entries())
      for (const [number, one] of chosen.entries())
        if ((at + number) % seeds.length === place)
          it(`${client.name}: ${one.name}`, () => holdCase(client, dialect, one, number));
  },
);

type ChosenCase = (typeof chosen)[number];

async function holdCase(client: Client, dialect: Dialect, one: ChosenCase, seed: number): Promise<void> {
  model.script(...one.script(dialect).map((reply, at) => inOddPieces(reply, 10 * seed + at)));
  const ran: Ran[] = [];
  const [writes, bytes] = [front.writes, front.bytes];
  const turns = await client.run(jobFor('How is the weather?', ran));
  checkTurns(client, turns, one.turnsSeen);
  checkRan(ran, one.ran(dialect));
  expect(model.requests.length).toBe(one.turnsSeen.length);
  for (const { headers } of model.requests)
    expect(JSON.stringify(headers), "the client's key went upstream").not.toContain(CLIENT_KEY);
  expect((front.bytes - bytes) / (front.writes - writes)).toBeLessThan(front.most);
}

function inOddPieces(reply: ScriptedReply, seed: number): ScriptedReply {
  const cutUp = (made: Exclude<ScriptedReply, (...given: never[]) => unknown>) => ({
    ...(typeof made === 'string' ? { text: made } : made),
    pieces: { seed },
  });
  return typeof reply === 'function' ? (body) => cutUp(reply(body)) : cutUp(reply);
}

function jobFor(prompt: string, ran: Ran[]): Job {
  return {
    url: front.url,
    prompt,
    tools,
    turns: 5,
    execute(name, input, raw) {
      ran.push({ name, input, ...(raw === undefined ? {} : { raw }) });
      return RESULT;
    },
  };
}

function checkTurns(client: Client, turns: Turn[], wanted: ChosenCase['turnsSeen']): void {
  expect(turns.map((turn) => ({ ...turn, reasoning: turn.reasoning.trim() }))).toMatchObject(
    wanted.map(({ reasoning = '', ...turn }) => ({ ...turn, ...(client.reasons ? { reasoning } : {}) })),
  );
}

/** What the tools were given is what the model wrote, to the digit where the client shows digits. */
function checkRan(ran: Ran[], wanted: ReturnType<Case['ran']>): void {
  expect(ran.map(({ name, input }) => ({ name, input }))).toEqual(
    wanted.map(({ name, raw }) => ({ name, input: JSON.parse(raw) })),
  );
  ran.forEach(({ raw }, at) => {
    if (raw !== undefined) expect(exact(raw)).toBe(exact(wanted[at]?.raw ?? ''));
  });
}

// ---------------------------------------------------------------- leaving

describe.each(seeds.map((dialect, place) => [dialect.name, dialect, place] as const))(
  'a client of %s',
  (_, dialect, place) => {
    beforeAll(() => gateway.reload(scripted(dialect)));
    const leavers = clients.filter((_, at) => at % seeds.length === place);
    it.each(leavers.map((client) => [client.name, client] as const))(
      'leaves, and the model is let go: %s',
      async (_, client) => {
        const calls = [
          { name: 'write_file', raw: JSON.stringify({ path: 'a', content: 'long '.repeat(40) }) },
        ];
        const text = spell(dialect, { text: 'A story.', calls }, tools);
        model.script({ text, fault: { type: 'silence', after: 12 } });
        const leaving = new AbortController();
        const ran: Ran[] = [];
        const job = { ...jobFor('Hi', ran), signal: leaving.signal };
        const running = client.run(client.streams ? { ...job, onText: () => leaving.abort() } : job);
        // One client ends in silence when it is told to: then at least not as if the answer were whole.
        const settled = running.then(
          (turns) => turns.map(({ ending }) => ending),
          () => [undefined],
        );
        const request = await model.arrived(0);
        if (!client.streams) await wait(10).then(() => leaving.abort());
        expect(await settled).toEqual([undefined]);
        expect(await request.over).toBe(true);
        expect(ran).toEqual([]);
      },
    );
    it('leaves nothing open', async () => {
      await expect.poll(() => gateway.app.open).toBe(0);
    });
  },
);

// ---------------------------------------------------------------- the demo model

// A client sees nothing of the dialect: each dialect is asked by every seventh client, each client asks every seventh
// dialect. All pairs of them are in test/clients.
const APART = 7;
/** Bytes of a write: enough to cut events, and not each of them many times. */
const COARSE = 257;

describe.concurrent('the demo model', () => {
  it.each(representatives.map((dialect, at) => [dialect.name, dialect, at] as const))(
    'calls get_weather with Beijing and quotes what came back: demo/%s',
    async (_, dialect, at) => {
      const asking = clients.filter((_, place) => place % APART === at % APART);
      for (const { client, turns, ran } of await askDemo(dialect, asking)) {
        expect(ran, client).toMatchObject([{ name: 'get_weather', input: { city: 'Beijing' } }]);
        expect(turns, client).toMatchObject([
          { calls: ['get_weather'], ending: 'tool-calls' },
          { calls: [], ending: 'stop', text: expect.stringContaining(RESULT) },
        ]);
      }
    },
  );
});

async function askDemo(
  dialect: Dialect,
  asking: readonly Client[],
): Promise<{ client: string; turns: Turn[]; ran: Ran[] }[]> {
  const own = await serve(demo(dialect), { write: () => {} });
  const cutter = await startCutter(own.port, 3);
  cutter.most = COARSE;
  const runs = asking.map(async (client) => {
    const ran: Ran[] = [];
    const job = jobFor('What is the weather in Beijing?', ran);
    return { client: client.name, turns: await client.run({ ...job, url: cutter.url }), ran };
  });
  try {
    return await Promise.all(runs);
  } finally {
    await cutter.close();
    await own.close();
  }
}
