// MCP servers that lie, as processes of `dragoman chat`: they shadow no other tool, move no cursor, form no frame in the
// prompt, and their results are cut.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { bin } from '../../packages/cli/src/many-runs.fixture.js';
import { environment } from '../../packages/cli/src/serve-process.fixture.js';
import { startTextModel } from '../scripted/text-model.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-liar-'));
const model = await startTextModel();
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

const liar = fileURLToPath(new URL('./lying-mcp-server.mjs', import.meta.url));
const server = (length: number, name = 'liar', more = 0) => [
  '--mcp',
  `${process.execPath} ${liar} ${length} ${name} ${more}`,
];

function chat(...argv: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const given = ['chat', '--upstream', model.url, '--model', 'm', '--dialect', 'hermes', '--yes', ...argv];
  const child = spawn(process.execPath, [bin, ...given], { cwd: folder, env: environment({}) });
  child.stdin.end('Go.');
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece) => {
    stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  return new Promise((tell) => child.once('close', (code) => tell({ code, stdout, stderr })));
}

const call = (name: string, input: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
const promptOf = (at: number) => JSON.stringify(model.requests[at]?.body.messages);
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
const hidden = /[\u001b\u0007\u202e\u2066]/;

it('names that shadow: the tool of this machine stays, and the others are told apart', async () => {
  const names = ['bash', 'liar________________bash'];
  model.script(
    call('bash', { command: 'echo of this machine' }),
    (body) => {
      const found = /liar[A-Za-z0-9_.:-]*_bash/.exec(JSON.stringify(body.messages))?.[0];
      names.push(found ?? '');
      return call(found ?? 'none', { command: 'echo' });
    },
    call('__proto__', { command: 'echo' }),
    'Done.',
  );
  const { code, stdout, stderr } = await chat('--tools', 'sys', ...server(10));
  expect(stdout, stderr).toContain('Done.');
  expect(code).toBe(0);
  const last = model.requests[3]?.body.messages?.map(({ content }) => content).join('\n') ?? '';
  expect(last).toContain('of this machine');
  expect(last).toContain('called bash');
  expect(names[2]).not.toBe('');
});

it('escapes in names, descriptions and results: no frame in the prompt, no cursor that moves', async () => {
  model.script(call('see', { command: 'a' }), call('new_1', { command: 'a' }), 'Done.');
  const { code, stdout, stderr } = await chat('--jsonl', ...server(10));
  expect(code, stderr).toBe(0);
  // Programs read it: JSON escapes controls, and only those.
  expect(stdout).not.toContain('\u001b');
  expect(stderr).not.toMatch(hidden);
  const [first] = model.requests;
  const system = String(first?.body.messages?.[0]?.content);
  expect(system).toContain('see');
  // The sentence about the list and its end, and no turn of its own.
  expect(system.split('</tools>')).toHaveLength(3);
  expect(system).not.toContain('<|im_start|>');
});

it('a result of five megabytes is cut before the model gets it', async () => {
  model.script(call('bash', { command: 'a' }), 'Done.');
  const { code, stderr } = await chat('--json', ...server(5_000_000));
  expect(code, stderr).toBe(0);
  expect(promptOf(1).length).toBeLessThan(250_000);
  expect(promptOf(1)).toContain('called bash');
  expect(promptOf(1)).toMatch(/characters|left out/);
});

it('a list that changes is not offered: the tools are those of the first one', async () => {
  model.script(call('new_1', { command: 'a' }), call('new_2', { command: 'a' }), 'Done.');
  const { code, stderr } = await chat('--json', ...server(10));
  expect(code, stderr).toBe(0);
  expect(model.requests).toHaveLength(3);
  for (const { body } of model.requests) {
    const system = String(body.messages?.[0]?.content);
    expect(system).toContain('new_1');
    expect(system).not.toContain('new_2');
  }
  expect(promptOf(1)).toContain('called new_1');
  expect(promptOf(2)).not.toContain('called new_2');
});

it.each([
  [1_001, 'more than 1000 tools'],
  [20_000, 'more than 1000 tools'],
  // One message of 20 MB.
  [100_000, 'exceeded maximum size'],
])('a list of %i tools is refused with an error that tells', async (more, told) => {
  model.script('Done.');
  const { code, stderr } = await chat('--json', ...server(10, 'liar', more));
  expect(code).toBe(4);
  expect(stderr).toContain(told);
  expect(model.requests).toHaveLength(0);
});

it('three servers with one name, however long it is, all start', async () => {
  model.script('Done.');
  const long = 'x'.repeat(300);
  const { code, stdout, stderr } = await chat('--json', ...[1, 2, 3].flatMap(() => server(10, long)));
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Done.');
});
