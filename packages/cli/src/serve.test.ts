import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { serveCommand } from './commands/serve.js';

// These tests run the command as it is built, each gateway on a port of its own.

const bin = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-serve-'));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rmSync(folder, { recursive: true }));

class Running {
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [bin, 'serve', ...argv], { cwd: folder, env });
    running.add(this.#child);
    this.#child.stdout?.on('data', (piece) => {
      this.stdout += piece;
    });
    this.#child.stderr?.on('data', (piece) => {
      this.stderr += piece;
    });
    this.ended = new Promise((tell) => this.#child.once('close', tell));
  }

  /** Throws with what was said instead if it ends before. */
  async says(words: string): Promise<void> {
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    while (!this.stdout.includes(words)) {
      if (over) throw new Error(`ended without saying ${words}: ${this.stdout}${this.stderr}`);
      await new Promise((tell) => setTimeout(tell, 10));
    }
  }

  get url(): string {
    return /http:\/\/[^\s]+/.exec(this.stdout)?.[0] ?? '';
  }

  stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** What this machine's own settings say must not decide. */
function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { OPENAI_BASE_URL, ANTHROPIC_BASE_URL, FORCE_COLOR, ...env } = process.env;
  return { ...env, ...more };
}

function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  return new Running(argv, environment(env));
}

async function start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
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
  it.each(['SIGINT', 'SIGTERM'] as const)('answers until %s, and then ends well', async (signal) => {
    const gateway = await start([]);
    const answer = await (await ask(gateway.url, 'demo/glm-4.5')).json();
    const called = { name: 'get_weather', arguments: '{"city":"Beijing"}' };
    expect(answer).toMatchObject({ choices: [{ message: { tool_calls: [{ function: called }] } }] });
    expect(await gateway.stop(signal)).toBe(0);
    expect(gateway.stderr).toBe('');
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  });

  it('greets with its address, its models and commands, in 80 columns and without colours', async () => {
    const gateway = await start(['--key', 'a-key-that-is-not-shown']);
    const { stdout, url } = gateway;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const agents = ['Claude Code', 'Codex', 'opencode', 'Qwen Code'];
    for (const name of ['demo/glm-4.5', 'curl', 'OpenAI', 'Anthropic', ...agents])
      expect(stdout).toContain(name);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('a-key-that-is-not-shown');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('with --quiet says nothing, and answers', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((tell) => probe.once('listening', tell));
    const { port } = probe.address() as AddressInfo;
    await new Promise((tell) => probe.close(tell));
    const gateway = run(['--demo', '--quiet', '--port', String(port)]);
    const url = `http://127.0.0.1:${port}/healthz`;
    let status = 0;
    while (status === 0)
      status = await fetch(url)
        .then((answer) => answer.status)
        .catch(() => 0);
    expect(status).toBe(200);
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(gateway.stdout + gateway.stderr).toBe('');
  });

  it('greets in colours where they are asked for', async () => {
    expect((await start([], { FORCE_COLOR: '1', NO_COLOR: '' })).stdout).toContain('\u001b[1m');
  });

  it('greets with a curl that calls a tool when it is pasted', async () => {
    const { stdout } = await start([]);
    const command = stdout.slice(stdout.indexOf('  curl '), stdout.indexOf('\nOpenAI'));
    const shell = spawn('sh', ['-ec', `${command.replace('curl', 'curl -s')}`]);
    running.add(shell);
    let said = '';
    for await (const piece of shell.stdout) said += piece;
    expect(said).toContain('"finish_reason":"tool_calls"');
    expect(said).toContain('Beijing');
  });

  it.each(serveCommand.examples.filter(({ stays }) => stays))(
    'has an example that starts: $says',
    async ({ run }) => {
      const words = run.split(' ').slice(2);
      expect(run).toMatch(/^dragoman serve/);
      const gateway = await start(words.filter((word) => word !== '--port' && word !== '8787'));
      expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    },
  );

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

  it('serves the world only with keys, or when told to', async () => {
    const refused = run(['--host', '0.0.0.0', '--port', '0']);
    expect(await refused.ended).toBe(2);
    expect(refused.stderr).toContain('there are no keys');
    const gateway = await start(['--host', '0.0.0.0', '--key', 'a-key-of-some-length']);
    const url = gateway.url.replace('0.0.0.0', '127.0.0.1');
    expect(gateway.stdout).toContain(`curl ${url}/v1`);
    expect((await ask(url, 'demo')).status).toBe(401);
    expect((await ask(url, 'demo', { 'x-api-key': 'a-key-of-some-length' })).status).toBe(200);
  });

  it('takes its upstream from the environment, and --demo beats it', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    expect((await start([], env)).stdout).toContain('any name, which is passed on');
    expect((await start(['--demo'], env)).stdout).toContain('demo/glm-4.5');
  });
});

describe('dragoman serve --check', () => {
  it('says that all is right, and starts nothing', async () => {
    const check = run(['--config', fileOf('good.yaml', 'upstream: http://localhost:1/v1\n'), '--check']);
    expect(await check.ended).toBe(0);
    expect(check.stdout).toBe('good.yaml: all is right.\n');
  });

  it('names the line of every fault, and ends with 3', async () => {
    const check = run(['--config', fileOf('bad.yaml', 'port: x\nprot: 80\n'), '--check']);
    expect(await check.ended).toBe(3);
    expect(check.stdout).toBe('');
    expect(check.stderr).toContain('bad.yaml:1:7  port: expected a whole number');
    expect(check.stderr).toMatch(/bad\.yaml:2:\d+ {2}.*prot/);
  });

  it('says that there is no such file', async () => {
    const check = run(['--config', 'nowhere.yaml', '--check']);
    expect(await check.ended).toBe(3);
    expect(check.stderr).toContain('nowhere.yaml');
  });

  it('ends with 2 where the command line is at fault', async () => {
    const check = run(['--port', 'x', '--check']);
    expect(await check.ended).toBe(2);
    expect(check.stderr).toContain('--port');
  });

  it('says the same as JSON', async () => {
    const good = run(['--demo', '--check', '--json']);
    expect(await good.ended).toBe(0);
    expect(JSON.parse(good.stdout)).toEqual({ ok: true, file: null, problems: [] });
    const bad = run(['--config', fileOf('bad.yaml', 'port: x\n'), '--check', '--json']);
    expect(await bad.ended).toBe(3);
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
