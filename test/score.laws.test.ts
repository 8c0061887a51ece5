// `dragoman score` on wild outputs of the corpus with known verdicts, in all layouts. What the corpus says is read
// must score as right, and each change of the expectation as the error it makes.

import { createScoreLine, type ScoreSettings } from '@dragoman/convert';
import { describe, expect, it } from 'vitest';
import { isFull, oneOf } from './effort.js';
import {
  bfclRows,
  type Call,
  inspectSample,
  knownVerdicts,
  lmEvalRow,
  plainRow,
  type WildOutput,
  wildOutput,
  wildOutputs,
} from './score.fixture.js';

interface ScoredRow {
  id?: string;
  verdict: string;
  outputs: {
    verdict: string;
    by?: string;
    reads_as?: string;
    reads_thinking?: boolean;
    errors: { check: string }[];
    reason?: string;
  }[];
}

type Score = (output: WildOutput, expected: readonly Call[]) => ScoredRow;

function scored(settings: ScoreSettings, row: object, joins: readonly object[] = []): ScoredRow {
  const id = (row as { id: string }).id;
  const joined = new Map([[id, Object.assign({}, ...joins)]]);
  return JSON.parse(
    createScoreLine(settings, joins.length > 0 ? joined : new Map())(JSON.stringify(row)).text,
  );
}

const layouts: [name: string, score: Score][] = [
  ['plain', (output, expected) => scored({ layout: 'plain' }, plainRow(output, expected))],
  [
    'bfcl',
    (output, expected) => {
      const [row, ...joins] = bfclRows(output, expected);
      return scored({ layout: 'bfcl', dialect: output.dialect, thinking: output.thinking }, row, joins);
    },
  ],
  [
    'lm-eval',
    (output, expected) => {
      const { dialect, thinking } = output;
      return scored({ layout: 'lm-eval', dialect, thinking }, lmEvalRow(output, expected));
    },
  ],
  [
    'inspect',
    (output, expected) => {
      const { dialect, thinking } = output;
      return scored({ layout: 'inspect', dialect, thinking }, inspectSample(output, expected));
    },
  ],
];

const checksOf = ({ outputs }: ScoredRow) =>
  [...new Set(outputs[0]?.errors.map(({ check }) => check))].sort();

describe.each(layouts)('known verdicts as %s', (_, score) => {
  it.each(knownVerdicts.map((known) => [known.id, known] as const))(
    '%s',
    (id, { expect: calls, verdict, checks }) => {
      const row = score(wildOutput(id), calls);
      expect({ verdict: row.verdict, checks: checksOf(row) }).toEqual({
        verdict,
        checks: [...checks].sort(),
      });
    },
  );
});

/** Calls of another dialect stand in these texts: a reader of this one leaves them there. */
const leaking = new Set([
  'alkaid/glm-call',
  'alkaid/native-tool-calls',
  'deepseek-v3.1/arguments-fenced',
  'deepseek-v3.1/v3-spelling',
  'glm-4.7/hermes-call',
  'hermes/glm-call',
  'qwen3-coder/hermes-call',
]);

const whole = wildOutputs().filter(({ isWhole, id }) => isWhole && !leaking.has(id));
/** Every change of the expectation reads the text in all dialects. */
const withCalls = oneOf(
  8,
  whole.filter(({ read }) => read.length > 0),
);

function wrong(
  outputs: readonly WildOutput[],
  judge: (output: WildOutput) => unknown,
  wanted: unknown,
): string[] {
  return outputs
    .map((output) => [output.id, judge(output)] as const)
    .filter(([, found]) => JSON.stringify(found) !== JSON.stringify(wanted))
    .map(([id, found]) => `${id}: ${JSON.stringify(found)}`);
}

/** Of a first call that is changed so that only this check fails. */
const brief = (row: ScoredRow) => [row.verdict, checksOf(row)[0]];

