// `dragoman serve --workers`: several processes that act as one gateway.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environment, ServeProcess } from './serve-process.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-workers-'));
const running = new Set<ServeProcess>();

// --- a model that thinks, and holds its streams open while it is told to -----------------------------------------

const HELLO = '<think>\nA secret thought.\n</think>\n\nHello.';
let says = HELLO;
let holds = false;
let bodies: string[] = [];
const held = new Set<ServerResponse>();
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const END = `${chunk({}, 'stop')}data: [DONE]\n\n`;

const model = createServer(async (asked, response) => {
  let body = '';
  for await (const piece of asked) body += piece;
  if (asked.method === 'GET') return void response.writeHead(404).end();
  bodies.push(body);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ content: says }));
  if (!holds) return void response.end(END);
  held.add(response);
  response.on('close', () => held.delete(response));
});

beforeAll(() => new Promise<void>((ready) => model.listen(0, '127.0.0.1', ready)));
beforeEach(() => {
  says = HELLO;
  holds = false;
  bodies = [];
});
afterEach(async () => {
  for (const gateway of running) await gateway.stop('SIGKILL');
  running.clear();
});
afterAll(() => {
  model.closeAllConnections();
  model.close();
  rmSync(folder, { recursive: true });
});

// --- a gateway -----------------------------------------------------------------------------------------------------

const KEY = 'a-key-of-some-length';
const OTHER_KEY = 'another-key-of-some-length';

interface Settings {
  config?: object;
  argv?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

function write(config: object | string): void {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writeFileSync(join(folder, 'workers.json'), text);
}

function configOf(more: object): object {
  const { port } = model.address() as AddressInfo;
  const upstream = { kind: 'chat', url: `http://127.0.0.1:${port}/v1`, engine: 'none' };
  return { upstream, models: ['m'], dialect: 'hermes', workers: 2, port: 0, ...more };
}

async function start({ config = {}, argv = [], env = {} }: Settings = {}): Promise<ServeProcess> {
  write(configOf(config));
  const gateway = new ServeProcess(['--config', 'workers.json', ...argv], folder, environment(env));
  running.add(gateway);
  await gateway.says('Stop with Ctrl-C.');
  return gateway;
}

function workersOf({ child }: ServeProcess): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

async function until(isTrue: () => unknown, what: string): Promise<void> {
  for (let waits = 0; !(await isTrue()); waits++) {
    if (waits > 1500) throw new Error(`it did not happen: ${what}`);
    await sleep(20);
  }
}

interface Answered {
  status: number;
  text: string;
  /** Whether the answer was whole. */
  complete: boolean;
}

/** Sends a request on a connection of its own: connections go to the workers in turn. `begun` is called with its text. */
function send(
  { url }: ServeProcess,
  path: string,
  body?: object,
  begun: (text: string) => unknown = () => {},
  key = KEY,
): Promise<Answered> {
  return new Promise((tell, fail) => {
    const headers = { 'x-api-key': key };
    const options = { method: body ? 'POST' : 'GET', headers, agent: false };
    const asked = request(url + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        begun(text);
      });
      const over = () => tell({ status: response.statusCode ?? 0, text, complete: response.complete });
      response.on('end', over).on('error', over);
    });
    asked.on('error', fail).end(body && JSON.stringify(body));
  });
}

const question = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const ask = (gateway: ServeProcess, body: object = question) => send(gateway, '/v1/chat/completions', body);

/** Opens streams one after the other, which the model holds open. */
async function openStreams(gateway: ServeProcess, count: number): Promise<Promise<Answered>[]> {
  holds = true;
  const streams: Promise<Answered>[] = [];
  for (let at = 0; at < count; at++)
    await new Promise<void>((begun) => {
      const body = { ...question, stream: true };
      const seen = (text: string) => text.includes('Hello.') && begun();
      streams.push(send(gateway, '/v1/chat/completions', body, seen));
    });
  return streams;
}

function endStreams(): void {
  for (const response of held) response.end(END);
}

