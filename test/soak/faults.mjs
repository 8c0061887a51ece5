// Gateways as commands, with faults at random around them: the first part of `npm run soak`. The model resets, breaks
// off, falls silent and refuses; clients read slowly, send slowly and leave; Redis and PostgreSQL are killed and started
// again, or held still; the configuration changes, and is broken at times; a gateway and workers are killed. The moments
// are drawn from a seed.
//
//   clients ──> first, second ──> Redis          second is killed
//           ──> third (two workers) ──> PostgreSQL    its workers are killed
//
// judge.mjs has what may be. Memory is measured at the first gateway, which lives through all of it, after what it
// remembers by design is full and garbage is collected.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres, startRedis } from '../real-servers.mjs';
import { drawQuestion, exchange, MANNERS, plainQuestion } from './asking.mjs';
import { startFaultyModel } from './faulty-model.mjs';
import { Gateway, until } from './gateways.mjs';
import { configurationText, createFaults } from './injected.mjs';
import {
  HEALTHY,
  judgeAnswers,
  judgeAttempts,
  judgeDescriptors,
  judgeExchange,
  judgeExits,
  judgeFaults,
  judgeGrowth,
  judgeHealth,
  judgeStored,
  spanOf,
  Times,
} from './judge.mjs';

const MB = 1024 * 1024;
const CLIENTS = 40;
/**
 * Answers before anything is measured: the turns that a gateway remembers have a bound of 16 Mi characters, which some
 * 12,000 small ones fill. They all go to the gateway that is measured.
 */
const REMEMBERED = 20_000;
/** The faults come in so many rounds; behind each the gateway is measured. In the first quarter new code is compiled. */
const ROUNDS = 12;
/** What the heap and the whole process may grow by, from the second quarter of the rounds to the last. */
const HEAP_GROWTH = 3 * MB;
const RSS_GROWTH = 32 * MB;
/** Milliseconds of questions without faults behind the last fault. */
const CALM = 3000;
const SWEEPING = 'socket to PostgreSQL of a worker';
/** Stored answers that another key tries to read. */
const TRIED = 200;

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const megabytes = (bytes) => `${(bytes / MB).toFixed(1)} MB`;

export async function soakWithFaults(seconds, seed) {
  const soak = await FaultySoak.open(seed);
  try {
    return await soak.run(seconds);
  } finally {
    await soak.close();
  }
}

class FaultySoak {
  times = new Times();
  ends = { whole: 0, refused: 0, failed: 0, left: 0, cut: 0 };
  asked = 0;
  /** Whether faults are injected, and the whole answers meanwhile, also of clients with these manners. */
  isInjecting = false;
  whole = 0;
  byManner = Object.fromEntries(MANNERS.map((manner) => [manner, 0]));
  faults = [];
  /** When questions with whole answers began, by gateway. */
  wholes = new Map(['first', 'second', 'third'].map((name) => [name, []]));
  stored = [];
  filled = 0;
  agent = new Agent({ keepAlive: true });

  static async open(seed) {
    const soak = new FaultySoak();
    soak.seed = seed;
    soak.random = createRandom(seed);
    soak.folder = mkdtempSync(join(tmpdir(), 'dragoman-soak-'));
    soak.isCalm = true;
    soak.model = await startFaultyModel(createRandom(seed + 1), () => soak.isCalm);
    [soak.redis, soak.postgres] = await Promise.all([startRedis(), startPostgres()]);
    const { model, redis, postgres, random, times } = soak;
    const files = [
      { path: join(soak.folder, 'redis.yaml'), settings: { store: redis.url, workers: 1 } },
      { path: join(soak.folder, 'postgres.yaml'), settings: { store: postgres.url, workers: 2 } },
    ];
    for (const { path, settings } of files)
      writeFileSync(path, configurationText('a', { model, ...settings }));
    soak.first = new Gateway('first', files[0].path, true);
    soak.gateways = [soak.first, new Gateway('second', files[0].path), new Gateway('third', files[1].path)];
    await Promise.all(soak.gateways.map((gateway) => gateway.start()));
    soak.injected = createFaults({ random, times, model, redis, postgres, gateways: soak.gateways, files });
    return soak;
  }

