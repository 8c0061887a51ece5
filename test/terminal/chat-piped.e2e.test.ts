// `dragoman chat` in a pipe: one question on standard input, the answer on standard output, a code that tells. What is
// said is asked of one process; what is about pipes and signals of processes of their own.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, type ManyRuns, manyRuns } from '../../packages/cli/src/many-runs.fixture.js';
import { close, listen, startTextModel, type TextModel } from '../scripted/text-model.js';

let folder: string;
let runs: ManyRuns;
let model: TextModel;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-chat-'));
  runs = manyRuns(folder);
  model = await startTextModel();
});
afterAll(async () => {
  await runs.end();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What this machine's own settings say must not decide. */
const NO_UPSTREAM = { OPENAI_BASE_URL: '', ANTHROPIC_BASE_URL: '' };

async function ask(question: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const ran = await runs(['chat', ...argv], question, { ...NO_UPSTREAM, ...env });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** In a process of its own. `stopAt`: what is said when SIGINT is sent. */
function askAlone(question: string, argv: readonly string[], stopAt?: string): Promise<Ended> {
  const env = { ...process.env, ...NO_UPSTREAM };
  const child = spawn(process.execPath, [bin, 'chat', ...argv], { cwd: folder, env });
  child.stdin.end(question);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece) => {
    stdout += piece;
    if (stopAt === undefined || !stdout.includes(stopAt) || child.killed) return;
    child.kill('SIGINT');
  });
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  return new Promise((tell) => child.once('close', (code) => tell({ code, stdout, stderr })));
}

const hermes = () => ['--upstream', model.url, '--model', 'm', '--dialect', 'hermes'];

function call(name: string, input: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
}

describe('one question in a pipe', () => {
  it('is answered by the demo model where there is no other', async () => {
    const { code, stdout, stderr } = await askAlone('Hello', []);
    expect(stdout).toMatch(/^I am Dragoman's demo model[\s\S]*nothing to say\.\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('is answered by the tiny model, which calls a tool and tells its result', async () => {
    const argv = ['--model', 'tiny/hermes', '--tools', 'sys', '--json', '--quiet'];
    const { code, stdout, stderr } = await ask('List the files in the folder "notes".', argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      model: 'tiny/hermes',
      dialect: 'hermes',
      calls: [{ name: 'list_files', input: { path: 'notes' }, ran: true }],
      text: expect.stringContaining('notes'),
      turns: 2,
    });
  });

  it('gives the text of the answer alone; the rest is on standard error, and nothing with --quiet', async () => {
    const replies = [`<think>Hm.</think>I will look.\n${call('list_files', {})}`, 'Two files.'];
    model.script(...replies);
    const loud = await askAlone('What is here?\n', [...hermes(), '--tools', 'sys']);
    expect(loud).toMatchObject({ code: 0, stdout: 'Two files.\n' });
    expect(loud.stderr).toContain('Hm.\n');
    expect(loud.stderr).toContain('→ list_files {}\n');
    expect(model.requests[0]?.body.messages?.at(-1)?.content).toContain('What is here?');
    model.script(...replies);
    const quiet = await ask('What is here?', [...hermes(), '--tools', 'sys', '--quiet']);
    expect(quiet).toEqual({ code: 0, stdout: 'Two files.\n', stderr: '' });
  });

  it('shortens long results, and names no command that only a terminal takes', async () => {
    const rows = Array.from({ length: 40 }, (_, row) => `row ${row + 1}`);
    writeFileSync(join(folder, 'long.txt'), rows.join('\n'));
    const wrong = '<tool_call>\n{"name": "read_file", "arguments": {"path": "long.txt",}}\n</tool_call>';
    model.script(wrong, 'Read.');
    const { code, stdout, stderr } = await ask('Read it', [...hermes(), '--tools', 'sys']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Read.\n' });
    expect(stderr).toMatch(/row 6\n {2}… 34 more lines\n/);
    expect(stderr).toContain('trailing-comma');
    expect(stderr).not.toMatch(/(?:^|[\s:])\/[a-z]+/m);
  });

  it('keeps the bytes of the answer', async () => {
    model.script('a\u001b[31mb\r\n\u{1f600}');
    expect((await askAlone('Hi', hermes())).stdout).toBe('a\u001b[31mb\r\n\u{1f600}\n');
  });

  it('refuses tools that act, tells the model and says so, with the code 1', async () => {
    const replies = [call('write_file', { path: 'x.txt', content: 'x' }), 'I could not.'];
    model.script(...replies);
    const { code, stdout, stderr } = await askAlone('Write', [...hermes(), '--tools', 'sys']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'I could not.\n' });
    expect(stderr).toContain(
      'dragoman: refused, because nobody can be asked: write_file. --yes allows all tools',
    );
    expect(model.requests[1]?.body.messages?.at(-1)?.content).toContain('nobody is there to be asked');
    expect(existsSync(join(folder, 'x.txt'))).toBe(false);
    model.script(...replies);
    expect((await ask('Write', [...hermes(), '--tools', 'sys', '--yes', '-q'])).code).toBe(0);
    expect(readFileSync(join(folder, 'x.txt'), 'utf8')).toBe('x');
  });

  it('is one JSON object with --json', async () => {
    model.script(`${call('list_files', { path: 'nowhere' })}`, '<think>So.</think>Done.');
    const { code, stdout } = await ask('Go', [...hermes(), '--tools', 'sys', '--json', '--quiet']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      model: 'm',
      dialect: 'hermes',
      text: 'Done.',
      reasoning: 'So.',
      calls: [{ name: 'list_files', input: { path: 'nowhere' }, isError: true, ran: true }],
      reason: 'done',
      turns: 2,
      issues: [],
      repairs: [],
    });
  });

  it('is JSON lines of what happens with --jsonl', async () => {
    model.script(call('list_files', {}), 'Done.');
    const { stdout } = await ask('Go', [...hermes(), '--tools', 'sys', '--jsonl', '--quiet']);
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types[0]).toBe('step-start');
    expect(types.at(-1)).toBe('agent-end');
    expect(types).toEqual(
      expect.arrayContaining(['call-ready', 'tool-start', 'tool-end', 'step-end', 'text-delta']),
    );
  });

  it('takes the calls of an upstream that has them, and reads those that leak', async () => {
    const listing = { name: 'list_files', arguments: '{"path": "."}' };
    model.script({ calls: [listing], finish: 'tool_calls' }, call('list_files', {}), 'Seen.');
    const { code, stdout, stderr } = await ask('Go', [...hermes(), '--kind', 'native', '--tools', 'sys']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Seen.\n' });
    expect(stderr).toContain('→ list_files {"path": "."}\n');
    expect(stderr).toContain('leaked-call');
    expect(model.requests[0]?.body.tools).toHaveLength(4);
  });

  it('of a model that goes on and on ends with the code 1', async () => {
    model.script(call('list_files', {}), call('list_files', { path: '.' }));
    const { code, stderr } = await ask('Go', [...hermes(), '--tools', 'sys', '--max-turns', '2']);
    expect(code).toBe(1);
    expect(stderr).toContain('Stopped after 2 turns');
  });

  it('is stopped by SIGINT with the code 130', async () => {
    model.script({ text: 'word '.repeat(2000), delay: 10 });
    const { code, stdout } = await askAlone('Go', hermes(), 'word word');
    expect(code).toBe(130);
    expect(stdout).toMatch(/^word word/);
  });
});

