import { describe, expect, it } from 'vitest';
import {
  answer,
  call,
  calls,
  collect,
  resultsIn,
  scripted,
  text,
} from '../../../../test/agent/scripted-model.js';
import type { AgentEvent } from './events.js';
import type { AgentOptions } from './options.js';
import { runAgent } from './run-agent.js';
import { type AgentTool, ToolError } from './tool.js';

const pause = (milliseconds = 5): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A tool that stays until it is let go, and counts how many of its calls stay at once. */
function gate(more: Partial<AgentTool> = {}) {
  const waiting: (() => void)[] = [];
  const seen = { now: 0, most: 0, order: [] as unknown[] };
  const tool: AgentTool = {
    name: 'wait',
    run: async (input) => {
      seen.order.push((input as { n: number }).n);
      seen.most = Math.max(seen.most, ++seen.now);
      await new Promise<void>((resolve) => waiting.push(resolve));
      seen.now--;
      return (input as { n: number }).n;
    },
    ...more,
  };
  return { tool, seen, waiting };
}

const numbered = (count: number, name = 'wait') =>
  Array.from({ length: count }, (_, n) => call(`c${n}`, name, { n }));

/** Lets go of whatever waits, last come first, until the run is over. */
async function release(run: Promise<unknown>, waiting: (() => void)[]): Promise<void> {
  let over = false;
  run.finally(() => {
    over = true;
  });
  while (!over) {
    await pause(1);
    waiting.pop()?.();
  }
}

async function run(options: Partial<AgentOptions>, ...made: ReturnType<typeof call>[]) {
  const model = scripted(calls(...made), answer('ok'));
  const events = await collect(runAgent({ model, messages: 'Go.', ...options }));
  return {
    events,
    results: resultsIn(model.requests[1]),
    ends: events.filter(({ type }) => type === 'tool-end'),
  };
}

