// The Dockerfile without Docker: each step is done in a clean folder, one for each stage, with the Node of this machine;
// then the container's command is started, and its health check run. `npm ci` needs a registry.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment, ServeProcess } from '../packages/cli/src/serve-process.fixture.js';
import { cloneFiles, npmEnvironment } from './clone-files.js';
import { root } from './sources.js';

const TEN_MINUTES = 600_000;

const place = mkdtempSync(join(tmpdir(), 'dragoman-docker-'));
afterAll(() => rmSync(place, { recursive: true }), TEN_MINUTES);

interface Stage {
  name: string;
  /** Stands for the root of the stage's file system. */
  folder: string;
  workdir: string;
  env: Record<string, string>;
  entrypoint: string[];
  cmd: string[];
  health: string[];
}

const steps = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .join('\n')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ word: line.split(' ')[0] as string, rest: line.slice(line.indexOf(' ') + 1).trim() }));

const stages: Stage[] = [];
const last = () => stages.at(-1) as Stage;

function runStep(word: string, rest: string, files: readonly string[]): void {
  if (word === 'ARG') return;
  if (word === 'FROM') {
    const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'last';
    const folder = join(place, name);
    mkdirSync(folder);
    stages.push({ name, folder, workdir: folder, env: {}, entrypoint: [], cmd: [], health: [] });
    return;
  }
  const stage = last();
  if (word === 'WORKDIR') {
    stage.workdir = join(stage.folder, rest);
    mkdirSync(stage.workdir, { recursive: true });
  } else if (word === 'ENV') {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(rest) ?? [];
    stage.env[name] = value;
  } else if (word === 'COPY') copy(stage, rest, files);
  else if (word === 'RUN')
    execFileSync('sh', ['-ec', rest], {
      cwd: stage.workdir,
      env: { ...npmEnvironment(), ...stage.env },
      stdio: 'pipe',
    });
  else if (word === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest);
  else if (word === 'CMD') stage.cmd = JSON.parse(rest);
  else if (word === 'HEALTHCHECK') stage.health = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4));
  else if (word !== 'USER' && word !== 'EXPOSE')
    throw new Error(`a step that this test does not know: ${word}`);
}

/** As Docker does: of a folder its contents are copied. */
function copy(stage: Stage, rest: string, files: readonly string[]): void {
  const words = rest.split(/\s+/);
  const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1];
  const sources = words.slice(from === undefined ? 0 : 1, -1);
  const target = words.at(-1) as string;
  const to = target.startsWith('/') ? join(stage.folder, target) : join(stage.workdir, target);
  for (const source of sources) {
    if (from !== undefined) {
      const other = stages.find(({ name }) => name === from) as Stage;
      cpSync(join(other.folder, source), to, { recursive: true });
      continue;
    }
    const isFolder = statSync(join(root, source)).isDirectory();
    const inside = isFolder
      ? files.filter((path) => source === '.' || path.startsWith(`${source}/`))
      : [source];
    expect(inside.length, source).toBeGreaterThan(0);
    for (const path of inside) {
      const below = isFolder && source !== '.' ? path.slice(source.length + 1) : path;
      const name = isFolder
        ? join(to, below)
        : target.endsWith('/')
          ? join(to, path.split('/').at(-1) ?? '')
          : to;
      mkdirSync(dirname(name), { recursive: true });
      cpSync(join(root, path), name);
    }
  }
}

beforeAll(() => {
  const files = cloneFiles();
  for (const { word, rest } of steps) runStep(word, rest, files);
  // On this machine another program may have the port.
  const config = join(last().folder, 'etc/dragoman/dragoman.config.yaml');
  const text = readFileSync(config, 'utf8');
  expect(text).toContain('\nhealthPort: 8788\n');
  writeFileSync(config, text.replace('healthPort: 8788', 'healthPort: 0'));
}, TEN_MINUTES);

describe('the container', { timeout: 120_000 }, () => {
  const start = (env: NodeJS.ProcessEnv) => {
    const { workdir, folder, entrypoint, cmd } = last();
    const [, main = ''] = entrypoint;
    const [verb, ...args] = cmd.map((word) => (word.startsWith('/') ? join(folder, word) : word));
    expect([entrypoint[0], verb]).toEqual(['node', 'serve']);
    const argv = [...args, '--port', '0', '--host', '127.0.0.1'];
    return new ServeProcess(argv, workdir, environment(env), join(workdir, main));
  };

  it('has no tools of the build, the drivers, and the tiny model', () => {
    const { workdir } = last();
    expect(existsSync(join(workdir, 'node_modules/typescript'))).toBe(false);
    const { resolve } = createRequire(join(workdir, 'packages/gateway/dist/index.js'));
    for (const driver of ['ioredis', 'pg']) expect(resolve(driver)).toContain(workdir);
    expect(statSync(resolve('@dragoman/tiny/tiny.gguf')).size).toBeGreaterThan(1e6);
  });

  it('does not start without a key', async () => {
    const gateway = start({ DRAGOMAN_KEY: undefined });
    expect(await gateway.ended).toBe(3);
    expect(gateway.stderr).toContain('DRAGOMAN_KEY');
  });

  it('starts, is healthy, answers with a tool call, and stops', async () => {
    const gateway = start({ DRAGOMAN_KEY: 'sk-container' });
    await gateway.says('Stop with Ctrl-C');
    const healthPort = /"port":(\d+).*health checks have a port of their own/.exec(gateway.stdout)?.[1];
    const checkOf = (first = '', second = '') =>
      last().health.map((word) =>
        word.replace('check(8788)', `check(${first})`).replace('check(8787)', `check(${second})`),
      );
    // Port 1 is nobody's.
    const [program = '', ...args] = checkOf(healthPort, '1');
    expect(program).toBe('node');
    const [, ...fallback] = checkOf('1', new URL(gateway.url).port);
    for (const argv of [args, fallback])
      expect((await once(spawn(process.execPath, argv), 'close'))[0]).toBe(0);
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const body = JSON.stringify({
      model: 'demo',
      messages: [{ role: 'user', content: 'What is the weather in Beijing?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    });
    const ask = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
    expect((await ask({})).status).toBe(401);
    interface Answer {
      choices: { message: { tool_calls: { function: unknown }[] } }[];
    }
    const answer = (await (await ask({ authorization: 'Bearer sk-container' })).json()) as Answer;
    expect(answer.choices[0]?.message.tool_calls[0]?.function).toEqual({
      name: 'get_weather',
      arguments: '{"city":"Beijing"}',
    });
    const authorization = 'Bearer sk-container';
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization } });
    expect(await models.text()).toContain('"tiny"');
    expect(await (await fetch(gateway.url)).text()).toContain('<!doctype html>');
    expect(await gateway.stop('SIGTERM')).toBe(0);
    for (const argv of [args, fallback]) expect(spawnSync(process.execPath, argv).status).toBe(1);
  });
});
