// The gateway as a command over Redis, with faults at random: the first half of `npm run soak`. The model resets, breaks off, falls
// silent and refuses; clients read slowly, send slowly and leave; Redis is killed and started again, or held still; the
// configuration is read again, sometimes broken; the gateway is one of two, and the other is killed. The moments are
// drawn from a seed.
//
// Every question carries a number, and the model answers with it in a call. A whole answer must have its own number, once;
// an answer that the gateway confirmed as stored must be found, with its number; each question must have reached the model
// at most twice (one retry, before the first byte). At rest, the heap and the descriptors must be what they were.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { connect, createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findOrInstall } from '../debian.mjs';

const MB = 1024 * 1024;
const CLIENTS = 40;
/**
 * Answers before anything is measured: the turns that a gateway remembers have a bound of 16 Mi characters, which some
 * 12,000 small ones fill. They all go to the gateway that is measured.
 */
const REMEMBERED = 20_000;
/** The faults come in so many rounds; behind each the gateway is measured. In the first ones new code is still compiled. */
const ROUNDS = 12;
const WARM_ROUNDS = 3;
/** What the heap and the whole process may grow by, from the least of some warm rounds to the least of the last. */
const HEAP_GROWTH = 3 * MB;
const RSS_GROWTH = 32 * MB;
const measured = new URL('measured.mjs', import.meta.url).href;
const bin = fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// --- the model ------------------------------------------------------------------------------------------------

/** How often each number was asked, and how many of these were answered to the end. */
const asked = new Map();

async function startModel(random) {
  const server = createServer(async (question, response) => {
    if (question.method !== 'POST') return response.writeHead(404).end();
    let body = '';
    for await (const text of question.setEncoding('utf8')) body += text;
    const number = /number (\d+)\./g.exec(body.slice(body.lastIndexOf('number ')))?.[1] ?? '';
    asked.set(number, (asked.get(number) ?? 0) + 1);
    await answer(number, response, isFilling() ? 1 : random()).catch(() => {});
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

async function answer(number, response, fate) {
  if (fate < 0.04) return response.writeHead(503, { 'retry-after': '0' }).end('{"error":{"message":"busy"}}');
  if (fate < 0.06) return response.socket?.resetAndDestroy();
  const text = `Let me see. <tool_call>\n{"name": "look", "arguments": {"n": ${number}}}\n</tool_call>`;
  const pieces = text.match(/[\s\S]{1,9}/g);
  const breaks = fate < 0.12 ? Math.floor(fate * 100) : Number.POSITIVE_INFINITY;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [at, content] of pieces.entries()) {
    if (!isFilling()) await wait(3);
    if (response.destroyed) return;
    if (at === breaks && fate < 0.08) return response.socket?.resetAndDestroy();
    if (at === breaks && fate < 0.1) return response.end();
    // Silence: the gateway is to leave.
    if (at === breaks) return;
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  }
  response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
}

// --- processes ------------------------------------------------------------------------------------------------

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function start(command, argv, options = {}) {
  const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function freePort() {
  const server = createPlainServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function startRedis(folder) {
  const binary = await findOrInstall('redis-server');
  const port = await freePort();
  // What it confirmed outlives its process: with the default, everysec, writes wait up to two seconds for a slow disk
  // while clients have their answer already.
  const kept = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'no'];
  const argv = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, ...kept];
  let child;
  const listens = () =>
    new Promise((tell) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        tell(true);
      });
      socket.once('error', () => tell(false));
    });
  const restart = async () => {
    child = start(binary, argv.map(String), { stdio: 'ignore' });
    while (!(await listens())) await wait(20);
  };
  await restart();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    restart,
    async kill() {
      const ended = new Promise((tell) => child.once('exit', tell));
      child.kill('SIGKILL');
      await ended;
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
}

class Gateway {
  constructor(config) {
    this.config = config;
  }

  async start() {
    const flags = ['--expose-gc', '--import', measured];
    const argv = [...flags, bin, 'serve', '--config', this.config, '--port', '0', '--log', 'warn'];
    this.child = start(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    let said = '';
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
    this.ended = new Promise((tell) => this.child.once('exit', (code, signal) => tell(code ?? signal)));
    while (!said.includes('Stop with Ctrl-C.')) await wait(20);
    this.url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)[0];
  }

