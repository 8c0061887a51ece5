// The loop, the built-in tools and a model that only writes text, together: real files, real processes, a scripted
// model on loopback, in each dialect.

import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '@dragoman/core';
import { type AgentEvent, type AgentTool, defineTool, runAgent } from '@dragoman/core/agent';
import { type SysOptions, sysBuiltIn } from '@dragoman/sys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { representatives } from '../../packages/core/src/dialects/every.fixture.js';
import { spell } from '../scripted/spell.js';
import { startTextModel, type TextModel } from '../scripted/text-model.js';

let model: TextModel;
let folder: string;
beforeAll(async () => {
  model = await startTextModel();
});
afterAll(() => model.close());
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-')));
  await writeFile(join(folder, 'notes.txt'), 'The word is </tool_call> "swordfish".\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const upstream = () => ({ url: model.url, tools: false });

type Call = [name: string, input: Record<string, unknown>];

function turn(dialect: Dialect, tools: AgentTool[], text: string, ...calls: Call[]): string {
  const spelled = calls.map(([name, input]) => ({ name, raw: JSON.stringify(input) }));
  return spell(dialect, { text, calls: spelled }, tools);
}

/** What the model was sent last, all of it. */
const lastAsked = () => JSON.stringify(model.requests.at(-1)?.body.messages);

async function eventsOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe.each(representatives.map((dialect) => [dialect.name, dialect] as const))(
  'a task in %s',
  (_, dialect) => {
    it('lists files, reads one, writes one, and answers', async () => {
      const asked: string[] = [];
      const tools = sysBuiltIn({
        folder,
        ask: ({ tool }) => {
          asked.push(tool);
          return true;
        },
      });
      const names = new Map(tools.map(({ name }) => [name.split('.').at(-1), name]));
      const name = (bare: string) => names.get(bare) ?? bare;
      const copy = 'He said </tool_call> <tools> !unquote_end "swordfish".\n\ttab\n';
      model.script(
        turn(dialect, tools, 'I will look.\n', [name('list_files'), { path: '.' }]),
        turn(dialect, tools, '', [name('read_file'), { path: 'notes.txt' }]),
        turn(dialect, tools, '', [name('write_file'), { path: 'out/copy.txt', content: copy }]),
        'The word is swordfish.',
      );
      const run = runAgent({
        model: { upstream: upstream(), dialect },
        tools,
        messages: 'What is the word?',
      });
      const result = await run.result;
      expect(result).toMatchObject({ reason: 'done', text: 'The word is swordfish.', steps: 4, calls: 3 });
      expect(await readFile(join(folder, 'out/copy.txt'), 'utf8')).toBe(copy);
      expect(asked).toEqual(['write_file']);
      expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('notes.txt');
      expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('swordfish');
    });
  },
);

describe('bash in the loop', () => {
  const dialect = representatives.find(({ traits }) => traits.values === 'schema') as Dialect;

  async function once(command: string, options: Partial<SysOptions> = {}) {
    const tools = sysBuiltIn({ folder, allow: 'all', grace: 100, ...options });
    const bash = tools.find(({ name }) => name.endsWith('bash'))?.name ?? '';
    model.script(turn(dialect, tools, '', [bash, { command }]), 'Done.');
    const run = runAgent({ model: { upstream: upstream(), dialect }, tools, messages: 'Go.' });
    const events = await eventsOf(run);
    const ended = events.find((event) => event.type === 'tool-end');
    return { ended, result: await run.result };
  }

  it('that hangs is ended by its time limit, and the model is told', async () => {
    const { result } = await once('echo begun; sleep 1000', { timeout: 200 });
    expect(result.reason).toBe('done');
    expect(lastAsked()).toContain('begun');
    expect(lastAsked()).toMatch(/time/i);
  });

  it('that floods its output is cut, and the model is told', async () => {
    const { result } = await once('yes flood | head -c 50000000', { outputLength: 2000 });
    expect(result.reason).toBe('done');
    expect(lastAsked().length).toBeLessThan(20_000);
    expect(lastAsked()).toContain('flood');
  });

  it('that is refused does nothing, and the model hears why', async () => {
    const { ended } = await once('touch made.txt', { allow: [], ask: () => 'Not on a Sunday.' });
    expect(ended).toMatchObject({ type: 'tool-end' });
    expect(lastAsked()).toContain('Not on a Sunday.');
    await expect(readFile(join(folder, 'made.txt'))).rejects.toThrow();
  });

  it('that was not allowed by anyone does nothing', async () => {
    await once('touch made.txt', { allow: [] });
    await expect(readFile(join(folder, 'made.txt'))).rejects.toThrow();
  });

  it('is ended with the run', async () => {
    const tools = sysBuiltIn({ folder, allow: 'all', grace: 100 });
    const bash = tools.find(({ name }) => name.endsWith('bash'))?.name ?? '';
    model.script(turn(dialect, tools, '', [bash, { command: 'echo $$ > pid; sleep 1000' }]), 'Done.');
    const stop = new AbortController();
    const run = runAgent({
      model: { upstream: upstream(), dialect },
      tools,
      messages: 'Go.',
      signal: stop.signal,
    });
    let reason = '';
    for await (const event of run) {
      if (event.type === 'tool-start') setTimeout(() => stop.abort(), 300);
      if (event.type === 'agent-end') reason = event.reason;
    }
    expect(reason).toBe('aborted');
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(model.requests).toHaveLength(1);
  });
});

describe('ten calls at once', () => {
  const dialect = representatives.find(({ traits }) => traits.ids) as Dialect;

  it('run beside each other, and their results come back in order', async () => {
    let now = 0;
    let most = 0;
    const wait = defineTool({
      name: 'wait',
      parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      run: async (input: { n: number }) => {
        most = Math.max(most, ++now);
        await new Promise((done) => setTimeout(done, 60 - input.n * 5));
        now--;
        return `number ${input.n}`;
      },
    });
    const ten = Array.from({ length: 10 }, (_, n): Call => ['wait', { n }]);
    model.script(turn(dialect, [wait], '', ...ten), 'Done.');
    const run = runAgent({
      model: { upstream: upstream(), dialect },
      tools: [wait],
      messages: 'Go.',
      concurrency: 10,
    });
    expect(await run.result).toMatchObject({ reason: 'done', calls: 10 });
    expect(most).toBe(10);
    const places = ten.map((_, n) => lastAsked().indexOf(`number ${n}`));
    expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
