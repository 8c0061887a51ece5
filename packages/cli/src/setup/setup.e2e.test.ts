// `dragoman init` and `dragoman doctor`, of the command as it is built, against a stand-in for Ollama: a server that lists
// models, and only writes text. The home folder is an empty one.
// Most runs share one process; test/first-call.alone.test.ts has a setup that is right, in processes of their own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bin, manyRuns } from '../many-runs.fixture.js';
import { environment } from '../serve-process.fixture.js';
import { startStandIn } from './stand-in.fixture.js';

const root = mkdtempSync(join(tmpdir(), 'dragoman-setup-'));
let standIn: Server;
let port: string;
let home: string;
let project: string;
let runs = 0;
const oneProcess = manyRuns(() => project);

beforeAll(async () => {
  standIn = await startStandIn();
  port = String((standIn.address() as AddressInfo).port);
});

afterAll(async () => {
  await oneProcess.end();
  standIn.close();
  standIn.closeAllConnections();
  rmSync(root, { recursive: true });
});

beforeEach(() => {
  const folder = join(root, String(++runs));
  home = join(folder, 'home');
  project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  mkdirSync(home);
});

const settings = () =>
  environment({ HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: '', NO_COLOR: '1' });

const dragoman = (...argv: string[]) => oneProcess(argv, '', settings());

/** Not spawnSync: the stand-in answers in this process. */
async function dragomanAlone(...argv: string[]) {
  const child: ChildProcess = spawn(process.execPath, [bin, ...argv], { cwd: project, env: settings() });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (piece) => {
    stdout += piece;
  });
  child.stderr?.on('data', (piece) => {
    stderr += piece;
  });
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

const read = (path: string) => readFileSync(join(home, path), 'utf8');
const put = (path: string, text: string) => {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
};

