import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findDialect, renderMessages } from '@dragoman/core';
import { type AgentTool, ToolError } from '@dragoman/core/agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SysAction, type SysOptions, sysBuiltIn, sysDefinitions, sysTools } from './index.js';

let outer: string;
let folder: string;

beforeAll(async () => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-sys-')));
  folder = join(outer, 'work');
  await fs.mkdir(folder);
  await fs.writeFile(join(outer, 'secret.txt'), 'secret');
});
afterAll(() => rmSync(outer, { recursive: true, force: true }));

const tools = (options: Partial<SysOptions> = {}): AgentTool[] => sysBuiltIn({ folder, ...options });

function call(set: AgentTool[], name: string, input: unknown, signal = new AbortController().signal) {
  const tool = set.find((one) => one.name.endsWith(name));
  if (!tool) throw new Error(`no tool ${name}`);
  const context = { signal, callId: 'c1', name: tool.name, raw: '', emit: () => {} };
  return tool.run(input, context) as Promise<string>;
}

describe('the set of tools', () => {
  it('has the four names, under a namespace or bare', () => {
    expect(tools().map(({ name }) => name)).toEqual([
      'SysBuiltIn.bash',
      'SysBuiltIn.read_file',
      'SysBuiltIn.write_file',
      'SysBuiltIn.list_files',
    ]);
    expect(tools({ namespace: '' }).map(({ name }) => name)).toEqual(Object.keys(sysDefinitions));
    expect(sysTools().map(({ name }) => name)).toEqual(tools().map(({ name }) => name));
  });

  it('stands in an xnl prompt as the protocol text calls it', () => {
    const conversation = { messages: [{ role: 'user', content: 'hi' }], tools: sysTools() };
    const [system] = renderMessages(findDialect('xnl')!, conversation).messages;
    const definitions = JSON.stringify(system).split('declare namespace SysBuiltIn')[1];
    for (const name of Object.keys(sysDefinitions)) expect(definitions).toContain(`function ${name}(`);
  });

  it('says in the description of bash that it is not confined', () => {
    expect(sysDefinitions.bash.description).toContain('can reach everything the user can');
  });

  it.each([
    [{ folder: '' }, 'folder'],
    [{ folder: '/no/such/folder' }, 'ENOENT'],
    [{ folder: '/proc/self' }, 'belongs to the system'],
    [{ timeout: 0 }, 'timeout'],
    [{ outputLength: Number.NaN }, 'outputLength'],
    [{ allow: ['rm'] as never }, 'allow'],
    [{ allow: 'bash' as never }, 'allow'],
  ])('refuses the options %j', (options, part) => {
    expect(() => tools(options)).toThrow(expect.objectContaining({ name: 'UsageError' }));
    expect(() => tools(options)).toThrow(part);
  });

  it.each([
    ['bash', {}, 'command must be a text'],
    ['bash', null, 'must be an object'],
    ['bash', { command: 'true', timeoutMs: -1 }, 'timeoutMs'],
    ['read_file', { path: 5 }, 'path'],
    ['read_file', { path: 'a', offset: 0 }, 'offset'],
    ['write_file', { path: 'a' }, 'content'],
    ['list_files', { recursive: 'yes' }, 'recursive'],
  ])('%s refuses the input %j in words', async (name, input, part) => {
    await expect(call(tools({ allow: 'all' }), name, input)).rejects.toThrow(ToolError);
    await expect(call(tools({ allow: 'all' }), name, input)).rejects.toThrow(part);
  });
});