  async run(seconds) {
    await this.load(
      () => this.filled < REMEMBERED,
      () => ({ gateway: this.first, question: plainQuestion }),
    );
    console.log(`faults: all that is remembered is full after ${this.filled} answers; seed ${this.seed}`);
    const draw = (client) => ({
      gateway: this.gateways[[0, 0, 1, 2][client % 4]],
      question: drawQuestion(this.random),
    });
    // All kinds of questions and faults of the model once, before descriptors are counted.
    this.isCalm = false;
    await this.loadFor(Math.min(30_000, seconds * 100), draw);
    const before = await this.descriptorsAtRest();
    // PostgreSQL's store looks for old rows every minute, over a connection that is then kept for half of one.
    before[2][SWEEPING] = Math.max(1, before[2][SWEEPING] ?? 0);
    const samples = [];
    // The second one is killed, and has another port then.
    const checked = [this.gateways[0], this.gateways[2]].flatMap((gateway) => [
      { gateway, port: gateway.port, limits: HEALTHY.onItsPort },
      { gateway, port: gateway.healthPort, limits: HEALTHY.onHealthPort },
    ]);
    const checks = await Promise.all(checked.map(({ gateway, port }) => gateway.checkHealth(port)));
    this.isInjecting = true;
    for (let round = 0; round < ROUNDS; round++) {
      const end = Date.now() + (seconds * 1000) / ROUNDS;
      let isOver = false;
      const faults = this.injected
        .injectWhile(() => Date.now() < end)
        .then(() => {
          isOver = true;
        });
      await this.load(() => !isOver, draw);
      await faults;
      const sample = await this.measure();
      samples.push(sample);
      console.log(
        `faults ${round + 1}/${ROUNDS}  ${this.ends.whole} whole; heap ${megabytes(sample.heapUsed)}, process ${megabytes(sample.rss)}, ${this.injected.happened.length} faults`,
      );
    }
    this.isInjecting = false;
    await this.loadFor(CALM, draw);
    const health = await Promise.all(checks.map((stop) => stop()));
    const after = await this.descriptorsAtRest(before);
    const stored = await this.findStored();
    const codes = await this.stop();
    const judged = this.verdict({ seconds, before, after, samples, stored, codes });
    const judgedHealth = checked.map(({ gateway: { name }, limits }, at) =>
      judgeHealth(name, health[at], this.times, limits),
    );
    return [...judged, ...judgedHealth];
  }

  async measure() {
    const end = this.times.begin(spanOf.measured(this.first.name), performance.now());
    const sample = await this.first.measure();
    end(performance.now());
    return sample;
  }

  loadFor(time, draw) {
    const end = Date.now() + time;
    return this.load(() => Date.now() < end, draw);
  }