describe.each(layouts)('the corpus as %s', (_, score) => {
  it('is right where the corpus says what is read', () => {
    expect(whole.length).toBeGreaterThan(900);
    expect(wrong(whole, (output) => score(output, output.read).verdict, 'right')).toEqual([]);
  });

  it('has a model error where another tool, value or number of calls was due', () => {
    expect(withCalls.length).toBeGreaterThan(isFull ? 600 : 75);
    const changed = (change: (call: Call) => Call) => (output: WildOutput) => {
      const [first, ...rest] = output.read as [Call, ...Call[]];
      const row = score(output, [change(first), ...rest]);
      return [row.verdict, row.outputs[0]?.errors[0]?.check];
    };
    const renamed = changed(({ input }) => ({ name: 'zz_no_such_tool', input }));
    expect(wrong(withCalls, renamed, ['model', 'name'])).toEqual([]);
    const more = changed(({ name, input }) => ({ name, input: { ...input, zz_more: 'zz' } }));
    expect(wrong(withCalls, more, ['model', 'arguments'])).toEqual([]);
    const extra = { name: 'zz_no_such_tool', input: {} };
    expect(
      wrong(withCalls, (output) => brief(score(output, [...output.read, extra])), ['model', 'count']),
    ).toEqual([]);
    const none = (output: WildOutput) => {
      const row = score(output, []);
      return [row.verdict, row.outputs[0]?.errors[0]?.check];
    };
    expect(wrong(withCalls, none, ['model', 'count'])).toEqual([]);
  });
});

/** A call of `add` with 3, in the spellings of other dialects than hermes. */
const leaks = {
  'bare-json': '{"name": "add", "arguments": {"a": 3}}',
  'deepseek-v3.1':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'fenced-json': '```json\n{"name": "add", "arguments": {"a": 3}}\n```',
  gemma4: '<|tool_call>call:add{a:3}<tool_call|>',
  'glm-4.5': '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  'minimax-m2': '<invoke name="add">\n<parameter name="a">3</parameter>\n</invoke>',
  mistral: '[TOOL_CALLS]add[ARGS]{"a": 3}',
  pythonic: '[add(a=3)]',
  'qwen3-coder': '<tool_call>\n<function=add>\n<parameter=a>\n3\n</parameter>\n</function>\n</tool_call>',
  'qwen3-coder without its wrapper': '<function=add>\n<parameter=a>\n3\n</parameter>\n</function>',
};

describe.each(layouts)('a leaked call beside the right one as %s', (_, score) => {
  const due = [{ name: 'add', input: { a: 2 } }];
  const call = '<tool_call>\n{"name": "add", "arguments": {"a": 2}}\n</tool_call>';
  const tools = [
    { name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } } } },
    { name: 'now', parameters: { type: 'object', properties: {} } },
  ];
  const judge = (text: string, thinking = false) => {
    const row = score(
      { id: 'leak', dialect: 'hermes', text, tools, thinking, read: due, isWhole: true },
      due,
    );
    const { verdict, reads_as, reads_thinking } = row.outputs[0] as ScoredRow['outputs'][number];
    return { verdict, checks: checksOf(row), reads_as, reads_thinking };
  };

  it.each(Object.entries(leaks))('is an error of the model in %s, on either side', (_, leak) => {
    const fault = { verdict: 'model', checks: ['leak'] };
    expect(judge(`${leak}\n${call}`)).toEqual(fault);
    expect(judge(`${call}\n${leak}`)).toEqual(fault);
    expect(judge(`${call} ${leak}`)).toEqual(fault);
    expect(judge(`Here it is.\n${call}\nAnd more.\n${leak}`)).toEqual(fault);
  });

  // A fence that does not begin its line is no fence.
  const inLine = Object.entries(leaks).filter(([name]) => name !== 'fenced-json');
  it.each(inLine)('is an error of the model in %s, behind text on its line', (_, leak) => {
    const fault = { verdict: 'model', checks: ['leak'] };
    expect(judge(`I add: ${leak}\n${call}`)).toEqual(fault);
    expect(judge(`${call}\nAnd another. ${leak}`)).toEqual(fault);
    expect(judge(`${call}\nAnd another. ${leak}\nThat is all.`)).toEqual(fault);
  });

  it.each(Object.entries(leaks))('is an error of the model in %s, in reasoning without an end', (_, leak) => {
    const fault = { verdict: 'model', checks: ['leak'] };
    expect(judge(`I add three.\n${leak}\n${call}`, true)).toEqual(fault);
    expect(judge(`I add two.\n${call}\n${leak}`, true)).toEqual(fault);
    expect(judge(`<think>\nI add three.\n${leak}\n${call}`)).toEqual(fault);
    expect(judge(`I add three.\n${leak}\nNo, two.\n</think>\n${call}`, true)).toEqual({
      verdict: 'right',
      checks: [],
    });
  });

  it.each([
    'The form `add(a=3)` would add three.',
    'A list like `[add(a=3)]`',
    'With [add(a=3)] it would be three.',
    'The text "[add(a=3)]"',
    'For example: [add(a=3)]',
    'With {"name": "add", "arguments": {"a": 3}} it would be three.',
  ])('is none where it is only mentioned: %j', (mention) => {
    const right = { verdict: 'right', checks: [] };
    expect(judge(`${call}\n${mention}`)).toEqual(right);
    expect(judge(`${mention}\n${call}`)).toEqual(right);
    expect(judge(`${mention}\n${call}`, true)).toEqual(right);
  });

  it('is reasoning where the text closes that, so that the fault is the reader’s', () => {
    expect(judge(`${leaks.pythonic}\n${leaks.gemma4}\nNo, two.\n</think>\n\n${call}`)).toEqual({
      verdict: 'parser',
      checks: ['leak'],
      reads_as: 'hermes',
      reads_thinking: true,
    });
  });
});