describe('dragoman init', () => {
  it('writes a configuration and the settings of the agents, as a diff, and undoes all of it', async () => {
    const claude = '{"env": {"MINE": "1"},\n  "theme": "dark"}';
    const codex = '# mine\nmodel = "gpt-5"\napproval_policy = "never"\n\n[tui]\ntheme = "x"\n';
    put('.claude/settings.json', claude);
    put('.codex/config.toml', codex);
    mkdirSync(join(home, '.qwen'));
    put('.config/opencode/opencode.json', '{ // a comment\n}');
    const { status, stdout, stderr } = await dragomanAlone('init', '--yes', '--ports', port);
    expect({ status, stderr: stderr.split(':')[0] }).toEqual({ status: 0, stderr: 'opencode' });
    expect(stdout).toMatch(/demo\/hermes {7}hermes {2}the name/);
    expect(stdout).toContain('+ model_provider = "dragoman"');
    expect(stdout).toContain('- model = "gpt-5"');
    // Lines that stay are no part of the change.
    expect(stdout).toContain('\n    approval_policy = "never"\n');

    const config = readFileSync(join(project, 'dragoman.config.yaml'), 'utf8');
    expect(config).toContain(`url: "http://127.0.0.1:${port}/v1"`);
    expect((await dragomanAlone('serve', '--check')).status).toBe(0);

    expect(JSON.parse(read('.claude/settings.json'))).toMatchObject({
      env: { MINE: '1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:8787', ANTHROPIC_MODEL: 'demo/hermes' },
      theme: 'dark',
    });
    expect(read('.codex/config.toml')).toMatch(
      /^model = "demo\/hermes"\nmodel_provider = "dragoman"\n# mine\napproval_policy = "never"\n\n\[tui\]\ntheme = "x"\n\n\[model_providers\.dragoman\]\n/,
    );
    expect(JSON.parse(read('.qwen/settings.json'))).toMatchObject({ model: { name: 'demo/hermes' } });

    // What is right already is not written again.
    const again = await dragomanAlone('init', '--yes', '--ports', port);
    expect(again.stdout.match(/is as it should be/g)).toHaveLength(4);

    writeFileSync(join(project, 'dragoman.config.yaml'), 'upstream: demo\n');
    const undone = await dragomanAlone('init', '--undo');
    expect(undone.status).toBe(1);
    expect(undone.stderr).toMatch(/dragoman\.config\.yaml was changed since/);
    expect([read('.claude/settings.json'), read('.codex/config.toml')]).toEqual([claude, codex]);
    expect(existsSync(join(home, '.qwen/settings.json'))).toBe(false);
    expect((await dragomanAlone('init', '--undo')).status).toBe(1);
  });

  it('asks first: without a terminal it needs --yes, and touches nothing', async () => {
    const { status, stderr } = await dragoman('init', '--ports', port);
    expect(status).toBe(2);
    expect(stderr).toContain('add --yes');
    expect(existsSync(join(project, 'dragoman.config.yaml'))).toBe(false);
  });

  it('names a file of the agent that counts over the one it writes', async () => {
    put('.config/opencode/opencode.jsonc', '{ // a comment\n}');
    const { status, stderr } = await dragoman('init', '--yes', '--ports', port);
    expect([status, stderr]).toEqual([0, expect.stringContaining('opencode.jsonc sets counts over')]);
    expect(JSON.parse(read('.config/opencode/opencode.json'))).toMatchObject({
      model: 'dragoman/demo/hermes',
    });
  });

  it('keeps the providers of yours in the list of Qwen Code, and replaces its own', async () => {
    const mine = { id: 'qwen3-max', baseUrl: 'https://example.com/v1', envKey: 'MINE' };
    const old = { id: 'demo/hermes', name: 'Dragoman', baseUrl: 'http://127.0.0.1:1/v1' };
    const last = { id: 'last' };
    const before = JSON.stringify({ modelProviders: { openai: [mine, old, last], gemini: [mine] } });
    const providers = async (text: string) => {
      put('.qwen/settings.json', text);
      expect((await dragoman('init', '--yes', '--force', '--ports', port)).status).toBe(0);
      return JSON.parse(read('.qwen/settings.json')).modelProviders;
    };
    const ours = {
      id: 'demo/hermes',
      name: 'Dragoman',
      baseUrl: 'http://127.0.0.1:8787/v1',
      envKey: 'DRAGOMAN_KEY',
    };
    expect(await providers(before)).toEqual({ openai: [mine, ours, last], gemini: [mine] });
    const without = JSON.stringify({ modelProviders: { openai: [mine] } });
    expect(await providers(without)).toEqual({ openai: [mine, ours] });
  });

  it('replaces no configuration of yours', async () => {
    writeFileSync(join(project, 'dragoman.config.yaml'), 'upstream: demo\n');
    const { status, stderr } = await dragoman('init', '--yes', '--ports', port);
    expect(status).toBe(2);
    expect(stderr).toContain('--force replaces it');
    expect((await dragoman('init', '--yes', '--force', '--no-agents', '--ports', port)).status).toBe(0);
    expect((await dragoman('init', '--undo')).stdout).toContain('Restored');
    expect(readFileSync(join(project, 'dragoman.config.yaml'), 'utf8')).toBe('upstream: demo\n');
  });

  it('says that there is no server, and what ports are', async () => {
    const { status, stderr } = await dragoman('init', '--yes', '--ports', '9');
    expect([status, stderr]).toEqual([1, expect.stringContaining('name its port with --ports')]);
    expect((await dragoman('init', '--yes', '--ports', 'x')).stderr).toContain('expected ports with commas');
  });
});