  async measure() {
    const told = new Promise((tell) => this.child.once('message', tell));
    this.child.send('measure');
    return { ...(await told), descriptors: readdirSync(`/proc/${this.child.pid}/fd`).length };
  }

  /** Idle connections are closed after some seconds. */
  async atRest(most) {
    let last = await this.measure();
    for (let second = 0; second < 40 && last.descriptors > most; second++) {
      await wait(1000);
      last = await this.measure();
    }
    return last;
  }

  async isReady() {
    return (await fetch(`${this.url}/readyz`).catch(() => undefined))?.status === 200;
  }
}

// --- the clients ----------------------------------------------------------------------------------------------

const counts = { whole: 0, failed: 0, left: 0, stored: 0, lost: 0, doubled: 0, wrong: 0, unended: 0 };
const stored = [];
const tools = [{ type: 'function', name: 'look', parameters: { properties: { n: { type: 'integer' } } } }];
let number = 0;
const isFilling = () => counts.whole < REMEMBERED;

/** How a stream of Responses ended: with its answer, with an error, or without a word. */
function judge(text, own) {
  const types = [...text.matchAll(/^event: (\S+)$/gm)].map(([, type]) => type);
  const ends = types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type));
  if (ends.length > 1) counts.doubled++;
  else if (ends.length === 0) counts.unended += types.includes('error') ? 0 : 1;
  if (ends[0] !== 'response.completed') return counts.failed++;
  const data = text.slice(text.lastIndexOf('data: ') + 6).split('\n')[0];
  const { response } = JSON.parse(data);
  const calls = response.output.filter(({ type }) => type === 'function_call');
  if (calls.length > 1) counts.doubled++;
  else if (calls.length === 0 || JSON.parse(calls[0].arguments).n !== own) counts.wrong++;
  else counts.whole++;
  if (response.store === true && !isFilling() && stored.length < 20_000) stored.push([response.id, own]);
}

function exchange(url, agent, random) {
  const own = ++number;
  const body = JSON.stringify({ model: 'm', stream: true, tools, input: `What is number ${own}.` });
  const fate = isFilling() ? 0.5 : random();
  return new Promise((over) => {
    // The other gateway may be dead for a moment.
    const left = () => {
      counts.left++;
      setTimeout(over, 50);
    };
    const sent = request(`${url}/v1/responses`, { method: 'POST', agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
        if (fate < 0.1) response.pause() && setTimeout(() => response.resume(), 20);
      });
      response.on('error', left).on('end', () => {
        if (response.statusCode === 200) judge(text, own);
        else counts.failed++;
        over();
      });
    });
    sent.on('error', left);
    if (fate > 0.9) setTimeout(() => sent.destroy(), random() * 60).unref();
    if (fate > 0.8 && fate < 0.85) {
      // A body in pieces.
      for (let at = 0; at < body.length; at += 40)
        setTimeout(() => sent.write(body.slice(at, at + 40)), at / 2);
      setTimeout(() => sent.end(), body.length / 2 + 20);
    } else sent.end(body);
  });
}

// --- the faults -----------------------------------------------------------------------------------------------

function faultsOf({ redis, config, path, other, random }) {
  const told = { reloads: 0, broken: 0, kills: 0, pauses: 0, others: 0 };
  const faults = [
    async () => {
      told.reloads++;
      writeFileSync(path, config(`# ${random()}`));
    },
    async () => {
      told.broken++;
      writeFileSync(path, config('').slice(0, Math.floor(random() * 60)));
      await wait(300);
      writeFileSync(path, config(`# ${random()}`));
    },
    async () => {
      told.kills++;
      await redis.kill();
      await wait(random() * 1500);
      await redis.restart();
    },
    async () => {
      told.pauses++;
      redis.pause();
      await wait(random() * 2500);
      redis.resume();
    },
    async () => {
      told.others++;
      other.child.kill('SIGKILL');
      await other.ended;
      await other.start();
    },
  ];
  return { told, next: () => faults[Math.floor(random() * faults.length)]() };
}

const megabytes = (bytes) => `${(bytes / MB).toFixed(1)} MB`;