describe('a log of inspect_ai in which the server has read the calls', () => {
  const due = [{ name: 'get_weather', input: { city: 'Rome' } }];
  const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: {} } } }];
  const judge = (text: string) => {
    const output = { id: 'log', dialect: 'hermes', text, tools, thinking: false, read: due, isWhole: true };
    return scored({ layout: 'inspect', dialect: 'hermes' }, inspectSample(output, due)).outputs[0];
  };

  it.each([
    '',
    'I look it up.',
    'I call get_weather for Rome.',
    'I use `get_weather` (the city is "Rome"):',
    'First get_weather, then:\n1. [Rome](https://rome.example)\n2. {"city"}',
  ])('is unscored where the text is prose: %j', (text) => {
    expect(judge(text)).toMatchObject({ verdict: 'unscored', reason: 'no-output' });
  });

  it('is scored where the text has a call of a dialect of the user', () => {
    const dialect = {
      name: 'ours',
      about: 'JSON between two signs.',
      calls: {
        family: 'json',
        open: '[[lamp]]',
        close: '[[dark]]',
        shape: 'object',
        keys: { name: 'tool', arguments: 'with' },
      },
      results: { each: '[[seen]]{output}[[/seen]]' },
    } as const;
    const text = '[[lamp]]{"tool": "get_weather", "with": {"city": "Rome"}}[[dark]]';
    const output = { id: 'log', dialect: 'ours', text, tools, thinking: false, read: due, isWhole: true };
    expect(scored({ layout: 'inspect', dialect }, inspectSample(output, due)).verdict).toBe('right');
  });

  it('is scored where the text has a call, even a broken one', () => {
    const call = '{"name": "get_weather", "arguments": {"city": "Rome"}}';
    expect(judge(`<tool_call>${call}</tool_call>`)).toMatchObject({ verdict: 'right', reader_right: true });
    expect(judge(`<tool_call>get_weather ${call.slice(0, 20)}</tool_call>`)).toMatchObject({
      verdict: 'parser',
      by: 'dragoman',
    });
  });
});

describe('an output without tools and expected calls', () => {
  const output = { id: 'a', dialect: 'hermes', tools: [], thinking: false, read: [], isWhole: true };
  const text = { ...output, text: 'It rains.' };
  const rows: [layout: string, row: object][] = [
    ['plain', { ...plainRow(text, []), expect: undefined }],
    ['lm-eval', { ...lmEvalRow(text, []), target: 'rain' }],
    ['inspect', { ...inspectSample(text, []), target: 'rain' }],
  ];

  it.each(rows)('is unscored as %s, because nothing can be checked', (layout, row) => {
    const [first] = scored({ layout, dialect: 'hermes' }, row).outputs;
    expect(first).toMatchObject({ verdict: 'unscored', reason: 'no-target' });
    expect(scored({ layout }, row).outputs[0]).toMatchObject({ verdict: 'unscored' });
  });

  it.each(rows)('is scored as %s with either', (layout, row) => {
    const [tool] = wildOutput('hermes/canonical').tools;
    const given = { expect: 'none', tools: 'known' };
    const more = { none: [], known: [tool] };
    for (const [key, path] of Object.entries(given))
      expect(scored({ layout, dialect: 'hermes', paths: { [key]: path } }, { ...row, ...more }).verdict).toBe(
        'right',
      );
  });
});

describe('a call that is only shown, where none is expected', () => {
  const tools = [{ name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } } } }];
  const call = '<tool_call>{"name": "add", "arguments": {"a": 3}}</tool_call>';
  const shown = [`Like \`${call}\`.`, `The text "${call}" is one.`, `Example:\n\`\`\`\n${call}\n\`\`\`\n`];
  const judge = (text: string, dialect: string) => {
    const { verdict, outputs } = scored({ layout: 'plain', dialect }, { text, tools, expect: [] });
    return [verdict, outputs[0]?.errors.map(({ check }) => check)];
  };

  it.each(shown)('is a call in the dialect of the output, and nothing in another: %j', (text) => {
    expect(judge(text, 'hermes')).toEqual(['model', ['count']]);
    for (const dialect of ['glm-4.5', 'pythonic', 'qwen3-coder'])
      expect(judge(text, dialect), dialect).toEqual(['right', []]);
  });
});

