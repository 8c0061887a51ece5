import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { serveCommand } from './commands/serve.js';
import { manyRuns } from './many-runs.fixture.js';
import { environment, ServeProcess } from './serve-process.fixture.js';
import { startStandIn } from './setup/stand-in.fixture.js';

// These tests run the built command, each gateway in a process and on a port of its own. Runs that start no gateway
// share one process.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-serve-'));
const runs = manyRuns(folder);
const said = (...argv: string[]) => runs(['serve', ...argv], '', environment({}));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(async () => {
  await runs.end();
  rmSync(folder, { recursive: true });
});

function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): ServeProcess {
  const gateway = new ServeProcess(argv, folder, environment(env));
  running.add(gateway.child);
  return gateway;
}

async function start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ServeProcess> {
  const gateway = run(['--port', '0', ...argv], env);
  await gateway.says('Stop with Ctrl-C.');
  return gateway;
}

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const question = {
  messages: [{ role: 'user', content: 'What is the weather in Beijing?' }],
  tools: [{ type: 'function', function: { name: 'get_weather', parameters: { properties: { city: {} } } } }],
};

function ask(url: string, model: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ model, ...question });
  return fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
}

describe('dragoman serve', () => {
  it('greets, answers, calls a tool by the curl of its greeting, and ends well with SIGINT', async () => {
    const gateway = await start([]);
    const { stdout, url } = gateway;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const agents = ['Claude Code', 'Codex', 'opencode', 'Qwen Code'];
    for (const name of ['demo/glm-4.5', 'curl', 'OpenAI', 'Anthropic', ...agents])
      expect(stdout).toContain(name);
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    await callsTool(url);
    const command = stdout.slice(stdout.indexOf('  curl '), stdout.indexOf('\nOpenAI'));
    const pasted = await shell(command.replace('curl', 'curl -s'));
    expect(pasted).toContain('"finish_reason":"tool_calls"');
    expect(pasted).toContain('Beijing');
    expect(await gateway.stop('SIGINT')).toBe(0);
    expect(gateway.stderr).toBe('');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('with --quiet says nothing, answers, and ends well with SIGTERM', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((tell) => probe.once('listening', tell));
    const { port } = probe.address() as AddressInfo;
    await new Promise((tell) => probe.close(tell));
    const gateway = run(['--demo', '--quiet', '--port', String(port)]);
    const url = `http://127.0.0.1:${port}`;
    const isUp = () =>
      fetch(`${url}/healthz`)
        .then(({ status }) => status === 200)
        .catch(() => false);
    while (!(await isUp())) await new Promise((tell) => setTimeout(tell, 20));
    await callsTool(url);
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(gateway.stdout + gateway.stderr).toBe('');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('has examples that start', async () => {
    const examples = Object.values(serveCommand.examples).filter((run) => !run.includes('--check'));
    // The first is started above, as it stands.
    expect(examples[0]).toBe('dragoman serve');
    expect(examples.length).toBeGreaterThan(1);
    for (const example of examples.slice(1)) {
      expect(example).toMatch(/^dragoman serve/);
      const words = example.split(' ').slice(2);
      const gateway = await start(words.filter((word) => word !== '--port' && word !== '8787'));
      expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    }
  });

  it('takes an upstream without its version, says so, and shows its models', async () => {
    const server = await startStandIn();
    const bare = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const gateway = await start(['--upstream', bare]);
      expect(gateway.stderr).toContain(
        `${bare} has no list of models, ${bare}/v1 has one. The gateway uses that: write ${bare}/v1`,
      );
      expect(gateway.stdout).toContain('demo, demo/hermes, or any other name, which is passed on');
      expect(gateway.stdout).toContain('"model": "demo"');
      expect((await ask(gateway.url, 'demo')).status).toBe(200);
      // As where its terminal closes.
      expect(await gateway.stop('SIGHUP')).toBe(0);
      const file = fileOf('bare.yaml', `upstream: ${bare}\n`);
      const other = await start(['--config', file]);
      expect(other.stderr).toContain(`Set the url to ${bare}/v1`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('starts without its upstream, and says that it does not answer', async () => {
    const gateway = await start(['--upstream', 'http://127.0.0.1:9']);
    expect(gateway.stderr).toBe(
      'The upstream default does not answer at http://127.0.0.1:9: requests fail until its server runs. Most addresses end in the version: http://127.0.0.1:9/v1\n',
    );
    await gateway.stop('SIGTERM');
    const quiet = await start(['--upstream', 'http://127.0.0.1:9/v1', '--log', 'error']);
    expect(quiet.stderr).toBe('');
  });

  it('says that a port is taken, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((tell) => other.once('listening', tell));
    const { port } = other.address() as AddressInfo;
    const gateway = run(['--port', String(port)]);
    expect(await gateway.ended).toBe(2);
    other.close();
    expect(gateway.stderr).toBe(
      `dragoman: port ${port} is taken; choose another with --port, or 0 for any\n`,
    );
  });

  it('serves the world only with keys, or when told to, and shows no key', async () => {
    const refused = await said('--host', '0.0.0.0', '--port', '0');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('there are no keys');
    const gateway = await start(['--host', '0.0.0.0', '--key', 'a-key-of-some-length']);
    const url = gateway.url.replace('0.0.0.0', '127.0.0.1');
    expect(gateway.stdout).toContain(`curl ${url}/v1`);
    expect(gateway.stdout).not.toContain('a-key-of-some-length');
    expect((await ask(url, 'demo')).status).toBe(401);
    expect((await ask(url, 'demo', { 'x-api-key': 'a-key-of-some-length' })).status).toBe(200);
  });

  it('says what a single key without a file may do, and that may be done; of two keys none may', async () => {
    const words = 'The key may also read the inspector and the metrics';
    const asks = async (gateway: ServeProcess, key: string) =>
      (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).status;
    const only = await start(['--demo', '--key', 'a-key-of-some-length']);
    expect(only.stderr).toContain(words);
    expect(await asks(only, 'a-key-of-some-length')).toBe(200);
    const two = await start(['--demo', '--key', 'a-key-of-some-length', '--key', 'another-key']);
    expect(two.stderr).not.toContain(words);
    expect(await asks(two, 'another-key')).toBe(403);
    const file = fileOf('one-key.yaml', 'upstream: demo\nkeys: [a-key-of-some-length]\n');
    const filed = await start(['--config', file]);
    expect(filed.stderr).not.toContain(words);
    expect(await asks(filed, 'a-key-of-some-length')).toBe(403);
  });

  it('takes its upstream from the environment, and --demo beats it; colours where they are asked for', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    expect((await start([], env)).stdout).toContain('any name, which is passed on');
    const { stdout } = await start(['--demo'], { ...env, FORCE_COLOR: '1', NO_COLOR: '' });
    expect(stdout).toContain('demo/glm-4.5');
    expect(stdout).toContain('\u001b[1m');
  });
});

async function callsTool(url: string): Promise<void> {
  const answer = await (await ask(url, 'demo/glm-4.5')).json();
  const called = { name: 'get_weather', arguments: '{"city":"Beijing"}' };
  expect(answer).toMatchObject({ choices: [{ message: { tool_calls: [{ function: called }] } }] });
}

async function shell(command: string): Promise<string> {
  const child = spawn('sh', ['-ec', command]);
  running.add(child);
  let printed = '';
  for await (const piece of child.stdout) printed += piece;
  return printed;
}

describe('dragoman serve --check', () => {
  it('states that the configuration is valid, and starts nothing', async () => {
    const check = run(['--config', fileOf('good.yaml', 'upstream: http://localhost:1/v1\n'), '--check']);
    expect(await check.ended).toBe(0);
    expect(check.stdout).toBe('good.yaml: the configuration is valid.\n');
  });

  it('names the line of every fault, and ends with 3', async () => {
    const check = await said('--config', fileOf('bad.yaml', 'port: x\nprot: 80\n'), '--check');
    expect(check).toMatchObject({ status: 3, stdout: '' });
    expect(check.stderr).toContain('bad.yaml:1:7  port: expected a whole number');
    expect(check.stderr).toMatch(/bad\.yaml:2:\d+ {2}.*prot/);
  });

  it('says that there is no such file', async () => {
    const check = await said('--config', 'nowhere.yaml', '--check');
    expect(check.status).toBe(3);
    expect(check.stderr).toContain('nowhere.yaml');
  });

  it('ends with 2 where the command line is at fault', async () => {
    const check = await said('--port', 'x', '--check');
    expect(check.status).toBe(2);
    expect(check.stderr).toContain('--port');
  });

  it('says the same as JSON', async () => {
    const good = await said('--demo', '--check', '--json');
    expect(good.status).toBe(0);
    expect(JSON.parse(good.stdout)).toEqual({ ok: true, file: null, problems: [] });
    const bad = await said('--config', fileOf('bad.yaml', 'port: x\n'), '--check', '--json');
    expect(bad.status).toBe(3);
    expect(JSON.parse(bad.stdout)).toMatchObject({
      ok: false,
      file: 'bad.yaml',
      problems: [{ file: 'bad.yaml', line: 1, column: 7, path: 'port' }],
    });
  });
});

describe('a file of a running gateway', () => {
  it('is read again when it changes, and a wrong one changes nothing', async () => {
    const config = (model: string) => `upstream: demo\nmodels:\n  - ${model}\n`;
    const gateway = await start(['--config', fileOf('live.yaml', config('one'))]);
    expect((await ask(gateway.url, 'one')).status).toBe(200);
    fileOf('live.yaml', config('two'));
    await gateway.says('the configuration was read again');
    expect((await ask(gateway.url, 'one')).status).toBe(404);
    expect((await ask(gateway.url, 'two')).status).toBe(200);
    fileOf('live.yaml', `${config('two')}inspect: 5\n`);
    await gateway.says('these change with a restart only waiting=["inspect"]');
    fileOf('live.yaml', 'models: [');
    await gateway.says('so the old one stays');
    expect((await ask(gateway.url, 'two')).status).toBe(200);
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });
});
