// A gateway under load for a while: `npm run soak`, or `npm run soak -- 2` for two minutes. Clients read, leave, read
// slowly; the model answers, breaks off, refuses, falls silent. In each pause the gateway is measured, and at the end
// nothing may have grown and no descriptor may be left. Linux only, where descriptors can be counted.

import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MB = 1024 * 1024;
const CLIENTS = 120;
const ROUNDS = 24;
/** What the heap and the whole process may grow by, from the first quarter of the rounds to the last. */
const HEAP_GROWTH = 3 * MB;
const RSS_GROWTH = 32 * MB;

// --- the gateway: a process of its own ------------------------------------------------------------------------

async function gateway(url) {
  const { configFromFlags, serve } = await import('../packages/gateway/dist/index.js');
  const { config } = configFromFlags(
    { upstream: url, dialect: 'hermes', port: 0, inspect: 20, log: 'info' },
    {},
  );
  const [[name, upstream]] = config.upstreams;
  const timeouts = { ...upstream.timeouts, idle: 300 };
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
  const fate = Math.random();
  if (fate < 0.05) return response.writeHead(503, { 'retry-after': '0' }).end('{"error":{"message":"busy"}}');
  const breaks = fate < 0.2 ? 3 + Math.floor(fate * 50) : Number.POSITIVE_INFINITY;
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  for (const [at, content] of words.entries()) {
    await wait(5);
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

/** One exchange, whatever becomes of it. */
function exchange(url, agent) {
  const [path, body] = requests[Math.floor(Math.random() * requests.length)];
  const fate = Math.random();
  return new Promise((over) => {
    const end = (how) => {
      counts[how]++;
      over();
    };
    const asked = request(url + path, { method: 'POST', agent }, (response) => {
      response.on('end', () => end('read')).on('error', () => end('left'));
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

async function load(url, agent, until) {
  const client = async () => {
    while (Date.now() < until) await exchange(url, agent);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

// --- the soak -------------------------------------------------------------------------------------------------

async function soak(minutes) {
  const model = await startModel();
  const env = { ...process.env, SOAK_MODEL: `http://127.0.0.1:${model.address().port}/v1` };
  const child = fork(fileURLToPath(import.meta.url), [], { env, execArgv: ['--expose-gc'] });
  const told = () => new Promise((tell) => child.once('message', tell));
  const measure = () => {
    child.send('measure');
    return told();
  };
  const { url } = await told();
  const agent = new Agent({ keepAlive: true });
  const base = await measure();
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    await load(url, agent, Date.now() + (minutes * 60_000) / ROUNDS);
    await wait(500);
    const sample = await measure();
    samples.push(sample);
    const shown = Object.entries(counts).map(([how, count]) => `${count} ${how}`);
    console.log(
      `${round + 1}/${ROUNDS}  ${shown.join(', ')}; heap ${megabytes(sample.heapUsed)}, process ${megabytes(sample.rss)}, ${sample.descriptors} descriptors, ${sample.open} open`,
    );
  }
  agent.destroy();
  // Idle connections to the model are closed by it after five seconds.
  await wait(7000);
  const last = await measure();
  child.send('close');
  const code = await new Promise((tell) => child.once('exit', tell));
  model.close();
  process.exitCode = judge(base, samples, last, code);
}

/** The least of each quarter: what cannot be collected. */
function growth(samples, what) {
  const quarter = ROUNDS / 4;
  const least = (some) => Math.min(...some.map((one) => one[what]));
  return least(samples.slice(-quarter)) - least(samples.slice(quarter / 2, quarter + quarter / 2));
}

function judge(base, samples, last, code) {
  const found = [
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
    ['exchanges', last.open === 0 && samples.every(({ open }) => open === 0), `${last.open} open at the end`],
    ['answers', counts.failed === 0, `${counts.read} read, ${counts.left} left, ${counts.failed} broken off`],
    ['the exit', code === 0, `code ${code}`],
  ];
  for (const [what, holds, says] of found) console.log(`${holds ? 'good' : 'BAD '}  ${what}: ${says}`);
  return found.every(([, holds]) => holds) ? 0 : 1;
}

function megabytes(bytes) {
  return `${(bytes / MB).toFixed(1)} MB`;
}

if (process.env.SOAK_MODEL === undefined) await soak(Number(process.argv[2] ?? 10));
else await gateway(process.env.SOAK_MODEL);
