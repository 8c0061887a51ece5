// More places where a key can enter, each with a canary and a process of its own: options, addresses with passwords,
// keys that are passed on, workers, the second thread, configurations that are broken, MCP servers of a chat.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { bin } from '../../packages/cli/src/many-runs.fixture.js';
import { environment, type ServeProcess } from '../../packages/cli/src/serve-process.fixture.js';
import { oneOf } from '../effort.js';
import { startTextModel } from '../scripted/text-model.js';
import { canariesIn, type Shown } from './canaries.js';
import { rawRequest } from './running-gateway.js';
import { openServedStage } from './served-process.js';
import { apiNames, apis } from './three-apis.js';
import { startTraceCollector } from './trace-collector.js';

const stage = openServedStage();
const model = await startTextModel();
const collector = await startTraceCollector();
const { spans } = collector;
const traces = `http://127.0.0.1:${collector.port}/`;
afterAll(() => Promise.all([model.close(), collector.close()]));

/** Larger than what the main thread answers itself. */
const LARGE = 'A long question. '.repeat(40_000);

/** Asks all APIs, with small and large bodies, whole and streamed, of an upstream that repeats the keys in its errors. */
async function askAll(
  gateway: ServeProcess,
  headers: Record<string, string>,
  echo: string,
): Promise<Shown[]> {
  const seen: Shown[] = [];
  const ask = async (path: string, body?: object | string) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const method = text === undefined ? 'GET' : 'POST';
    const answer = await rawRequest(gateway.url + path, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
    seen.push([path, `${JSON.stringify(answer.headers)}${answer.text}`]);
    return answer;
  };
  const refusal = JSON.stringify({ error: { message: echo, code: echo } });
  for (const api of apiNames)
    for (const size of ['small', 'large'])
      for (const stream of [false, true]) {
        const body = { ...apis[api].body, ...(api === 'responses' && { store: false }), stream };
        const long =
          api === 'responses' ? { input: LARGE } : { messages: [{ role: 'user', content: LARGE }] };
        const sent = size === 'small' ? body : { ...body, ...long };
        model.script({ fault: { type: 'status', status: 401, body: refusal } });
        await ask(apis[api].path, sent);
        model.script({ text: 'x', fault: { type: 'error-event', after: 1, message: echo } });
        await ask(apis[api].path, sent);
        model.script('Hello.');
        expect((await ask(apis[api].path, sent)).status).toBe(200);
        await ask(apis[api].path, `${JSON.stringify(sent).slice(0, -1)},`);
      }
  await ask('/v1/responses', { ...apis.responses.body, store: true });
  for (const path of ['/metrics', '/v1/models', '/readyz', '/nothing', '/inspector/exchanges'])
    await ask(path);
  const listed = await ask('/inspector/exchanges');
  const { exchanges } = JSON.parse(listed.text) as { exchanges: { id: string }[] };
  expect(exchanges.length).toBeGreaterThan(20);
  for (const { id } of exchanges) await ask(`/inspector/exchanges/${id}`);
  return seen;
}

const outputOf = (gateway: ServeProcess): Shown[] => [
  ['stdout', gateway.stdout],
  ['stderr', gateway.stderr],
  ['traces', spans.join('')],
];

/** The arguments of the processes that a process started. */
function childrenOf(pid: number | undefined): Shown[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((one): Shown[] => {
    try {
      const stat = readFileSync(`/proc/${one}/stat`, 'latin1');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(parent) === pid
        ? [[`cmdline of ${one}`, readFileSync(`/proc/${one}/cmdline`, 'latin1')]]
        : [];
    } catch {
      return [];
    }
  });
}

