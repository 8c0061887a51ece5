import { describe, expect, it } from 'vitest';
import {
  answer,
  call,
  calls,
  collect,
  finish,
  resultsIn,
  scripted,
  scriptedBy,
  text,
} from '../../../../test/agent/scripted-model.js';
import { ApiError, UsageError } from '../model/index.js';
import { runAgent } from './run-agent.js';
import type { AgentTool } from './tool.js';

const add: AgentTool<{ a: number; b: number }> = {
  name: 'add',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  run: ({ a, b }) => a + b,
};

/** Waits for a turn of the event loop, so that whatever can happen has happened. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('the loop', () => {
  it('asks, runs the tools, sends the results back and asks again', async () => {
    const model = scripted(
      [
        text('Let me see. '),
        ...calls(call('one', 'add', { a: 1, b: 2 }), call('two', 'add', { a: 3, b: 4 })),
      ],
      answer('3 and 7'),
    );
    const result = await runAgent({ model: model.ask, tools: [add], messages: 'Add.', system: 'Be brief.' })
      .result;
    expect(result).toMatchObject({ reason: 'done', text: '3 and 7', steps: 2, calls: 2 });
    expect(result.messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Add.' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me see. ' },
          { type: 'tool-call', id: 'one', name: 'add', input: { a: 1, b: 2 }, raw: '{"a":1,"b":2}' },
          { type: 'tool-call', id: 'two', name: 'add', input: { a: 3, b: 4 }, raw: '{"a":3,"b":4}' },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool-result', callId: 'one', name: 'add', output: 3 },
          { type: 'tool-result', callId: 'two', name: 'add', output: 7 },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: '3 and 7' }] },
    ]);
    expect(model.requests[1]?.conversation.messages).toEqual(result.messages.slice(0, 4));
    expect(model.requests[0]?.conversation.tools.map(({ name }) => name)).toEqual(['add']);
  });

  it('says what happens, in order', async () => {
    const model = scripted(calls(call('one', 'add', { a: 1, b: 2 })), answer('3'));
    const events = await collect(runAgent({ model, tools: [add], messages: 'Add.' }));
    expect(events.map(({ type }) => type)).toEqual([
      ...['step-start', 'call-start', 'call-delta', 'call-delta', 'call-end', 'call-ready', 'finish'],
      ...['tool-start', 'tool-end', 'step-end'],
      ...['step-start', 'text-delta', 'finish', 'step-end', 'agent-end'],
    ]);
    expect(events[5]).toMatchObject({ call: { id: 'one', input: { a: 1, b: 2 } } });
    expect(events[8]).toMatchObject({ result: { output: 3 }, ran: true });
    expect(events[9]).toMatchObject({ step: 1, finish: 'tool-calls', results: [{ output: 3 }] });
  });

  it('sums what the steps cost', async () => {
    const cost = (inputTokens: number, outputTokens: number, estimated = false) =>
      ({ type: 'usage', usage: { inputTokens, outputTokens, ...(estimated && { estimated }) } }) as const;
    const model = scripted(
      [...calls(call('one', 'add', { a: 1, b: 2 })), cost(10, 5)],
      [...answer('3'), cost(20, 1, true)],
    );
    const { usage } = await runAgent({ model, tools: [add], messages: 'Add.' }).result;
    expect(usage).toEqual({ inputTokens: 30, outputTokens: 6, estimated: true });
  });

  it('keeps reasoning where it stands, and what belongs to it', async () => {
    const think = (words: string, extra?: Record<string, unknown>) =>
      ({ type: 'reasoning-delta', text: words, ...(extra && { extra }) }) as const;
    const model = scripted([
      think('hm, '),
      think('yes', { signature: 's1' }),
      think('more', { signature: 's2' }),
      ...answer('3'),
    ]);
    const { messages } = await runAgent({ model, messages: 'Think.' }).result;
    expect(messages[1]?.parts).toEqual([
      { type: 'reasoning', text: 'hm, yes', extra: { signature: 's1' } },
      { type: 'reasoning', text: 'more', extra: { signature: 's2' } },
      { type: 'text', text: '3' },
    ]);
  });

  it('takes a conversation, its choice of tools and the name of a model', async () => {
    const model = scripted(answer('ok'));
    const conversation = { messages: [{ role: 'user', content: 'Hi' }], tool_choice: 'required' };
    await runAgent({
      model: { ask: model.ask, name: 'm-1' },
      conversation,
      tools: [add],
      settings: { seed: 7 },
    }).result;
    expect(model.requests[0]).toMatchObject({
      model: 'm-1',
      settings: { seed: 7 },
      conversation: { toolChoice: 'required' },
    });
  });

  it('asks for a tool in the first step only, and for none in all', async () => {
    const model = scripted(calls(call('one', 'add', { a: 1, b: 2 })), answer('3'));
    await runAgent({ model, tools: [add], messages: 'Add.', toolChoice: { name: 'add' } }).result;
    expect(model.requests.map(({ conversation }) => conversation.toolChoice)).toEqual([
      { name: 'add' },
      'auto',
    ]);

    const quiet = scripted(calls(call('one', 'add', { a: 1, b: 2 })), answer('no'));
    const result = await runAgent({ model: quiet, tools: [add], messages: 'Add.', toolChoice: 'none' })
      .result;
    expect(quiet.requests.map(({ conversation }) => conversation.toolChoice)).toEqual(['none', 'none']);
    expect(result.calls).toBe(0);
    expect(resultsIn(quiet.requests[1])).toEqual([expect.stringContaining('no tool may be called')]);
  });

  it('runs two calls of one id once each', async () => {
    const seen: unknown[] = [];
    const tool: AgentTool = { name: 'note', run: (input) => seen.push(input) };
    const model = scripted(calls(call('x', 'note', { n: 1 }), call('x', 'note', { n: 2 })), answer('ok'));
    await runAgent({ model, tools: [tool], messages: 'Go.' }).result;
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    expect(resultsIn(model.requests[1])).toEqual([1, 2]);
  });

  it('leaves answers that are not the first alone', async () => {
    const other = call('b', 'add', { a: 5, b: 5 }).map((event) => ({ ...event, choice: 1 }));
    const model = scripted([...other, ...answer('first')]);
    const result = await runAgent({ model, tools: [add], messages: 'Go.' }).result;
    expect(result).toMatchObject({ reason: 'done', text: 'first', calls: 0 });
  });
});

describe('what ends a run', () => {
  const again = scriptedTurns();
  function scriptedTurns() {
    return () => scriptedBy((step) => calls(call(`c${step}`, 'add', { a: step, b: 1 })));
  }

  it('is the number of steps, with the results of the last one kept', async () => {
    const model = again();
    const result = await runAgent({ model, tools: [add], messages: 'Go.', maxSteps: 4 }).result;
    expect(result).toMatchObject({ reason: 'max-steps', steps: 4, calls: 4 });
    expect(model.requests).toHaveLength(4);
    expect(result.messages.at(-1)).toMatchObject({ role: 'tool', parts: [{ output: 4 }] });
  });

  it('is the number of calls: those above it are answered, not run', async () => {
    const model = scripted(calls(...[1, 2, 3].map((n) => call(`c${n}`, 'add', { a: n, b: 0 }))));
    const result = await runAgent({ model, tools: [add], messages: 'Go.', maxCalls: 2 }).result;
    expect(result).toMatchObject({ reason: 'max-calls', calls: 2 });
    expect(result.messages.at(-1)?.parts).toMatchObject([{ output: 1 }, { output: 2 }, { isError: true }]);
  });

  it('is twenty steps where nothing else is said', async () => {
    const result = await runAgent({ model: again(), tools: [add], messages: 'Go.' }).result;
    expect(result).toMatchObject({ reason: 'max-steps', steps: 20 });
  });

  it('is an answer cut by the token limit, of which not even the complete calls are run', async () => {
    let ran = 0;
    const tool: AgentTool = { name: 'rm', run: () => ran++ };
    const model = scripted([
      text('I will '),
      ...call('one', 'rm'),
      { type: 'call-start', id: 'two', name: 'rm' },
      finish('length'),
    ]);
    const result = await runAgent({ model, tools: [tool], messages: 'Go.' }).result;
    expect(result).toMatchObject({ reason: 'length', text: 'I will ', calls: 0 });
    expect(ran).toBe(0);
    expect(result.messages.slice(1)).toMatchObject([
      { role: 'assistant', parts: [{ text: 'I will ' }, { type: 'tool-call', id: 'one' }] },
      { role: 'tool', parts: [{ callId: 'one', isError: true, output: expect.stringContaining('cut off') }] },
    ]);
  });

  it('is a call without its end, whatever the answer says of itself', async () => {
    let ran = 0;
    const tool: AgentTool = { name: 'rm', run: () => ran++ };
    const model = scripted([
      ...call('one', 'rm'),
      { type: 'call-start', id: 'two', name: 'rm' },
      finish('tool-calls'),
    ]);
    expect((await runAgent({ model, tools: [tool], messages: 'Go.' }).result).reason).toBe('length');
    expect(ran).toBe(0);
  });

  it('is the content filter', async () => {
    const model = scripted([text('I '), ...call('one', 'add', { a: 1, b: 1 }), finish('content-filter')]);
    const result = await runAgent({ model, tools: [add], messages: 'Go.' }).result;
    expect(result).toMatchObject({ reason: 'content-filter', text: 'I ', calls: 0 });
  });

  it('is an empty answer, too', async () => {
    const result = await runAgent({ model: scripted([finish('stop')]), messages: 'Go.' }).result;
    expect(result).toMatchObject({ reason: 'done', text: '' });
    expect(result.messages).toHaveLength(1);
  });
});

describe('a model that fails', () => {
  const failure = new ApiError('overloaded', 'come back later');

  it.each([
    [
      'by throwing',
      [
        text('half'),
        () => {
          throw failure;
        },
      ],
    ],
    ['in the stream', [text('half'), { type: 'error', error: failure } as const]],
  ])('%s ends the run with an event, a throw and a rejection', async (_, turn) => {
    const model = scripted(calls(call('one', 'add', { a: 1, b: 2 })), turn);
    const run = runAgent({ model, tools: [add], messages: 'Go.' });
    const types: string[] = [];
    const iterate = async (): Promise<void> => {
      for await (const event of run) {
        types.push(event.type);
        if (event.type === 'agent-end')
          expect(event).toMatchObject({ reason: 'error', error: failure, text: 'half' });
      }
    };
    await expect(iterate()).rejects.toBe(failure);
    await expect(run.result).rejects.toBe(failure);
    expect(types.at(-1)).toBe('agent-end');
    // What was done until then can be gone on from.
    expect(run.messages.at(-1)).toMatchObject({ role: 'tool', parts: [{ output: 3 }] });
  });

  it('fails also by ending without a finish', async () => {
    const run = runAgent({ model: scripted([text('half')]), messages: 'Go.' });
    await expect(run.result).rejects.toMatchObject({ code: 'upstream-broken' });
  });

  it('fails also before there is anything to iterate', async () => {
    const model = () => {
      throw failure;
    };
    await expect(runAgent({ model, messages: 'Go.' }).result).rejects.toBe(failure);
  });

  it('leaves no rejection unhandled if only the events are read, or nothing at all', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await collect(
      runAgent({
        model: scripted([
          () => {
            throw failure;
          },
        ]),
        messages: 'Go.',
      }),
    ).catch(() => {});
    void runAgent({
      model: scripted([
        () => {
          throw failure;
        },
      ]),
      messages: 'Go.',
    }).result;
    runAgent({ model: scripted(), messages: 'Go.' });
    await pause();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('a run', () => {
  it('does nothing until someone wants it', async () => {
    const model = scripted(answer('ok'));
    runAgent({ model, messages: 'Go.' });
    await pause();
    expect(model.requests).toHaveLength(0);
  });

  it('gives its result also to whoever asks before iterating', async () => {
    const run = runAgent({ model: scripted(answer('ok')), messages: 'Go.' });
    const { result } = run;
    expect((await collect(run)).map(({ type }) => type)).toContain('text-delta');
    expect((await result).text).toBe('ok');
    expect((await run.result).text).toBe('ok');
  });

  it('happens once', async () => {
    const run = runAgent({ model: scripted(answer('ok')), messages: 'Go.' });
    await collect(run);
    await expect(collect(run)).rejects.toThrow(UsageError);
  });

  it('asks for no more of the answer than is read', async () => {
    let written = 0;
    const model = scripted([
      ...Array.from({ length: 1000 }, () => [text('x'), () => written++]).flat(),
      finish('stop'),
    ]);
    const events = runAgent({ model, messages: 'Go.' })[Symbol.asyncIterator]();
    for (let count = 0; count < 10; count++) await events.next();
    await pause();
    expect(written).toBeLessThan(12);
    await events.return?.();
  });
});

describe('calls that cannot be run', () => {
  const resultOf = async (made: ReturnType<typeof call>, tools: AgentTool[]): Promise<unknown> => {
    const model = scripted(calls(made), answer('ok'));
    const { messages } = await runAgent({ model, tools, messages: 'Go.' }).result;
    return messages.find(({ role }) => role === 'tool')?.parts[0];
  };

  it('name a tool that is not there: the model is told which are', async () => {
    for (const name of ['sub', 'constructor', '__proto__']) {
      expect(await resultOf(call('one', name), [add, { name: 'mul', run: () => 1 }])).toMatchObject({
        isError: true,
        output: expect.stringContaining('The tools are: add, mul.'),
      });
    }
    expect(await resultOf(call('one', 'sub'), [])).toMatchObject({
      output: expect.stringContaining('no tools'),
    });
  });

  it('break the schema: the model is told where', async () => {
    let ran = 0;
    const tool: AgentTool = { ...add, run: () => ran++ };
    expect(await resultOf(call('one', 'add', { a: 'x', b: 2 }), [tool])).toMatchObject({
      isError: true,
      output: expect.stringContaining('a: expected number, got string'),
    });
    expect(ran).toBe(0);
  });

  it.each(['{"a": 1,', '[1]', 'null', '12', `${'['.repeat(600)}${']'.repeat(600)}`])(
    'are no JSON object: %s',
    async (raw) => {
      expect(await resultOf(call('one', 'add', raw), [add])).toMatchObject({
        isError: true,
        output: expect.stringContaining('no JSON object'),
      });
    },
  );

  it('and one without arguments is an empty object', async () => {
    const tool: AgentTool = { name: 'list', run: (input) => input };
    expect(await resultOf(call('one', 'list', ''), [tool])).toMatchObject({ output: {} });
  });

  it('give the tool the digits the model wrote', async () => {
    const tool: AgentTool = { name: 'get', run: (_, { raw, callId, name }) => [raw, callId, name] };
    expect(await resultOf(call('one', 'get', '{"id":12345678901234567890}'), [tool])).toMatchObject({
      output: ['{"id":12345678901234567890}', 'one', 'get'],
    });
  });
});

describe('identical calls in a row', () => {
  const same = () =>
    scriptedBy((step) => calls(call(`c${step}`, 'poll', step % 2 ? '{"a":1,"b":2}' : '{"b":2, "a":1}')));

  it('are run three times, then answered, and after three such steps the run ends', async () => {
    let ran = 0;
    const model = same();
    const result = await runAgent({ model, tools: [{ name: 'poll', run: () => ++ran }], messages: 'Go.' })
      .result;
    expect(result).toMatchObject({ reason: 'repeats', steps: 6, calls: 3 });
    expect(ran).toBe(3);
    expect(resultsIn(model.requests[4])).toEqual([
      1,
      2,
      3,
      expect.stringContaining('same input has just been run 3 times'),
    ]);
  });

  it('are as many as the run or the tool says', async () => {
    const poll: AgentTool = { name: 'poll', run: () => 'not yet' };
    const once = await runAgent({ model: same(), tools: [poll], messages: 'Go.', repeats: 1 }).result;
    expect(once).toMatchObject({ reason: 'repeats', calls: 1, steps: 2 });
    const patient = { ...poll, repeats: Number.POSITIVE_INFINITY };
    expect(await runAgent({ model: same(), tools: [patient], messages: 'Go.' }).result).toMatchObject({
      calls: 20,
    });
  });

  it('are counted within a turn, too', async () => {
    const model = scripted(calls(...'abcde'.split('').map((id) => call(id, 'poll'))), answer('ok'));
    expect(
      await runAgent({ model, tools: [{ name: 'poll', run: () => 1 }], messages: 'Go.' }).result,
    ).toMatchObject({
      reason: 'done',
      calls: 3,
    });
  });

  it('are not in a row if a step lies between, or a digit differs', async () => {
    const tools: AgentTool[] = [{ name: 'poll', run: () => 1 }];
    const turns = ['1', '2', '1', '2', '1', '2', '1', '2'].map((n) => calls(call(n, 'poll', { n })));
    expect(
      (await runAgent({ model: scripted(...turns, answer('ok')), tools, messages: 'Go.', repeats: 1 }).result)
        .calls,
    ).toBe(8);
    const long = ['12345678901234567890', '12345678901234567891'].map((n) =>
      calls(call(n, 'poll', `{"n":${n}}`)),
    );
    expect(
      (await runAgent({ model: scripted(...long, answer('ok')), tools, messages: 'Go.', repeats: 1 }).result)
        .calls,
    ).toBe(2);
  });

  it('end the run also where the tool is not there', async () => {
    expect((await runAgent({ model: same(), tools: [add], messages: 'Go.' }).result).reason).toBe('repeats');
  });
});

describe('options', () => {
  const model = scripted().ask;

  it.each([
    [{ messages: [] }, 'model: expected'],
    [{ model }, 'messages: expected'],
    [{ model, messages: [], conversation: [] }, 'one of the two'],
    [{ model, messages: [], maxSteps: 0 }, 'maxSteps: expected a number of at least 1'],
    [{ model, messages: [], toolTimeout: Number.NaN }, 'toolTimeout'],
    [{ model, messages: [], settings: { choices: 2 } }, 'settings.choices'],
    [{ model, messages: [], toolChoice: { name: 'x' } }, "toolChoice: there is no tool named 'x'"],
    [{ model, messages: [], approve: true }, 'approve: expected a function'],
    [
      { model, conversation: { messages: [], tools: [{ name: 'x' }] } },
      "a tool 'x' that nobody here can run",
    ],
  ])('that are wrong are told at once: %o', (options, words) => {
    expect(() => runAgent(options as unknown as Parameters<typeof runAgent>[0])).toThrow(words);
  });
});