describe('dragoman doctor', () => {
  const write = (text: string) => writeFileSync(join(project, 'dragoman.config.yaml'), text);

  it('tells a missing key and a wrong one from the right one', async () => {
    const guarded = await startStandIn({ key: 'right-key' });
    const url = `http://127.0.0.1:${(guarded.address() as AddressInfo).port}/v1`;
    const doctor = async (key: string | undefined) => {
      write(
        `port: 0\nupstreams:\n  guarded:\n    url: ${url}\n${key === undefined ? '' : `    key: ${key}\n`}`,
      );
      const { status, stdout } = await dragoman('doctor', '--no-call', '--json');
      const found = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'upstream guarded');
      return { code: status, ...found };
    };
    try {
      expect(await doctor(undefined)).toMatchObject({
        code: 4,
        status: 'fail',
        text: `${url} refuses requests without a key (401)`,
        advice: expect.stringContaining('Set `key` of the upstream'),
      });
      expect(await doctor('wrong-key')).toMatchObject({
        code: 4,
        status: 'fail',
        text: `${url} refuses the key (401)`,
      });
      expect(await doctor('right-key')).toMatchObject({
        code: 0,
        status: 'ok',
        text: expect.stringContaining('with 3 models'),
      });
    } finally {
      guarded.close();
      guarded.closeAllConnections();
    }
  });

  it('tells a missing model and a server that is not there, with advice', async () => {
    write(
      `port: 0\nupstreams:\n  here: http://127.0.0.1:${port}/v1\n  gone: http://127.0.0.1:2/v1\n  blocked: http://127.0.0.1:6000/v1\nmodels:\n  - { name: dmo, upstream: here }\n  - { name: b, upstream: gone }\n  - { name: c, upstream: blocked }\n`,
    );
    const { status, stdout } = await dragoman('doctor', '--no-call', '--json');
    expect(status).toBe(4);
    const found = JSON.parse(stdout);
    expect(found).toContainEqual(
      expect.objectContaining({ check: 'model dmo', status: 'warn', text: expect.stringContaining('demo?') }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'upstream blocked',
        text: expect.stringContaining('standard blocks'),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'upstream gone',
        advice: expect.stringContaining('Start its server'),
      }),
    );
  });

  it('calls a model whose upstream is well, and says why it calls no other', async () => {
    write(
      `port: 0\nupstreams:\n  gone: http://127.0.0.1:2/v1\n  here: http://127.0.0.1:${port}/v1\nmodels:\n  - { name: b, upstream: gone, dialect: hermes }\n  - { name: nomic-embed-text, upstream: here }\n  - { name: demo/hermes, upstream: here }\n`,
    );
    const call = async (...argv: string[]) => {
      const { status, stdout } = await dragoman('doctor', '--json', '--time', '10', ...argv);
      const found = JSON.parse(stdout).filter(({ check }: { check: string }) => check === 'call');
      return { code: status, found };
    };
    expect(await call()).toEqual({
      code: 4,
      found: [
        {
          check: 'call',
          status: 'ok',
          text: expect.stringMatching(/^demo\/hermes: .* every required check passes$/),
        },
      ],
    });
    expect(await call('--model', 'b')).toEqual({
      code: 4,
      found: [
        {
          check: 'call',
          status: 'warn',
          text: 'skipped, because b is at the upstream gone, which cannot be used',
          advice: expect.stringContaining('--model'),
        },
      ],
    });
  });

  it('tells that the gateway does not start', async () => {
    write(
      `port: 0\nupstreams:\n  here: http://127.0.0.1:${port}/v1\n  files: { kind: gguf, file: none.gguf }\nmodels:\n  - { name: demo/hermes, upstream: here }\n  - { name: none, upstream: files }\n`,
    );
    const { status, stdout, stderr } = await dragomanAlone('doctor', '--json');
    expect(stderr).toBe('');
    expect(status).toBe(3);
    expect(JSON.parse(stdout).at(-1)).toMatchObject({
      check: 'call',
      status: 'fail',
      text: expect.stringMatching(/^the gateway does not start: ./),
    });
  });

  it('tells a port that another program has', async () => {
    const other = createServer((socket) => socket.end('no HTTP'));
    await new Promise<void>((tell) => other.listen(0, '127.0.0.1', tell));
    const { port: taken } = other.address() as { port: number };
    write(`port: ${taken}\nupstream: demo\n`);
    const { status, stdout } = await dragoman('doctor', '--no-call');
    other.close();
    expect([status, stdout]).toEqual([1, expect.stringContaining(`✗ port  ${taken} is taken`)]);
  });

  it('ends with 3 for a configuration that is invalid, and suggests init where there is none', async () => {
    write('upstrems: x\n');
    expect(await dragoman('doctor')).toMatchObject({
      status: 3,
      stdout: expect.stringContaining('upstreams?'),
    });
    rmSync(join(project, 'dragoman.config.yaml'));
    const { status, stdout } = await dragoman('doctor', '--no-call');
    expect([status, stdout]).toEqual([expect.any(Number), expect.stringContaining('`dragoman init` finds')]);
  });
});
