// Gateways under load: `npm run soak`, or `npm run soak -- --seconds 60` for one minute of faults instead of ten. The
// whole time goes to gateways with faults around them, at moments drawn from `--seed` (faults.mjs). Then a quarter of it
// without those: clients read, leave, read slowly; the model answers, breaks off, refuses, falls silent. In each pause the
// gateway is measured, and at the end nothing may have grown and no descriptor may be left. Then a thousand paced streams
// at once: while they run nothing may grow, either. Linux only, where descriptors can be counted.
//
// What the gateway remembers by design has its bound: 10,000 entries of Responses, 20 exchanges of the inspector. It is
// filled before anything is measured, by whole answers that come at once; until then the heap grows, and should.

import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { soakWithFaults } from './faults.mjs';
import { judgeDescriptors, judgeExits, judgeGrowth } from './judge.mjs';
import { FILL, openStreams, PERIOD, PIECE_GROWTH, startPacedModel } from './paced.mjs';

const MB = 1024 * 1024;
const CLIENTS = 120;
const ROUNDS = 24;
/** What the heap and the whole process may grow by, from the second quarter of the rounds to the last. */
const HEAP_GROWTH = 3 * MB;
const RSS_GROWTH = 32 * MB;
/** Answers of Responses that are read before anything is measured: each leaves an entry or more, and the oldest goes. */
const REMEMBERED = 10_000;
const STREAMS = 1000;

// --- the gateway: a process of its own ------------------------------------------------------------------------

async function gateway(url, idle) {
  const { configFromFlags, serve } = await import('../../packages/gateway/dist/index.js');
  const { config } = configFromFlags(
    // The inspector keeps what is said while it is said: not where that is measured.
    { upstream: url, dialect: 'hermes', port: 0, inspect: idle ? 20 : 0, log: 'info' },
    {},
  );
  const [[name, upstream]] = config.upstreams;
  const timeouts = { ...upstream.timeouts, ...(idle && { idle }) };
  const running = await serve(
    { ...config, upstreams: new Map([[name, { ...upstream, timeouts }]]), shutdownSeconds: 1 },
    { write: () => {} },
  );
  let closed = false;
  process.on('message', async (what) => {
    if (what === 'measure') process.send(measured(running.app.open));
    else {
      await running.close();
      closed = true;
      process.disconnect();
    }
  });
  // Closed, it must end by itself.
  process.on('disconnect', () => closed || process.exit(1));
  process.send({ url: running.url });
}

function measured(open) {
  for (let n = 0; n < 3; n++) globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return { open, heapUsed, rss, descriptors: readdirSync('/proc/self/fd').length };
}

// --- the model ------------------------------------------------------------------------------------------------

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';
const words = `Let me see what the weather is like over there. ${call}`.match(/[\s\S]{1,6}/g);