describe('a key comes out nowhere', () => {
  it('that is an option, with workers and a PostgreSQL that cannot be reached', async () => {
    const canaries = {
      key: 'canary-option-key-1f2e3d',
      upstreamKey: 'canary-option-upstream-4c5b',
      password: 'canary-postgres-6a7988',
      parameter: 'canary-parameter-a1b2c3',
    };
    const store = `postgres://dragoman:${canaries.password}@127.0.0.1:1/db?sslpassword=${canaries.parameter}`;
    const gateway = stage.start(
      [
        ['--upstream', model.url, '--kind', 'chat', '--dialect', 'hermes', '--port', '0'],
        ['--key', canaries.key, '--upstream-key', canaries.upstreamKey, '--store', store],
        ['--workers', '2', '--inspect', '200', '--log', 'debug'],
      ].flat(),
    );
    await gateway.says('Stop with Ctrl-C.');
    const echo = `Bearer ${canaries.upstreamKey} and ${canaries.key} are wrong.`;
    const seen = await askAll(gateway, { authorization: `Bearer ${canaries.key}` }, echo);
    // They did enter.
    expect(seen.filter(([, text]) => text.includes('[hidden]')).length).toBeGreaterThan(5);
    const started = childrenOf(gateway.child.pid);
    if (process.platform === 'linux') expect(started.length).toBeGreaterThanOrEqual(2);
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(gateway.stdout + gateway.stderr).toContain('postgres');
    expect(canariesIn(canaries, [...seen, ...outputOf(gateway), ...started])).toEqual([]);
  });

  it("that is the client's own and is passed on (passKey)", async () => {
    const canaries = { passed: 'canary-passed-key-0d1c2b3a' };
    stage.write('passed.json', {
      upstream: { url: model.url, kind: 'chat', passKey: true },
      dialect: 'hermes',
      traces,
      inspect: 200,
      log: { level: 'debug', form: 'json' },
    });
    const gateway = await stage.serve('passed.json');
    const echo = `Bearer ${canaries.passed} is wrong.`;
    const seen = await askAll(gateway, { authorization: `Bearer ${canaries.passed}` }, echo);
    expect(model.requests.length).toBeGreaterThan(0);
    expect(seen.filter(([, text]) => text.includes('[key]')).length).toBeGreaterThan(5);
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(spans.join('')).toContain('resourceSpans');
    expect(canariesIn(canaries, [...seen, ...outputOf(gateway)])).toEqual([]);
  });
});

// --- starts that fail ----------------------------------------------------------------------------------------------

const secret = 'canary-refused-start-5e6f70';
const address = `http://user:${secret}@127.0.0.1:1/v1?api_key=${secret}`;
const whole = { upstream: { url: model.url, kind: 'chat', key: secret }, dialect: 'hermes', keys: [secret] };
const inYaml = (line: string) => `upstream: ${model.url}\ndialect: hermes\n${line}\n`;