describe('what cannot be answered', () => {
  it.each([
    ['', [], 3, 'expected a question on standard input, found nothing'],
    ['Hi', ['Hi'], 2, 'expected options only, found Hi'],
    ['Hi', ['--tools', 'all'], 2, '--tools: expected sys, found all'],
    ['Hi', ['--folder', '.'], 2, '--folder is for --tools sys'],
    ['Hi', ['--tools', 'sys', '--folder', 'nowhere'], 2, 'nowhere'],
    ['Hi', ['--max-turns', '0'], 2, '--max-turns: expected a whole number'],
    ['Hi', ['--dialect', 'hermess'], 2, 'did you mean hermes?'],
    ['Hi', ['--json', '--jsonl'], 2, '--json and --jsonl exclude each other'],
    ['Hi', ['--upstream', 'localhost'], 2, '--upstream'],
    ['Hi', ['--model', 'gpt'], 2, 'name its server with --upstream'],
    ['Hi', ['--mcp', '"a'], 2, 'a " is not closed'],
    ['Hi', ['--mcp', 'no-such-command-here --x'], 4, 'there is no command no-such-command-here'],
    ['Hi', ['--mcp', 'http://127.0.0.1:9/mcp'], 4, 'the MCP server http://127.0.0.1:9/mcp did not start'],
    [
      'Hi',
      ['--upstream', 'http://127.0.0.1:9/v1', '-m', 'x'],
      4,
      'Is the server at http://127.0.0.1:9/v1 running',
    ],
  ])('%j with %j ends with %i and a sentence', async (question, argv, expected, message) => {
    // Where something was reached for, nothing of it may keep the process.
    const { code, stdout, stderr } = await (expected === 4 ? askAlone : ask)(question, argv);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^dragoman: /);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  });

  it('has the code 4 and the error in --json, and names no key', async () => {
    const body = JSON.stringify({ error: { message: 'wrong key' } });
    model.script({ fault: { type: 'status', status: 401, body } });
    const key = 'sk-canary-0123456789';
    const { code, stdout, stderr } = await askAlone('Hi', [...hermes(), '--json', '--upstream-key', key]);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ reason: 'error', error: { message: expect.any(String) } });
    expect(stderr).toContain('with --upstream-key, or in OPENAI_API_KEY');
    expect(stdout + stderr).not.toContain('canary');
  });

  it('asks for the model where the upstream has several or lists none, and takes the only one', async () => {
    expect((await ask('Hi', ['--upstream', model.url])).stderr).toContain('lists none; add --model <name>');
    const names = ['one', 'two'];
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ data: names.map((id) => ({ id })) }));
    });
    const url = `http://127.0.0.1:${await listen(server)}/v1`;
    const several = await ask('Hi', ['--upstream', url]);
    expect(several).toMatchObject({
      code: 2,
      stderr: `dragoman: which model? Add --model <name>; ${url} has one, two\n`,
    });
    names.pop();
    expect(JSON.parse((await ask('Hi', ['--upstream', url, '--json', '-q'])).stdout).model).toBe('one');
    await close(server);
  });
});

describe('the environment', () => {
  it('names the upstream and its key, as for serve', async () => {
    model.script('Hello.');
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'key-of-the-environment' };
    expect(await ask('Hi', ['-m', 'm'], env)).toEqual({ code: 0, stdout: 'Hello.\n', stderr: '' });
    expect(model.requests[0]?.headers.authorization).toBe('Bearer key-of-the-environment');
    expect((await ask('Hi', ['--kind', 'demo'], env)).stdout).toContain('demo model');
  });
});