function startModel() {
  const server = createServer((asked, response) => {
    let body = '';
    asked.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    asked.on('end', () => answer(JSON.parse(body), response));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function answer({ stream }, response) {
  const fate = isFilling() ? 1 : Math.random();
  if (fate < 0.05) return response.writeHead(503, { 'retry-after': '0' }).end('{"error":{"message":"busy"}}');
  const breaks = fate < 0.2 ? 3 + Math.floor(fate * 50) : Number.POSITIVE_INFINITY;
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  for (const [at, content] of words.entries()) {
    if (!isFilling()) await wait(5);
    if (response.destroyed) return;
    if (at === breaks && fate < 0.1) return response.socket?.resetAndDestroy();
    if (at === breaks && fate < 0.15) return response.end();
    // Silence: the gateway is to leave.
    if (at === breaks) return;
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  }
  response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
}

// --- the clients ----------------------------------------------------------------------------------------------

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const content = `What is the weather in Beijing? ${'And mind the wind. '.repeat(500)}`;
const messages = [{ role: 'user', content }];
const requests = [
  [
    '/v1/chat/completions',
    { messages, tools: [{ type: 'function', function: { name: 'get_weather', parameters: schema } }] },
  ],
  ['/v1/messages', { messages, max_tokens: 100, tools: [{ name: 'get_weather', input_schema: schema }] }],
  [
    '/v1/responses',
    { input: content, tools: [{ type: 'function', name: 'get_weather', parameters: schema }] },
  ],
];
const counts = { read: 0, left: 0, failed: 0 };
let remembered = 0;
const isFilling = () => remembered < REMEMBERED;

/** One exchange, whatever becomes of it. */
function exchange(url, agent) {
  const [path, body] = requests[isFilling() ? 2 : Math.floor(Math.random() * requests.length)];
  const fate = isFilling() ? 1 : Math.random();
  return new Promise((over) => {
    const end = (how) => {
      counts[how]++;
      over();
    };
    const asked = request(url + path, { method: 'POST', agent }, (response) => {
      response.on('end', () => {
        if (path === '/v1/responses') remembered++;
        end('read');
      });
      response.on('error', () => end(fate < 0.2 ? 'left' : 'failed'));
      if (fate > 0.2 && fate < 0.3)
        response.once('data', () => response.pause() && setTimeout(() => response.resume(), 200));
      response.resume();
    });
    asked.on('error', (error) => {
      if (fate >= 0.2)
        console.log(`broken off: ${error.message}, on a ${asked.reusedSocket ? 'kept' : 'new'} connection`);
      end(fate < 0.2 ? 'left' : 'failed');
    });
    asked.end(JSON.stringify({ model: 'm', stream: fate < 0.8, ...body }));
    if (fate < 0.2) setTimeout(() => asked.destroy(), fate * 1000);
  });
}

async function load(url, agent, goesOn) {
  const client = async () => {
    while (goesOn()) await exchange(url, agent);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

// --- the soak -------------------------------------------------------------------------------------------------

/** A gateway before a model, in a process of its own. */
async function startGateway(url, idle) {
  const env = { ...process.env, SOAK_MODEL: url, SOAK_IDLE: idle };
  const child = fork(fileURLToPath(import.meta.url), [], { env, execArgv: ['--expose-gc'] });
  const told = () => new Promise((tell) => child.once('message', tell));
  const { url: address } = await told();
  return {
    url: address,
    measure() {
      child.send('measure');
      return told();
    },
    /** Idle connections to the model are closed by it after five seconds. */
    async atRest(base) {
      for (let second = 0; ; second++) {
        const last = await this.measure();
        if (last.descriptors <= base.descriptors || second === 30) return last;
        await wait(1000);
      }
    },
    close() {
      child.send('close');
      return new Promise((tell) => child.once('exit', tell));
    },
  };
}

async function soak(minutes) {
  const model = await startModel();
  const gateway = await startGateway(`http://127.0.0.1:${model.address().port}/v1`, '300');
  const agent = new Agent({ keepAlive: true });
  const base = await gateway.measure();
  await load(gateway.url, agent, isFilling);
  const filled = counts.read;
  console.log(`all that is remembered is full after ${filled} answers`);
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    const end = Date.now() + (minutes * 60_000) / ROUNDS;
    await load(gateway.url, agent, () => Date.now() < end);
    await wait(500);
    const sample = await gateway.measure();
    samples.push(sample);
    const shown = Object.entries(counts).map(([how, count]) => `${count} ${how}`);
    console.log(
      `${round + 1}/${ROUNDS}  ${shown.join(', ')}; heap ${megabytes(sample.heapUsed)}, process ${megabytes(sample.rss)}, ${sample.descriptors} descriptors, ${sample.open} open`,
    );
  }
  agent.destroy();
  const last = await gateway.atRest(base);
  const code = await gateway.close();
  model.close();
  return judge({ base, samples, last, code, filled });
}

/** L23. A tick a second, so that most of the time nothing happens, as with people who read. */
async function pace(minutes) {
  const model = await startPacedModel();
  const gateway = await startGateway(model.url, '');
  const base = await gateway.measure();
  const streams = openStreams(gateway.url, STREAMS);
  const until = async (holds) => {
    for (let tries = 0; !holds() && tries < 600; tries++) await wait(100);
  };
  await until(() => model.open === STREAMS);
  let ticks = 0;
  const tick = async (count) => {
    for (const end = ticks + count; ticks < end; ticks++) {
      model.tick();
      await Promise.all([wait(1000), until(() => streams.seen.pieces >= (ticks + 1) * STREAMS)]);
    }
  };
  // The end of an answer that is kept is cut every few pieces: only the least of some samples says what stays.
  const least = async () => {
    const held = [];
    for (let sample = 0; sample < PERIOD; sample++) {
      await tick(1);
      held.push(await gateway.measure());
    }
    return held.reduce((a, b) => (b.heapUsed < a.heapUsed ? b : a));
  };
  await tick(FILL);
  const first = await least();
  // One piece more or less lies in a buffer: 113 bytes a tick, if there are eighteen of them.
  const more = Math.max(2 * PERIOD, Math.round(minutes * 6));
  await tick(more);
  const second = await least();
  model.end();
  await streams.over;
  const last = await gateway.atRest(base);
  const code = await gateway.close();
  await model.close();
  const { pieces, whole, broken } = streams.seen;
  const grown = (second.heapUsed - first.heapUsed) / (more + PERIOD) / STREAMS;
  return tell([
    [
      'streams',
      whole === STREAMS && second.open === STREAMS,
      `${whole} whole, ${broken} broken off, ${pieces} pieces`,
    ],
    [
      'the heap while they run',
      grown <= PIECE_GROWTH,
      `${grown.toFixed(0)} bytes a piece, ${megabytes(second.heapUsed)} in all`,
    ],
    judgeDescriptors('the gateway', { all: base.descriptors }, { all: last.descriptors }),
    judgeExits([code]),
  ]);
}

function judge({ base, samples, last, code, filled }) {
  const isOpen = last.open > 0 || samples.some(({ open }) => open > 0);
  return tell([
    judgeGrowth('heapUsed', samples, HEAP_GROWTH),
    judgeGrowth('rss', samples, RSS_GROWTH),
    judgeDescriptors('the gateway', { all: base.descriptors }, { all: last.descriptors }),
    ['exchanges', !isOpen, `${last.open} open at the end`],
    [
      'answers',
      counts.failed === 0 && counts.read > filled,
      `${counts.read - filled} read, ${counts.left} left, ${counts.failed} broken off`,
    ],
    judgeExits([code]),
  ]);
}

function tell(found) {
  for (const [what, holds, says] of found) console.log(`${holds ? 'good' : 'BAD '}  ${what}: ${says}`);
  return found.every(([, holds]) => holds);
}

function megabytes(bytes) {
  return `${(bytes / MB).toFixed(1)} MB`;
}

/** Of `--seconds 60`. */
function optionOf(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? fallback : Number(process.argv[at + 1]);
  if (!Number.isFinite(value) || value < 1) throw new Error(`--${name}: expected a number`);
  return value;
}

if (process.env.SOAK_MODEL === undefined) {
  const seconds = optionOf('seconds', 600);
  const seed = optionOf('seed', Date.now() % 100_000);
  const minutes = seconds / 240;
  const held = [tell(await soakWithFaults(seconds, seed)), await soak(minutes), await pace(minutes)];
  process.exitCode = held.every(Boolean) ? 0 : 1;
} else await gateway(process.env.SOAK_MODEL, Number(process.env.SOAK_IDLE));