export async function soakWithFaults(seconds, seed) {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-soak-'));
  const model = await startModel(createRandom(seed + 1));
  const redis = await startRedis(folder);
  const url = `http://127.0.0.1:${model.address().port}/v1`;
  const config = (note) =>
    `upstream: { url: ${url}, kind: chat, timeouts: { idle: 300ms } }\ndialect: hermes\nstore: ${redis.url}\n${note}\n`;
  const path = join(folder, 'soak.yaml');
  writeFileSync(path, config(''));
  const [gateway, other] = [new Gateway(path), new Gateway(path)];
  await Promise.all([gateway.start(), other.start()]);
  const agent = new Agent({ keepAlive: true });
  const { told, next } = faultsOf({ redis, config, path, other, random });
  const load = async (goesOn) => {
    const client = async (at) => {
      while (goesOn()) await exchange(at % 4 === 0 && !isFilling() ? other.url : gateway.url, agent, random);
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
  };
  // What is warmed up and remembered by design comes first, then as much with faults.
  await load(isFilling);
  console.log(`faults: all that is remembered is full after ${counts.whole} answers`);
  const warm = Date.now() + seconds * 100;
  await load(() => Date.now() < warm);
  const base = await gateway.atRest(60);
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    let goesOn = true;
    const faults = (async () => {
      for (; goesOn; await wait(200 + random() * 2000)) await next();
    })();
    const end = Date.now() + (seconds * 900) / ROUNDS;
    await load(() => Date.now() < end);
    goesOn = false;
    await faults;
    while (!(await gateway.isReady())) await wait(100);
    const sample = await gateway.measure();
    samples.push(sample);
    console.log(
      `faults ${round + 1}/${ROUNDS}  ${counts.whole} whole; heap ${megabytes(sample.heapUsed)}, process ${megabytes(sample.rss)}, ${sample.descriptors} descriptors`,
    );
  }
  agent.destroy();
  const last = await gateway.atRest(base.descriptors);
  await findStored(gateway.url);
  for (const one of [gateway, other]) one.child.kill('SIGTERM');
  const codes = await Promise.all([gateway.ended, other.ended]);
  await redis.kill();
  model.closeAllConnections();
  model.close();
  rmSync(folder, { recursive: true, force: true });
  return verdict({ base, samples, last, codes, told, seed });
}

async function findStored(url) {
  for (let at = 0; at < stored.length; at += 20) {
    await Promise.all(
      stored.slice(at, at + 20).map(async ([id, own]) => {
        const found = await fetch(`${url}/v1/responses/${id}`);
        const text = await found.text();
        if (found.status === 200 && text.includes(`\\"n\\":${own}}`)) counts.stored++;
        else counts.lost++;
      }),
    );
  }
}

function growth(samples, what) {
  const least = (some) => Math.min(...some.map((one) => one[what]));
  return least(samples.slice(-3)) - least(samples.slice(WARM_ROUNDS, WARM_ROUNDS + 3));
}

function verdict({ base, samples, last, codes, told, seed }) {
  const most = Math.max(0, ...asked.values());
  return [
    [
      'answers',
      counts.whole > 0 && counts.wrong + counts.doubled === 0,
      `${counts.whole} whole, ${counts.failed} failed, ${counts.left} left, ${counts.wrong} wrong, ${counts.doubled} doubled; seed ${seed}`,
    ],
    ['ends', counts.unended === 0, `${counts.unended} streams ended without a word`],
    ['stored answers', counts.lost === 0 && counts.stored > 0, `${counts.stored} found, ${counts.lost} lost`],
    ['questions', most <= 2, `${asked.size} asked, one of them ${most} times`],
    [
      'the heap',
      growth(samples, 'heapUsed') <= HEAP_GROWTH,
      `grew by ${megabytes(growth(samples, 'heapUsed'))}`,
    ],
    ['the process', growth(samples, 'rss') <= RSS_GROWTH, `grew by ${megabytes(growth(samples, 'rss'))}`],
    [
      'descriptors',
      last.descriptors <= base.descriptors,
      `${base.descriptors} before, ${last.descriptors} after`,
    ],
    ['faults', Object.values(told).some((count) => count > 0), JSON.stringify(told)],
    ['the exits', codes.every((code) => code === 0), `codes ${codes}`],
  ];
}