describe('a start that fails shows no key', () => {
  it.each(
    oneOf<[string, string, string | object]>(3, [
      ['a password and a query in the address of the upstream', 'a.json', { upstream: address }],
      ['the same as url', 'b.yaml', `upstream:\n  url: ${address}\n  kind: chat\n`],
      ['a file that is cut in a key', 'c.json', JSON.stringify(whole).slice(0, -4)],
      ['a key where YAML is broken', 'd.yaml', inYaml(`keys: ["${secret}`)],
      ['a key with a tab before it', 'e.yaml', inYaml(`keys:\n\t- ${secret}`)],
      ['a key of a wrong kind', 'f.json', { ...whole, keys: [{ key: { value: secret } }] }],
      ['a key under a wrong name', 'g.json', { ...whole, apikey: secret, keyz: [secret] }],
      ['headers of a wrong kind', 'i.json', { ...whole, upstream: { ...whole.upstream, headers: [secret] } }],
      [
        'a header that cannot be sent',
        'j.json',
        {
          ...whole,
          upstream: { ...whole.upstream, headers: { 'x-key': `${secret}\n${secret}` } },
        },
      ],
      [
        'a password in a store of an unknown kind',
        'k.json',
        { ...whole, store: `mongodb://u:${secret}@h/d` },
      ],
      ['a password in a store that is no URL', 'l.json', { ...whole, store: `redis//${secret}` }],
      [
        'a token in an address for traces',
        'm.json',
        { ...whole, traces: `ftp://u:${secret}@h/?token=${secret}` },
      ],
      ['the same key twice', 'n.json', { ...whole, keys: [secret, secret] }],
      [
        'a key that is passed on, and keys',
        'o.json',
        {
          ...whole,
          upstream: { url: model.url, kind: 'chat', passKey: true },
        },
      ],
    ]),
  )('%s', async (_, name, config) => {
    stage.write(name, config);
    for (const more of oneOf(3, [[], ['--check'], ['--check', '--json']])) {
      const gateway = stage.start(['--config', name, '--port', '0', ...more]);
      expect(await gateway.ended, gateway.stdout).toBeGreaterThan(0);
      expect(gateway.stdout + gateway.stderr).toMatch(/configuration is invalid|"ok": false/);
      expect(canariesIn({ secret }, outputOf(gateway))).toEqual([]);
    }
  });

  it.each(
    oneOf<[string, string[], NodeJS.ProcessEnv]>(3, [
      ['--upstream with a password', ['--upstream', address], {}],
      ['an upstream of the environment with a password', [], { OPENAI_BASE_URL: address }],
      ['--store with a password', ['--demo', '--store', `mysql://u:${secret}@h/d`], {}],
      ['--body with a key that is no JSON', ['--upstream', model.url, '--body', `{"user": "${secret}`], {}],
      ['--keys, which there is not', ['--demo', `--keys=${secret}`], {}],
    ]),
  )('%s', async (_, argv, env) => {
    const gateway = stage.start(['--port', '0', ...argv], env);
    expect(await gateway.ended, gateway.stdout).toBeGreaterThan(0);
    expect(gateway.stderr).toMatch(/^dragoman: (?!Error)/);
    expect(canariesIn({ secret }, outputOf(gateway))).toEqual([]);
  });
});

// --- MCP servers of a chat -----------------------------------------------------------------------------------------

function chat(...argv: string[]): Promise<{ code: number | null; shown: Shown[] }> {
  const given = ['chat', '--upstream', model.url, '--model', 'm', '--dialect', 'hermes', ...argv];
  const child = spawn(process.execPath, [bin, ...given], { cwd: stage.folder, env: environment({}) });
  child.stdin.end('Go.');
  const shown: Shown[] = [
    ['stdout', ''],
    ['stderr', ''],
  ];
  for (const [at, stream] of [child.stdout, child.stderr].entries())
    stream.on('data', (piece) => {
      const [from, text] = shown[at] as Shown;
      shown[at] = [from, text + piece];
    });
  return new Promise((tell) => child.once('close', (code) => tell({ code, shown })));
}

describe('the key of an MCP server that does not start is not shown', () => {
  const fails = 'console.error(process.env.TOKEN, process.argv); process.exit(1)';
  it.each(
    oneOf(3, [
      ['before the command', `TOKEN=${secret} no-such-command-at-all`],
      ['before the command of a server that prints it', `TOKEN=${secret} ${process.execPath} -e "${fails}"`],
      ['as an option', `${process.execPath} -e "${fails}" -- --token ${secret} --api-key=${secret}`],
      ['in the address', `http://user:${secret}@127.0.0.1:1/mcp?key=${secret}`],
      ['in an address that is none', `http://user:${secret}@:99999999/?key=${secret}`],
      ['behind a quote that is not closed', `TOKEN=${secret} server "`],
      ['where the command is missing', `TOKEN=${secret}`],
    ]),
  )('%s', async (_, server) => {
    const { code, shown } = await chat('--mcp', server);
    expect(code).toBeGreaterThan(0);
    expect(shown.map(([, text]) => text).join('')).toMatch(/MCP server|--mcp/);
    expect(canariesIn({ secret }, shown)).toEqual([]);
  });
});
