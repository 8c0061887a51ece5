// The command as one file, and as an executable for this platform, in a folder that has nothing else. Needs a build.

import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './sources.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-one-file-'));
const away = join(folder, 'away');
/** Other systems need postject, which is not installed here. */
const hasExecutable = process.platform === 'linux';
const env = {
  ...process.env,
  HOME: away,
  XDG_CACHE_HOME: undefined,
  OPENAI_BASE_URL: undefined,
  NO_COLOR: '1',
};

beforeAll(() => {
  const output = join(folder, 'output');
  execFileSync(
    process.execPath,
    [join(root, 'bundle.mjs'), '--output', output, ...(hasExecutable ? ['--executable'] : [])],
    { stdio: 'pipe' },
  );
  mkdirSync(away);
  for (const name of readdirSync(output)) copyFileSync(join(output, name), join(away, name));
}, 120_000);

it('has the size that docs/deploy.md says', () => {
  const text = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
  const megabytes = Math.round(statSync(join(away, 'dragoman.mjs')).size / 1e6);
  expect(text).toContain(`one file of ${megabytes} MB`);
});

// That of Node, in the first place, which each version has another of.
it.runIf(hasExecutable)('has an executable of about the size that docs/deploy.md says', () => {
  const text = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
  const [, said = '', node] = /\(about (\d+) MB on Linux with Node (\d+)\)/.exec(text) ?? [];
  expect(node).toMatch(/^\d+$/);
  const isThatNode = process.versions.node.startsWith(`${node}.`);
  const megabytes = statSync(join(away, 'dragoman')).size / 1e6;
  expect(Math.abs(megabytes / Number(said) - 1)).toBeLessThan(isThatNode ? 0.05 : 0.5);
});

afterAll(() => rmSync(folder, { recursive: true }));

const ways = [
  { way: 'one file', start: [process.execPath, join(away, 'dragoman.mjs')] },
  ...(hasExecutable ? [{ way: 'an executable', start: [join(away, 'dragoman')] }] : []),
];

describe.each(ways)('dragoman as $way', ({ start: [program = '', ...first] }) => {
  const run = (argv: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(program, [...first, ...argv], {
      cwd: away,
      env,
      input,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('says its version and reads a call', () => {
    expect(run(['--version'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
    const call = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>';
    expect(run(['parse', '-d', 'hermes', '--json'], call).stdout).toContain('"name": "add"');
    writeFileSync(join(away, 'own.yaml'), 'name: x\n');
    expect(run(['parse', '-d', './own.yaml'], call).stderr).toContain('`about` is missing');
  }, 60_000);

  it('converts in threads', () => {
    const row = '{"messages":[{"role":"user","content":"Hi"}]}\n';
    writeFileSync(join(away, 'rows.jsonl'), row.repeat(3000));
    const argv = ['convert', 'rows.jsonl', '--from', 'openai', '--to', 'sharegpt', '--jobs', '2'];
    expect(run(argv).stdout.split('\n')).toHaveLength(3001);
  }, 60_000);

  it('serves the page and a tool call, with worker processes', async () => {
    const argv = ['serve', '--demo', '--port', '0', '--workers', '2', '--log', 'silent'];
    const child = spawn(program, [...first, ...argv], { cwd: away, env });
    const ended = once(child, 'close');
    let stdout = '';
    for await (const piece of child.stdout) {
      stdout += piece;
      if (stdout.includes('Ctrl-C')) break;
    }
    const [url] = /http:\/\/[^\s]+/.exec(stdout) ?? [];
    expect(await (await fetch(`${url}/`)).text()).toContain('<!doctype html>');
    const question = { role: 'user', content: 'What is the weather in Paris?' };
    const body = (messages: object[]) =>
      JSON.stringify({
        model: 'demo/hermes',
        messages,
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            },
          },
        ],
      });
    const ask = async (messages: object[]) => {
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: body(messages) });
      return answer.text();
    };
    expect(await ask([question])).toContain('"finish_reason":"tool_calls"');
    const models = await (await fetch(`${url}/v1/models`)).text();
    expect(models).toContain('"demo"');
    // docs/deploy.md says so.
    expect(models).not.toContain('"tiny"');
    // Large enough for the thread of large requests.
    expect(await ask(Array(3000).fill(question))).toContain('"finish_reason":"tool_calls"');
    // The suite of `verify` is in the bundle. It takes as long as all the rest, so one of the two does it.
    if (first.length > 0) {
      const argv = [...first, 'verify', `${url}/v1`, '--model', 'demo/hermes'];
      const { stdout } = await promisify(execFile)(program, argv, { cwd: away, env });
      expect(stdout).toContain('arguments-exact');
    }
    child.kill();
    expect(await ended).toEqual([0, null]);
  }, 180_000);
});