describe('ten calls in one turn', () => {
  it.each([
    [{}, {}, 8],
    [{ concurrency: 3 }, {}, 3],
    [{ concurrency: 100 }, {}, 10],
    [{ parallel: false }, {}, 1],
    [{}, { parallel: false }, 1],
  ])('with %o and a tool of %o run %d at once, and answer in order', async (options, more, most) => {
    const { tool, seen, waiting } = gate(more);
    const model = scripted(calls(...numbered(10)), answer('ok'));
    const { result } = runAgent({ model, tools: [tool], messages: 'Go.', ...options });
    await release(result, waiting);
    expect(seen.most).toBe(most);
    expect(seen.order).toHaveLength(10);
    expect(resultsIn(model.requests[1])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('let a tool that must be alone be alone, at its place', async () => {
    const log: string[] = [];
    const tool = (name: string, parallel: boolean): AgentTool => ({
      name,
      parallel,
      run: async () => {
        log.push(`+${name}`);
        await pause();
        log.push(`-${name}`);
      },
    });
    const tools = ['a', 'b', 'c', 'd'].map((name) => tool(name, name !== 'c'));
    await run({ tools }, ...tools.map(({ name }) => call(name, name)));
    expect(log).toEqual(['+a', '+b', '-a', '-b', '+c', '-c', '+d', '-d']);
  });

  it('tell each end as it comes', async () => {
    const tools: AgentTool[] = [
      { name: 'slow', run: () => pause(30) },
      { name: 'fast', run: () => 'at once' },
    ];
    const { ends } = await run({ tools }, call('s', 'slow'), call('f', 'fast'));
    expect(ends.map((event) => event.type === 'tool-end' && event.call.name)).toEqual(['fast', 'slow']);
  });
});

describe('a tool that fails', () => {
  const thrown: [string, () => unknown, string][] = [
    [
      'an error',
      () => {
        throw new RangeError('too far');
      },
      'RangeError: too far',
    ],
    [
      'a ToolError',
      () => {
        throw new ToolError('no such file');
      },
      'no such file',
    ],
    [
      'a rejection',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      'TypeError: fetch failed (ECONNREFUSED)',
    ],
    [
      'a text',
      () => {
        throw 'just words';
      },
      'The tool failed: just words',
    ],
    ['nothing', () => Promise.reject(undefined), 'The tool failed: undefined'],
    [
      'what cannot be read',
      () => {
        throw Object.assign(new Error(), {
          get message() {
            throw new Error('no');
          },
        });
      },
      'Error: no',
    ],
  ];

  it.each(thrown)('by %s becomes an error result', async (_, fail, words) => {
    const { ends } = await run({ tools: [{ name: 'fail', run: fail }] }, call('one', 'fail'));
    expect(ends).toMatchObject([
      { ran: true, result: { isError: true, output: expect.stringContaining(words) } },
    ]);
  });

  it('does not keep the others from running', async () => {
    const tools: AgentTool[] = [
      { name: 'fail', run: () => Promise.reject(new Error('no')) },
      { name: 'work', run: () => 'yes' },
    ];
    const { results } = await run({ tools }, call('a', 'fail'), call('b', 'work'));
    expect(results).toEqual(['Error: no', 'yes']);
  });
});

describe('a tool that takes too long', () => {
  it('is stopped and left behind, with its own limit or the run’s', async () => {
    const never: AgentTool = { name: 'never', run: () => new Promise(() => {}) };
    const options = { toolTimeout: 20, grace: 5 };
    const first = await run({ tools: [never], ...options }, call('one', 'never'));
    expect(first.ends).toMatchObject([
      { result: { isError: true, output: expect.stringContaining('longer than 20 ms') } },
    ]);
    const own = await run({ tools: [{ ...never, timeout: 10 }], grace: 5 }, call('one', 'never'));
    expect(own.ends).toMatchObject([{ result: { output: expect.stringContaining('longer than 10 ms') } }]);
  });

  it('hears the signal, and may say how far it came', async () => {
    const reasons: unknown[] = [];
    const untilStopped = async (signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason.name);
    };
    const tools: AgentTool[] = [
      {
        name: 'partly',
        run: async (_, { signal }) => {
          await untilStopped(signal);
          return 'half of it';
        },
      },
      {
        name: 'words',
        run: async (_, { signal }) => {
          await untilStopped(signal);
          throw new ToolError('killed');
        },
      },
      {
        name: 'abort',
        run: async (_, { signal }) => {
          await untilStopped(signal);
          signal.throwIfAborted();
        },
      },
    ];
    const { results } = await run({ tools, toolTimeout: 20 }, ...tools.map(({ name }) => call(name, name)));
    expect(reasons).toEqual(['TimeoutError', 'TimeoutError', 'TimeoutError']);
    expect(results).toEqual([
      expect.stringMatching(/longer than 20 ms.*\nhalf of it$/),
      expect.stringMatching(/longer than 20 ms.*\nkilled$/),
      expect.stringMatching(/longer than 20 ms.*part of its work\.$/),
    ]);
  });

  it('has no limit if that is Infinity', async () => {
    const tool: AgentTool = {
      name: 'slow',
      timeout: Number.POSITIVE_INFINITY,
      run: () => pause(20).then(() => 'done'),
    };
    expect((await run({ tools: [tool], toolTimeout: 1 }, call('one', 'slow'))).results).toEqual(['done']);
  });
});

describe('approval', () => {
  const ran: unknown[] = [];
  const tool: AgentTool = { name: 'rm', run: (input) => ran.push(input) };

  it('lets a call run, or refuses it with or without a reason', async () => {
    ran.length = 0;
    const said = [true, false, 'not in this house', 1, undefined];
    const { results, ends } = await run(
      { tools: [tool], approve: () => said.shift() as boolean },
      ...numbered(5, 'rm'),
    );
    expect(ran).toEqual([{ n: 0 }]);
    expect(results).toEqual([
      1,
      'The call was refused and not run.',
      'The call was refused and not run: not in this house',
      'The call was refused and not run.',
      'The call was refused and not run.',
    ]);
    expect(ends.map((event) => event.type === 'tool-end' && event.ran)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('that fails is none', async () => {
    ran.length = 0;
    const approve = () => Promise.reject(new Error('the terminal is gone'));
    const { results } = await run({ tools: [tool], approve }, call('one', 'rm'));
    expect(results).toEqual([expect.stringContaining('the terminal is gone')]);
    expect(ran).toEqual([]);
  });

  it('is asked of one call at a time, in order, and only for calls that could run', async () => {
    let asking = 0;
    const asked: unknown[] = [];
    const approve: AgentOptions['approve'] = async ({ input }) => {
      expect(++asking).toBe(1);
      asked.push(input.n);
      await pause();
      asking--;
      return true;
    };
    const strict = { ...tool, parameters: { type: 'object', properties: { n: { type: 'integer' } } } };
    await run(
      { tools: [strict], approve },
      ...numbered(3, 'rm'),
      call('bad', 'rm', { n: 'x' }),
      call('no', 'mv'),
    );
    expect(asked).toEqual([0, 1, 2]);
  });

  it('may be wanted by the tool itself', async () => {
    const own = { ...tool, approve: () => 'ask the owner' };
    expect((await run({ tools: [own], approve: () => true }, call('one', 'rm'))).results).toEqual([
      'The call was refused and not run: ask the owner',
    ]);
  });

  it('that an AI SDK tool needs is not skipped where nobody can be asked', async () => {
    const execute = () => 'gone';
    const needsApproval = (input: { n: number }) => input.n > 0;
    const tools = { rm: { inputSchema: { type: 'object' }, execute, needsApproval } };
    expect((await run({ tools }, ...numbered(2, 'rm'))).results).toEqual([
      'gone',
      expect.stringContaining('nobody to ask'),
    ]);
    expect((await run({ tools, approve: () => true }, ...numbered(2, 'rm'))).results).toEqual([
      'gone',
      'gone',
    ]);
  });
});

describe('what a tool says meanwhile', () => {
  it('becomes progress, until its end', async () => {
    let late: ((data: unknown) => void) | undefined;
    const tool: AgentTool = {
      name: 'build',
      run: (_, { emit }) => {
        late = emit;
        emit({ percent: 50 });
        return 'built';
      },
    };
    const other: AgentTool = { name: 'slow', run: () => pause().then(() => late?.('too late')) };
    const { events } = await run({ tools: [tool, other] }, call('one', 'build'), call('two', 'slow'));
    expect(events.filter(({ type }) => type === 'tool-progress')).toMatchObject([{ data: { percent: 50 } }]);
  });

  it('is bounded where nobody reads it', async () => {
    const tool: AgentTool = {
      name: 'flood',
      run: (_, { emit }) => {
        for (let count = 0; count < 100_000; count++) emit(count);
      },
    };
    const { events } = await run({ tools: [tool] }, call('one', 'flood'));
    expect(events.filter(({ type }) => type === 'tool-progress').length).toBeLessThanOrEqual(1000);
    expect(events.at(-1)).toMatchObject({ type: 'agent-end', reason: 'done' });
  });
});

describe('a result that is too long', () => {
  it('loses its middle, and says how much', async () => {
    const tools: AgentTool[] = [
      { name: 'words', run: () => `${'a'.repeat(500_000)}${'z'.repeat(500_000)}` },
      {
        name: 'fail',
        run: () => {
          throw new ToolError('e'.repeat(1_000_000));
        },
      },
      { name: 'list', run: () => Array.from({ length: 100_000 }, (_, n) => n) },
    ];
    const { results } = await run(
      { tools, resultLength: 1000 },
      ...tools.map(({ name }) => call(name, name)),
    );
    for (const result of results as string[]) {
      expect(result.length).toBeLessThanOrEqual(1000);
      expect(result).toMatch(/\[\d+ characters left out here/);
    }
    expect(results[0]).toMatch(/^a+\n\[.*\]\nz+$/);
  });

  it('is one of more than a hundred thousand characters', async () => {
    const tools: AgentTool[] = [100_000, 100_001].map((length) => ({
      name: `l${length}`,
      run: () => 'x'.repeat(length),
    }));
    const { results } = await run({ tools }, ...tools.map(({ name }) => call(name, name)));
    expect((results as string[]).map((result) => result.includes('left out'))).toEqual([false, true]);
  });
});

describe('abort', () => {
  const end = (events: AgentEvent[]) => events.at(-1);

  it('before the run ends it without a question', async () => {
    const model = scripted(answer('ok'));
    const events = await collect(runAgent({ model, messages: 'Go.', signal: AbortSignal.abort() }));
    expect(events).toMatchObject([{ type: 'agent-end', reason: 'aborted', steps: 0 }]);
    expect(model.requests).toHaveLength(0);
  });

  it.each([
    ['before the first token', [], ''],
    ['inside the text', [text('Once upon')], 'Once upon'],
    ['inside a call', [text('Let me '), ...call('one', 'rm').slice(0, 2)], 'Let me '],
    ['behind a call', [text('Let me '), ...call('one', 'rm')], 'Let me '],
  ])('%s ends a model that hangs, and runs nothing', async (_, turn, words) => {
    const controller = new AbortController();
    const hang = () => new Promise(() => setTimeout(() => controller.abort(), 5));
    let ran = 0;
    const model = scripted([...turn, hang]);
    const tools: AgentTool[] = [{ name: 'rm', run: () => ran++ }];
    const events = await collect(runAgent({ model, tools, messages: 'Go.', signal: controller.signal }));
    expect(end(events)).toMatchObject({ type: 'agent-end', reason: 'aborted', text: words });
    expect(model.signals[0]?.aborted).toBe(true);
    expect(ran).toBe(0);
  });

  it('that makes the model throw is no failure', async () => {
    const controller = new AbortController();
    const fail = () => {
      controller.abort();
      throw new DOMException('aborted', 'AbortError');
    };
    const { result } = runAgent({ model: scripted([fail]), messages: 'Go.', signal: controller.signal });
    expect((await result).reason).toBe('aborted');
  });

  it('inside tools is told to them, and waits for them only so long', async () => {
    const controller = new AbortController();
    const tools: AgentTool[] = [
      { name: 'done', run: () => 'done before' },
      {
        name: 'kind',
        run: (_, { signal }) =>
          new Promise((resolve) => signal.addEventListener('abort', () => resolve('cleaned up'))),
      },
      { name: 'deaf', run: () => new Promise(() => setTimeout(() => controller.abort('enough'), 10)) },
      { name: 'alone', parallel: false, run: () => 'never begun' },
    ];
    const model = scripted(calls(...tools.map(({ name }) => call(name, name))), answer('no'));
    const events = await collect(
      runAgent({ model, tools, messages: 'Go.', signal: controller.signal, grace: 20 }),
    );
    expect(model.requests).toHaveLength(1);
    expect(
      events.flatMap((event) => (event.type === 'tool-end' ? [[event.call.name, event.ran]] : [])),
    ).toEqual([
      ['done', true],
      ['kind', true],
      ['deaf', true],
      ['alone', false],
    ]);
    const last = end(events);
    expect(last).toMatchObject({ type: 'agent-end', reason: 'aborted', calls: 4 });
    // Each call has a result, so that the conversation can be gone on with.
    expect(last?.type === 'agent-end' && last.messages.at(-1)?.parts).toMatchObject([
      { output: 'done before' },
      { output: 'cleaned up' },
      { isError: true, output: expect.stringContaining('may have done part of its work') },
      { isError: true, output: expect.stringContaining('was not run') },
    ]);
  });

  it('does not wait for an approval', async () => {
    const controller = new AbortController();
    const approve = () => new Promise<boolean>(() => setTimeout(() => controller.abort(), 5));
    const model = scripted(calls(call('one', 'rm')));
    const options = {
      model,
      tools: [{ name: 'rm', run: () => 1 }],
      messages: 'Go.',
      approve,
      signal: controller.signal,
    };
    expect(await runAgent(options).result).toMatchObject({ reason: 'aborted' });
  });

  it('is also to stop reading: the tools are told, and each call gets a result', async () => {
    let told: AbortSignal | undefined;
    const tools: AgentTool[] = [{ name: 'deaf', run: (_, { signal }) => new Promise(() => (told = signal)) }];
    const run = runAgent({ model: scripted(calls(call('one', 'deaf'))), tools, messages: 'Go.' });
    for await (const event of run) if (event.type === 'tool-start') break;
    expect(told?.aborted).toBe(true);
    expect(await run.result).toMatchObject({
      reason: 'aborted',
      messages: [{}, {}, { role: 'tool', parts: [{ isError: true }] }],
    });
  });

  it('is also to leave while an event is waited for', async () => {
    const run = runAgent({ model: scripted([() => new Promise(() => {})]), messages: 'Go.' });
    const events = run[Symbol.asyncIterator]();
    await events.next();
    const waiting = events.next();
    await events.return?.();
    await waiting;
    expect((await run.result).reason).toBe('aborted');
  });

  it('is never told to what has ended by itself', async () => {
    const { signal: untouched } = new AbortController();
    let told = untouched;
    const tools: AgentTool[] = [
      {
        name: 'serve',
        run: (_, { signal }) => {
          told = signal;
          return 'started';
        },
      },
    ];
    const model = scripted(calls(call('one', 'serve')), answer('ok'));
    await runAgent({ model, tools, messages: 'Go.' }).result;
    expect(told).not.toBe(untouched);
    expect([told, ...model.signals].map(({ aborted }) => aborted)).toEqual([false, false, false]);
  });

  it('leaves no listener on the signal behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners++;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners--;
      remove(...given);
    };
    const model = scripted(calls(call('one', 'x')), answer('ok'));
    await runAgent({ model, tools: [{ name: 'x', run: () => 1 }], messages: 'Go.', signal }).result;
    expect(listeners).toBe(0);
  });
});