describe("an engine's own reading", () => {
  const settings: ScoreSettings = { layout: 'plain', paths: { reader: 'engine' } };
  const compare = (output: WildOutput, engine: unknown) => {
    const { verdict, outputs } = scored(settings, { ...plainRow(output, output.read), engine });
    return [verdict, outputs[0]?.by, outputs[0]?.errors[0]?.check];
  };
  const asCalls = (calls: readonly Call[]) => calls.map(({ name, input }) => ({ name, arguments: input }));

  it('is right where it is the same', () => {
    expect(wrong(whole, (output) => compare(output, asCalls(output.read)), ['right', null, null])).toEqual(
      [],
    );
    const asText = (output: WildOutput) => compare(output, JSON.stringify(asCalls(output.read)));
    expect(wrong(whole, asText, ['right', null, null])).toEqual([]);
  });

  it('is a parser error of the engine where a call is missing, or a value is lost', () => {
    const missing = (output: WildOutput) => compare(output, asCalls(output.read.slice(1)));
    expect(wrong(withCalls, missing, ['parser', 'engine', 'count'])).toEqual([]);
    const filled = withCalls.filter(({ read: [first] }) => Object.keys(first?.input ?? {}).length > 0);
    const emptied = ({ read: [first, ...rest] }: WildOutput) => [{ ...(first as Call), input: {} }, ...rest];
    const lost = (output: WildOutput) => compare(output, asCalls(emptied(output)));
    expect(wrong(filled, lost, ['parser', 'engine', 'arguments'])).toEqual([]);
  });

  it('is a parser error here where it is right and the reading here is not', () => {
    const output = wildOutput('hermes/glm-call');
    const row = { ...plainRow(output, [{ name: 'get_weather', input: { city: 'Beijing' } }]) };
    const engine = [{ function: { name: 'get_weather', arguments: '{"city": "Beijing"}' } }];
    expect(scored(settings, { ...row, engine }).outputs[0]).toMatchObject({
      verdict: 'parser',
      by: 'dragoman',
    });
  });

  it('excuses a leak only where its text is known and has none', () => {
    const output = wildOutput('hermes/canonical');
    const leaking = { ...output, text: `${output.text}\n[get_weather(city="Rome")]` };
    const calls = asCalls(output.read);
    expect(compare(leaking, { text: '', calls })).toEqual(['parser', 'dragoman', 'leak']);
    expect(compare(leaking, { text: '[get_weather(city="Rome")]', calls })).toEqual([
      'model',
      undefined,
      'leak',
    ]);
    expect(compare(leaking, calls)).toEqual(['model', undefined, 'leak']);
  });
});