describe('asking', () => {
  const acts: [string, Record<string, unknown>][] = [
    ['bash', { command: 'touch made' }],
    ['write_file', { path: 'made', content: 'x' }],
  ];
  const isMade = () =>
    fs.access(join(folder, 'made')).then(
      () => true,
      () => false,
    );

  it.each(acts)(
    '%s does nothing where nobody can be asked, and says how to allow it',
    async (name, input) => {
      await expect(call(tools(), name, input)).rejects.toThrow(`allow: ['${name}']`);
      expect(await isMade()).toBe(false);
    },
  );

  it.each(acts)('%s does nothing when it is refused, and gives the reason', async (name, input) => {
    for (const answer of [false, '', 'not today', undefined as never, 1 as never]) {
      const refused = call(tools({ ask: () => answer }), name, input);
      await expect(refused).rejects.toThrow(`The user refused this ${name} call`);
      if (answer === 'not today') await expect(refused).rejects.toThrow('not today');
    }
    expect(await isMade()).toBe(false);
  });

  it.each(acts)('%s does nothing when asking fails', async (name, input) => {
    const ask = () => {
      throw new Error('no terminal');
    };
    await expect(call(tools({ ask }), name, input)).rejects.toThrow('no terminal');
    expect(await isMade()).toBe(false);
  });

  it.each(acts)('%s acts when it is allowed, by answer or beforehand', async (name, input) => {
    const ways: Partial<SysOptions>[] = [
      { ask: async () => true },
      { allow: 'all' },
      { allow: [name as 'bash'] },
    ];
    for (const way of ways) {
      await call(tools(way), name, input);
      expect(await isMade()).toBe(true);
      await fs.rm(join(folder, 'made'));
    }
  });

  it('one tool that is allowed does not allow the other', async () => {
    await expect(call(tools({ allow: ['bash'] }), 'write_file', acts[1]![1])).rejects.toThrow('not allowed');
    await expect(call(tools({ allow: ['write_file'] }), 'bash', acts[0]![1])).rejects.toThrow('not allowed');
    expect(await isMade()).toBe(false);
  });

  it('reading and listing do not ask', async () => {
    const ask = () => {
      throw new Error('asked');
    };
    await fs.writeFile(join(folder, 'plain.txt'), 'text');
    expect(await call(tools({ ask }), 'read_file', { path: 'plain.txt' })).toBe('text');
    expect(await call(tools({ ask }), 'list_files', {})).toBe('plain.txt');
    await fs.rm(join(folder, 'plain.txt'));
  });

  it('shows what will happen, with nothing hidden, and is not asked for what cannot be done', async () => {
    const seen: SysAction[] = [];
    const ask = (action: SysAction) => {
      seen.push(action);
      action.input.command = 'touch made';
      return action.tool === 'bash';
    };
    const set = tools({ ask });
    expect(await call(set, 'bash', { command: 'echo \u001b[8mhi\u202e' })).toContain('hi');
    await call(set, 'write_file', { path: 'new\u0007.txt', content: 'hé' }).catch(() => {});
    await expect(call(set, 'write_file', { path: '../x', content: '' })).rejects.toThrow('leads out');
    expect(seen.map(({ tool, summary }) => [tool, summary])).toEqual([
      ['bash', `Run in ${folder}: echo \\u{1b}[8mhi\\u{202e}`],
      ['write_file', 'Write 3 bytes to new\\u{7}.txt, a new file'],
    ]);
    expect(await isMade()).toBe(false);
  });

  it('says how many lines a command and a file have, with the first and the last', async () => {
    const seen: string[] = [];
    const set = tools({
      ask: ({ summary }) => {
        seen.push(summary);
        return false;
      },
    });
    const command = `echo hello${'\n'.repeat(61)}curl x | sh`;
    const extent = '62 lines, 60 of them blank; first: echo hello; last: curl x | sh';
    await call(set, 'bash', { command }).catch(() => {});
    await call(set, 'write_file', { path: 'run.sh', content: command }).catch(() => {});
    expect(seen).toEqual([
      `Run in ${folder} (${extent}): echo hello\n⋮ 60 blank lines\ncurl x | sh`,
      `Write 82 bytes to run.sh, a new file (${extent})`,
    ]);
  });

  it('asks one question at a time', async () => {
    let open = 0;
    let most = 0;
    const ask = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return false;
    };
    const set = tools({ ask });
    await Promise.allSettled([1, 2, 3].map(() => call(set, 'bash', { command: 'true' })));
    expect(most).toBe(1);
  });

  it('stops waiting for an answer when it is aborted, and does not act on one that comes too late', async () => {
    const stop = new AbortController();
    let answer = (_: boolean) => {};
    const set = tools({ ask: () => new Promise<boolean>((resolve) => (answer = resolve)) });
    const run = call(set, 'bash', { command: 'touch made' }, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 5);
    await expect(run).rejects.toThrow('stopped');
    answer(true);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await isMade()).toBe(false);
    const next = call(set, 'bash', { command: 'true' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer(true);
    expect(await next).toContain('exit code 0');
  });

  it('looks at the target again after the answer', async () => {
    const link = join(folder, 'later');
    const ask = async () => {
      await fs.symlink(outer, link);
      return true;
    };
    await expect(call(tools({ ask }), 'write_file', { path: 'later/x.txt', content: 'x' })).rejects.toThrow(
      'leads out',
    );
    await fs.rm(link);
    expect(await fs.readdir(outer)).not.toContain('x.txt');
  });
});

describe('the tools at work', () => {
  it('write, list, read and run in the same folder', async () => {
    const set = tools({ allow: 'all' });
    expect(await call(set, 'write_file', { path: 'src/a.txt', content: 'finished\n' })).toBe(
      'Wrote 9 bytes to src/a.txt.',
    );
    expect(await call(set, 'list_files', { recursive: true })).toBe('src/\nsrc/a.txt');
    expect(await call(set, 'read_file', { path: 'src/a.txt' })).toBe('finished\n');
    expect(await call(set, 'bash', { command: 'wc -c < src/a.txt | tr -d " "; rm -r src' })).toBe(
      'exit code 0\nstdout:\n9',
    );
  });

  it('end a command at the limit of the model, and at the one of the user in any case', async () => {
    const set = tools({ allow: ['bash'], timeout: 300 });
    expect(await call(set, 'bash', { command: 'sleep 60', timeoutMs: 50 })).toContain('ended after 50 ms');
    expect(await call(set, 'bash', { command: 'sleep 60', timeoutMs: 90_000 })).toContain(
      'ended after 300 ms',
    );
    expect(await call(set, 'bash', { command: 'sleep 60' })).toContain('ended after 300 ms');
  });

  it('give a command none of the keys of this program', async () => {
    process.env.DRAGOMAN_TEST_API_KEY = 'canary';
    try {
      expect(await call(tools({ allow: 'all' }), 'bash', { command: 'env' })).not.toContain('canary');
      const env = { PATH: process.env.PATH, GIVEN: 'on purpose' };
      expect(await call(tools({ allow: 'all', env }), 'bash', { command: 'env' })).toContain(
        'GIVEN=on purpose',
      );
    } finally {
      delete process.env.DRAGOMAN_TEST_API_KEY;
    }
  });

  it('do not write half a character', async () => {
    const input = { path: 'half.txt', content: 'a\ud83d' };
    await expect(call(tools({ allow: 'all' }), 'write_file', input)).rejects.toThrow('half a surrogate pair');
  });

  it('say so when the folder is gone', async () => {
    const gone = join(outer, 'gone');
    await fs.mkdir(gone);
    const set = tools({ folder: gone, allow: 'all' });
    await fs.rmdir(gone);
    for (const [name, input] of [
      ['bash', { command: 'true' }],
      ['list_files', {}],
      ['write_file', { path: 'a', content: '' }],
    ] as const) {
      await expect(call(set, name, input)).rejects.toThrow('The working folder is not there any more.');
    }
  });
});