/** The value of a metric, all label sets together. */
async function metric(gateway: ServeProcess, name: string): Promise<number> {
  const { text } = await send(gateway, '/metrics');
  const lines = text.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Streams are finished, and new requests refused. */
async function stopsInOrder(gateway: ServeProcess): Promise<void> {
  const streams = await openStreams(gateway, 4);
  gateway.child.kill('SIGTERM');
  await gateway.says('stopping open=4');
  await until(async () => (await send(gateway, '/healthz')).status === 503, 'it is closing');
  expect((await ask(gateway)).status).toBe(503);
  endStreams();
  for (const { complete, text } of await Promise.all(streams))
    expect([complete, text.includes('[DONE]')]).toEqual([true, true]);
  expect(await gateway.ended).toBe(0);
  expect(gateway.stderr).toBe('');
}

describe('several workers', () => {
  it('share port, responses, seals, rate limits, metrics and the inspector', async () => {
    const keys = [{ name: 'k', key: KEY, requestsPerMinute: 8, admin: true }];
    const gateway = await start({ config: { keys, inspect: 4, store: 'memory:' } });
    expect(gateway.stdout.match(/Dragoman answers at \S+ with 2 workers\n/g)).toHaveLength(1);
    expect(workersOf(gateway)).toHaveLength(2);
    // They collect garbage by themselves only where no core is left for other threads.
    const flags = execFileSync('pgrep', ['-a', '-P', String(gateway.child.pid)], { encoding: 'utf8' });
    expect(flags.includes('--single-threaded-gc')).toBe(availableParallelism() <= 2);
    const watched: string[] = [];
    void send(gateway, '/inspector/events?only=list', undefined, (text) => watched.push(text)).catch(
      () => {},
    );
    // The worker that answers this is not the one that the next request goes to.
    const first = JSON.parse((await send(gateway, '/v1/responses', { model: 'm', input: 'Hi' })).text);
    for (let turn = 0; turn < 2; turn++) {
      const next = { model: 'm', input: 'And?', previous_response_id: first.id };
      expect((await send(gateway, '/v1/responses', next)).status).toBe(200);
      expect(bodies.at(-1)).toContain('Hello.');
    }
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }];
    const stateless = { model: 'm', store: false, include: ['reasoning.encrypted_content'], tools };
    const sealed = JSON.parse((await send(gateway, '/v1/responses', { ...stateless, input: 'Hi' })).text);
    const [thought] = sealed.output;
    expect(thought.encrypted_content).toMatch(/^dragoman1\./);
    for (let turn = 0; turn < 2; turn++) {
      const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' };
      const result = { type: 'function_call_output', call_id: 'c1', output: 'Sunny' };
      const input = [{ role: 'user', content: 'Hi' }, { ...thought, summary: [] }, call, result];
      expect((await send(gateway, '/v1/responses', { ...stateless, input })).status).toBe(200);
      expect(bodies.at(-1)).toContain('A secret thought.');
    }
    // Six so far.
    const statuses = [];
    for (let turn = 0; turn < 4; turn++) statuses.push((await ask(gateway)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(await metric(gateway, 'dragoman_requests_total')).toBe(10);
    expect(await metric(gateway, 'dragoman_workers')).toBe(2);
    await gateway.says('worker=1');
    await gateway.says('worker=2');
    const { text } = await send(gateway, '/inspector/exchanges');
    const { exchanges } = JSON.parse(text) as { exchanges: { id: string; time: string; status: number }[] };
    expect(exchanges.map(({ status }) => status)).toEqual([429, 429, 200, 200]);
    expect(exchanges.map(({ time }) => time)).toEqual(
      exchanges
        .map(({ time }) => time)
        .sort()
        .reverse(),
    );
    for (const { id } of exchanges)
      expect(JSON.parse((await send(gateway, `/inspector/exchanges/${id}`)).text)).toMatchObject({ id });
    await until(() => watched.at(-1)?.match(/event: exchange-end/g)?.length === 10, 'all ends are seen live');
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(gateway.stderr).toBe('');
  });

  it.each(['auto', 'memory'])(
    'send a turn back as its model wrote it, without a store, turns: %s',
    async (turns) => {
      const keys = [
        { name: 'k', key: KEY },
        { name: 'other', key: OTHER_KEY },
      ];
      const gateway = await start({ config: { keys, store: 'none', turns } });
      says = 'Well:  <tool_call>{"name" : "look",  "arguments":{ }}</tool_call>';
      const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
      const first = await ask(gateway, { ...question, tools });
      const { message } = JSON.parse(first.text).choices[0];
      const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Sunny' };
      const next = { ...question, tools, messages: [...question.messages, message, result] };
      const written = JSON.stringify(says).slice(1, -1);
      says = 'Fine.';
      /** Whether the model gets its words, by the workers in turn. */
      const round = async (key: string) => {
        bodies = [];
        for (let turn = 0; turn < 4; turn++)
          expect((await send(gateway, '/v1/chat/completions', next, undefined, key)).status).toBe(200);
        return bodies.map((body) => body.includes(written));
      };
      // A request waits 50 ms for the words, which may be too short on a busy machine; a later one has them.
      const rounds = [await round(KEY)];
      while (rounds.length < 10 && rounds.at(-1)?.includes(false)) rounds.push(await round(KEY));
      expect(rounds.at(-1)).toEqual([true, true, true, true]);
      expect(await round(OTHER_KEY)).toEqual([false, false, false, false]);
      for (const worker of [1, 2]) await gateway.says(`worker=${worker}`);
    },
  );

  it('hand a connection on that a worker was given in the moment of its death', async () => {
    const gateway = await start();
    const [stopped = 0] = workersOf(gateway);
    // It takes nothing any more, but the primary process does not know.
    process.kill(stopped, 'SIGSTOP');
    const asked = Array.from({ length: 4 }, () => ask(gateway));
    await until(() => bodies.length > 0, 'the other worker answers');
    await sleep(200);
    process.kill(stopped, 'SIGKILL');
    const answers = await Promise.all(asked);
    expect(answers.map(({ status, complete }) => [status, complete])).toEqual(asked.map(() => [200, true]));
  });

  it('lose only the streams of one that is killed, replace it, count on, and finish their streams at the end', async () => {
    const gateway = await start({ config: { limits: { requests: 6 } } });
    const before = workersOf(gateway);
    for (let turn = 0; turn < 4; turn++) expect((await ask(gateway)).status).toBe(200);
    const streams = await openStreams(gateway, 6);
    const refused = await ask(gateway);
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('at most 6 requests at once'),
    ]);
    const counted = await metric(gateway, 'dragoman_requests_total');
    expect(await metric(gateway, 'dragoman_streams_open')).toBe(6);
    process.kill(before[0] as number, 'SIGKILL');
    await gateway.says('a worker ended, with its streams; another takes its place');
    expect(await metric(gateway, 'dragoman_requests_total')).toBeGreaterThanOrEqual(counted);
    await until(() => held.size < 6, 'the model is left by the streams of one worker');
    await until(async () => (await metric(gateway, 'dragoman_workers')) === 2, 'there are two again');
    endStreams();
    const ended = await Promise.all(streams);
    const whole = ended.filter(({ complete, text }) => complete && text.includes('[DONE]')).length;
    // Connections go to the workers in turn, but a busy one may be passed over.
    expect([1, 2, 3, 4, 5]).toContain(whole);
    holds = false;
    for (let turn = 0; turn < 4; turn++) expect((await ask(gateway)).status).toBe(200);
    expect(await metric(gateway, 'dragoman_requests_total')).toBe(counted + whole + 4);
    expect(await metric(gateway, 'dragoman_workers_replaced_total')).toBe(1);
    expect(workersOf(gateway)).not.toEqual(before);
    await stopsInOrder(gateway);
  });

  it('read a changed file all at once, and keep the old one if it is broken, also one that starts later; end with the first process', async () => {
    const gateway = await start();
    const answers = async (name: string) =>
      (await Promise.all([1, 2, 3, 4].map(() => ask(gateway, { ...question, model: name })))).map(
        ({ status }) => status,
      );
    expect(await answers('m')).toEqual([200, 200, 200, 200]);
    write(configOf({ models: ['other'], inspect: 3 }));
    await gateway.says('these change with a restart only waiting=["inspect"]');
    expect(await answers('other')).toEqual([200, 200, 200, 200]);
    expect(await answers('m')).toEqual([404, 404, 404, 404]);
    write('{');
    await gateway.says('so the old one stays');
    for (const pid of workersOf(gateway)) process.kill(pid, 'SIGKILL');
    const { url } = gateway;
    await until(
      () =>
        // A connection that was handed to a worker in the moment of its death is never answered.
        fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      'it answers again',
    );
    await until(async () => (await metric(gateway, 'dragoman_workers')) === 2, 'there are two again');
    expect(await answers('other')).toEqual([200, 200, 200, 200]);
    expect(await send(gateway, '/inspector/exchanges')).toMatchObject({ status: 404 });
    const workers = workersOf(gateway);
    expect(workers).toHaveLength(2);
    await gateway.stop('SIGKILL');
    for (const pid of workers)
      await until(() => !isAlive(pid), 'a worker ends with the process that started it');
  });

  it('all get a large file that is read again, also one that is starting then', async () => {
    const preload = join(folder, 'slow.cjs');
    const flag = join(folder, 'waits');
    const isThere = join(folder, 'is-there');
    // A worker has its configuration when it begins to listen, and listens when the flag is gone.
    writeFileSync(
      preload,
      `const { existsSync, writeFileSync } = require('fs');
      const { Server } = require('net');
      const { listen } = Server.prototype;
      Server.prototype.listen = function (...where) {
        if (!require('cluster').isWorker || !existsSync(${JSON.stringify(flag)})) return listen.apply(this, where);
        writeFileSync(${JSON.stringify(isThere)}, '');
        const timer = setInterval(() => {
          if (existsSync(${JSON.stringify(flag)})) return;
          clearInterval(timer);
          listen.apply(this, where);
        }, 20);
        return this;
      };`,
    );
    const gateway = await start({ env: { NODE_OPTIONS: `--require ${preload}` } });
    writeFileSync(flag, '');
    const [first = 0] = workersOf(gateway);
    process.kill(first, 'SIGKILL');
    await until(() => existsSync(isThere), 'another worker starts');
    write(configOf({ models: Array.from({ length: 3000 }, (_, at) => `model-${at}`) }));
    await gateway.says('the configuration was read again');
    rmSync(flag);
    await until(async () => (await metric(gateway, 'dragoman_workers')) === 2, 'there are two again');
    const last = { ...question, model: 'model-2999' };
    const statuses = async () =>
      (await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask(gateway, last)))).map(({ status }) => status);
    await until(async () => (await statuses()).every((status) => status === 200), 'all have all models');
    expect(await ask(gateway, { ...question, model: 'm' })).toMatchObject({ status: 404 });
  });

  it('end at the second signal', async () => {
    const gateway = await start();
    const streams = await openStreams(gateway, 2);
    const workers = workersOf(gateway);
    gateway.child.kill('SIGTERM');
    await gateway.says('stopping open=2');
    expect(await gateway.stop('SIGTERM')).toBe(130);
    for (const { complete } of await Promise.all(streams)) expect(complete).toBe(false);
    for (const pid of workers) await until(() => !isAlive(pid), 'the worker ends');
  });

  it('end the gateway with an error if they cannot be kept running', async () => {
    const preload = join(folder, 'preload.cjs');
    const flag = join(folder, 'dies');
    const isWorker = `require('cluster').isWorker`;
    writeFileSync(
      preload,
      `if (${isWorker} && require('fs').existsSync(${JSON.stringify(flag)})) process.exit(9);`,
    );
    const gateway = await start({ env: { NODE_OPTIONS: `--require ${preload}` } });
    writeFileSync(flag, '');
    for (const pid of workersOf(gateway)) process.kill(pid, 'SIGKILL');
    expect(await gateway.ended).toBe(70);
    expect(gateway.stdout).toContain('a worker ended 5 times in a row, right after its start');
    expect(gateway.stderr).toMatch(/^dragoman: every worker ended 5 times in a row.*exit code 9\n$/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('dragoman serve --workers', () => {
  it('says once that a port is taken', async () => {
    const { port } = model.address() as AddressInfo;
    const gateway = new ServeProcess(
      ['--demo', '--workers', '2', '--port', String(port)],
      folder,
      environment({}),
    );
    running.add(gateway);
    expect(await gateway.ended).toBe(2);
    expect(gateway.stdout).toBe('');
    expect(gateway.stderr).toBe(
      `dragoman: port ${port} is taken; choose another with --port, or 0 for any\n`,
    );
  });

  it('serves the demo model, and a dialect from a file', async () => {
    writeFileSync(
      join(folder, 'beam.yaml'),
      'name: beam\nabout: JSON in beams.\ncalls:\n  family: json\n  shape: object\n  keys: { name: name, arguments: arguments }\n  open: <beam>\n  close: </beam>\n',
    );
    const gateway = new ServeProcess(
      ['--demo', '--workers', '2', '--port', '0', '--dialect', 'beam.yaml'],
      folder,
      environment({}),
    );
    running.add(gateway);
    await gateway.says('Stop with Ctrl-C.');
    const tools = [
      { type: 'function', function: { name: 'get_weather', parameters: { properties: { city: {} } } } },
    ];
    const messages = [{ role: 'user', content: 'What is the weather in Beijing?' }];
    const answers = await Promise.all(
      [1, 2].map(() => ask(gateway, { model: 'demo/beam', messages, tools })),
    );
    for (const { text } of answers) expect(text).toContain('"finish_reason":"tool_calls"');
    expect(await gateway.stop('SIGINT')).toBe(0);
  });
});