describe("an engine's own readings of several outputs", () => {
  const tools = [{ name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } } } }];
  const call = (a: number) => ({ name: 'add', arguments: { a } });
  const text = (a: number) => `<tool_call>\n${JSON.stringify(call(a))}\n</tool_call>`;
  const expected = JSON.stringify([call(2)]);
  const settings = (layout: string, reader = 'engine'): ScoreSettings => {
    return { layout, dialect: 'hermes', paths: { reader } };
  };
  const verdictsOf = ({ outputs }: ScoredRow) =>
    outputs.map(({ verdict, by }) => (by === undefined ? verdict : `${verdict} ${by}`));
  const lmEval = (resps: string[][], engine: unknown) =>
    verdictsOf(scored(settings('lm-eval'), { doc_id: 'a', doc: { tools }, target: expected, resps, engine }));

  it('are each compared with its own repeat, as lm-eval', () => {
    const resps = [[text(2), text(3), text(2)]];
    const wanted = ['right', 'model', 'parser engine'];
    const lists = [[call(2)], [call(3)], []];
    expect(lmEval(resps, lists)).toEqual(wanted);
    expect(lmEval(resps, [lists])).toEqual(wanted);
    expect(lmEval(resps, JSON.stringify(lists))).toEqual(wanted);
    const answers = lists.map((calls) => ({ content: '', tool_calls: calls }));
    expect(lmEval(resps, answers)).toEqual(wanted);
    expect(
      lmEval(
        [[text(2)], [text(3)], [text(2)]],
        lists.map((one) => [one]),
      ),
    ).toEqual(wanted);
  });

  it('may stand for itself where there is one repeat, as lm-eval', () => {
    for (const engine of [[call(2)], [[call(2)]], [{ content: '', tool_calls: [call(2)] }], call(2)])
      expect(lmEval([[text(2)]], engine), JSON.stringify(engine)).toEqual(['right']);
    for (const engine of [[], [[]], { text: '', calls: [] }])
      expect(lmEval([[text(2)]], engine), JSON.stringify(engine)).toEqual(['parser engine']);
  });

  it.each([
    [[[call(2)]], 1],
    [[call(2), call(2)], 1],
    [[[], [], []], 3],
    [{ content: '', tool_calls: [call(2)] }, 1],
    [[], 0],
  ])('set a row of two repeats aside if they are not two, as lm-eval: %j', (engine, number) => {
    expect(() => lmEval([[text(2), text(2)]], engine)).toThrow(
      `expected 2 readings of the engine, one for each output, found ${number}`,
    );
  });

  const inspect = (numbers: number[], reading: unknown, own = true) => {
    const messages = numbers.map((a) => ({
      role: 'assistant',
      content: text(a),
      source: 'generate',
      ...(own && { tool_calls: [{ id: 'c', function: 'add', arguments: { a } }] }),
    }));
    const sample = {
      id: 'a',
      messages,
      target: JSON.stringify(numbers.map(call)),
      metadata: { tools, reading },
    };
    const read =
      reading === undefined
        ? { layout: 'inspect', dialect: 'hermes' }
        : settings('inspect', 'metadata.reading');
    return verdictsOf(scored(read, sample));
  };

  it('count together for the messages of a sample of inspect_ai', () => {
    expect(inspect([2, 3], undefined)).toEqual(['right']);
    expect(inspect([2, 3], undefined, false)).toEqual(['parser engine']);
    for (const reading of [
      [call(2), call(3)],
      [[call(2)], [call(3)]],
      [{ calls: [call(2)] }, { calls: [call(3)] }],
    ])
      expect(inspect([2, 3], reading), JSON.stringify(reading)).toEqual(['right']);
    expect(inspect([2, 3], [[call(2)], []])).toEqual(['parser engine']);
  });

  it('leave a sample without a message of the assistant unscored', () => {
    for (const reading of [[], [[]], [[call(2)]], [call(2)], [{ calls: [call(2)] }]])
      expect(inspect([], reading), JSON.stringify(reading)).toEqual(['unscored']);
  });

  it.each([
    [[[call(2)], null], 'engine[1]: expected the reading of an output, found null'],
    [[null, []], 'engine[0]: expected the reading of an output, found null'],
    [[{ calls: [call(2)] }, null], 'engine[1]: expected the reading of an output, found null'],
    [[[call(2)], 5], 'engine[1]: expected the reading of an output, found 5'],
    [[call(2), null], 'engine[1]: expected a call with a name and arguments, found null'],
  ])('name the one of a list that is none: %j', (engine, message) => {
    expect(() => lmEval([[text(2), text(2)]], engine)).toThrow(message);
  });

  it('set a sample aside if there are more or fewer than messages', () => {
    const one = { content: '', tool_calls: [call(2)] };
    for (const reading of [one, [one], [[call(2)], [call(3)], []]])
      expect(() => inspect([2, 3], reading), JSON.stringify(reading)).toThrow(
        'expected 2 readings of the engine',
      );
  });

  it('is compared with the result of the leaderboard', () => {
    const row = { id: 'simple_a', result: text(2), function: tools, ground_truth: [{ add: { a: [2] } }] };
    const judge = (engine: unknown) => verdictsOf(scored(settings('bfcl'), { ...row, engine }));
    expect(judge([call(2)])).toEqual(['right']);
    expect(judge([{ add: '{"a": 2}' }])).toEqual(['right']);
    expect(judge([])).toEqual(['parser engine']);
    expect(judge([[call(2)]])).toEqual(['right']);
    expect(() => judge([[], []])).toThrow('expected 1 reading of the engine, found 2');
  });
});

describe('--dialect auto', () => {
  it('reads an output of another dialect right, and names it', () => {
    const output = wildOutput('hermes/glm-call');
    const { dialect: _, ...row } = plainRow(output, [
      { name: 'get_weather', input: { city: 'Beijing' } },
    ]) as {
      dialect: string;
    };
    expect(scored({ layout: 'plain', dialect: 'auto' }, row).outputs[0]).toMatchObject({
      verdict: 'right',
      dialect: 'glm-4.7',
    });
  });
});