  async load(goesOn, draw) {
    const client = async (at) => {
      while (goesOn()) await this.ask(draw(at));
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
  }

  async ask({ gateway, question }) {
    const number = ++this.asked;
    const { agent, random, times, model } = this;
    const isFilling = this.isCalm;
    const record = await exchange({ gateway, agent, number, question, random });
    const judged = judgeExchange(record, times, model.attempts.get(number) ?? []);
    this.ends[judged.kind]++;
    if (judged.fault) this.faults.push(`number ${number} at ${gateway.name} ${judged.fault}`);
    if (isFilling) this.filled++;
    if (judged.id !== undefined && !isFilling)
      this.stored.push({ id: judged.id, number, key: record.key, gateway });
    if (judged.kind === 'whole') this.wholes.get(gateway.name).push(record.start);
    if (this.isInjecting) this.count(judged, record);
    // A gateway that is gone refuses at once.
    if (judged.kind === 'cut') await wait(50);
  }

  count({ kind }, { manner }) {
    if (kind === 'whole') this.whole++;
    if ((kind === 'whole' || kind === 'left') && manner in this.byManner) this.byManner[manner]++;
  }

  /** When no client and no model is connected any more. PostgreSQL's idle connections are closed after 30 s. */
  async descriptorsAtRest(most) {
    this.agent.destroy();
    this.agent = new Agent({ keepAlive: true });
    await until(async () => (await this.model.connections()) === 0);
    const { redis, postgres, model } = this;
    const ports = new Map([
      [portOf(redis.url), 'Redis'],
      [portOf(postgres.url), 'PostgreSQL'],
      ...['a', 'b'].map((name) => [portOf(model.url(name)), 'the model']),
    ]);
    const look = () => this.gateways.map((gateway) => gateway.descriptors(ports));
    let least = look();
    for (let second = 0; second < 45; second++) {
      const isEnough = most && least.every((one, at) => judgeDescriptors('', most[at], one)[1]);
      if (isEnough) break;
      await wait(1000);
      const now = look();
      least = least.map((one, at) => (total(now[at]) <= total(one) ? now[at] : one));
    }
    return least;
  }

  /** Each by its owner, under a configuration that has its key; and some by another key. */
  async findStored() {
    const counts = { confirmed: this.stored.length, found: 0, strangers: 0, shown: 0 };
    for (const [name, owners, stranger] of [
      ['a', ['alice', 'bob'], { alice: 'bob', bob: 'alice' }],
      ['b', ['carol'], { carol: 'alice' }],
    ]) {
      await this.injected.use(name);
      const own = this.stored.filter(({ key }) => owners.includes(key));
      for (let at = 0; at < own.length; at += 20) {
        await Promise.all(
          own.slice(at, at + 20).map(async ({ id, number, key, gateway }) => {
            const { status, text } = await gateway.get(`/v1/responses/${id}`, key);
            if (status === 200 && text.includes(`\\"n\\":${number},`)) counts.found++;
          }),
        );
      }
      for (const { id, key, gateway } of own.slice(0, TRIED)) {
        counts.strangers++;
        if ((await gateway.get(`/v1/responses/${id}`, stranger[key])).status !== 404) counts.shown++;
      }
    }
    return counts;
  }

  async stop() {
    for (const { child } of this.gateways) child.kill('SIGTERM');
    return Promise.all(this.gateways.map(({ ended }) => ended));
  }

  async close() {
    for (const { child } of this.gateways) child.kill('SIGKILL');
    await Promise.all([this.redis.stop(), this.postgres.stop()]);
    this.agent.destroy();
    this.model.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  verdict({ seconds, before, after, samples, stored, codes }) {
    const least = Math.max(2, Math.floor(seconds / 30));
    const { kinds, happened } = this.injected;
    const repeated = [...this.model.attempts].flatMap(([number, attempts]) => {
      const fault = judgeAttempts(attempts);
      return fault ? [`number ${number} ${fault}`] : [];
    });
    const byCount = (what, counts) => [
      what,
      Object.values(counts).every((count) => count >= least),
      Object.entries(counts)
        .map(([kind, count]) => `${count} × ${kind}`)
        .join(', '),
    ];
    return [
      judgeAnswers(this.asked, this.ends, [...this.faults, ...repeated], this.filled),
      ['answers among faults', this.whole >= seconds, `${this.whole} whole in ${seconds} s`],
      judgeStored(stored),
      judgeFaults(kinds, happened, this.wholes, least),
      byCount('faults of the model', this.model.counts),
      byCount('clients, answered or left', this.byManner),
      judgeGrowth('heapUsed', samples, HEAP_GROWTH),
      judgeGrowth('rss', samples, RSS_GROWTH),
      ...this.gateways.map(({ name }, at) => judgeDescriptors(name, before[at], after[at])),
      judgeExits(codes),
    ];
  }
}

const portOf = (url) => Number(new URL(url).port);
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);
