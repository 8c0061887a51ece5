import { createValidator } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { drawSuite, SUITE_SIZES } from './draw-suite.js';
import { exactPrompt } from './exact-prompt.js';
import { readSuite } from './read-suite.js';
import { SuiteError } from './suite-error.js';
import { suiteFiles } from './suite-files.js';

describe('the suite', () => {
  it.each(Object.entries(SUITE_SIZES))(
    '%s has so many requests, half in Chinese, a third of them judgement',
    (_, size) => {
      const probes = drawSuite(size, 5);
      expect(probes).toHaveLength(size);
      expect(new Set(probes.map(({ id }) => id)).size).toBe(size);
      expect(probes.filter(({ id }) => id.endsWith('-zh'))).toHaveLength(size / 2);
      expect(probes.filter(({ suite }) => suite === 'judgement')).toHaveLength(size / 3);
      const streamed = probes.filter(
        ({ steps: [step] }) => step && 'question' in step && step.question.stream,
      );
      expect(streamed).toHaveLength(size / 2);
    },
  );

  it('is the same for the same seed, and another for another', () => {
    expect(drawSuite(60, 1)).toEqual(drawSuite(60, 1));
    expect(drawSuite(60, 1)).not.toEqual(drawSuite(60, 2));
  });

  it('labels exact cases, and says what their calls are', () => {
    for (const { suite, label, wants } of drawSuite(60, 1)) {
      if (suite === 'exact') expect([label, wants?.length]).toEqual([true, 1]);
      else expect(wants).toBeUndefined();
    }
  });
});

describe('the files of the suite', () => {
  const { tools, exact, values } = suiteFiles();

  it('have calls that fit the schemas of their tools, and values for every place', () => {
    for (const { wants = [] } of drawSuite(600, 7)) {
      for (const { name, input } of wants) {
        const tool = tools.find((one) => one.name === name);
        expect(
          createValidator(tool?.parameters ?? false).check(input as never),
          JSON.stringify(input),
        ).toEqual([]);
      }
    }
    const places = exact.flatMap((one) => JSON.stringify(one).match(/(?<="){[a-z_]+}(?=")/g) ?? []);
    const names = values.map(({ name }) => `{${name}}`);
    expect(places.filter((place) => !names.includes(place))).toEqual([]);
  });

  it('have every tool in a quick suite, with and without a stream', () => {
    const ways = drawSuite(60, 1).flatMap(({ wants = [], steps: [step] }) =>
      wants.map(({ name }) => `${name} ${step && 'question' in step && step.question.stream}`),
    );
    expect(new Set(ways).size).toBe(2 * tools.length);
  });

  it('are lines that a file of one’s own may have', () => {
    const lines = [...exact.slice(0, 3), { ask: '{city}?', expect_call: true, language: 'zh' }];
    const probes = readSuite(lines.map((one) => JSON.stringify(one)).join('\n'));
    expect(probes.map(({ suite }) => suite)).toEqual(['exact', 'exact', 'exact', 'judgement']);
    expect(probes[0]?.wants).toEqual(exact[0]?.calls);
    expect(JSON.stringify(probes[3]?.steps)).toMatch(/(北京|上海|成都|西安|香港|台北|广州)\?/);
  });
});

describe('a prompt that spells calls out', () => {
  it('shows a text as it is, other arguments as JSON, and how many calls there are', () => {
    expect(exactPrompt([{ name: 'echo', input: { text: 'a "b"\nc' } }])).toBe(
      'Call the tool `echo` with exactly this text, character by character:\n<<<\na "b"\nc\n>>>',
    );
    expect(exactPrompt([{ name: 'add', input: { a: 1, b: 2 } }], 'zh')).toBe(
      '调用工具 `add`，参数恰好如下：\n<<<\n{"a":1,"b":2}\n>>>',
    );
    const two = ['x', 'y'].map((text) => ({ name: 'echo', input: { text } }));
    expect(exactPrompt(two)).toMatch(/^Make 2 tool calls at once/);
  });
});

describe('a suite from a file', () => {
  it('takes the lines of vendors as they are', () => {
    const line = {
      messages: [
        { role: '_input', content: 'Be short.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      temperature: 0.6,
      stream: true,
      check_type: ['tool_calls'],
    };
    const [probe, second] = readSuite(
      `${JSON.stringify(line)}\n\n${JSON.stringify({ ...line, id: 'a/b', expect_call: false })}\n`,
    );
    const [step] = probe?.steps ?? [];
    const question = step && 'question' in step ? step.question : undefined;
    expect(probe).toMatchObject({ id: 'suite.1', suite: 'given' });
    expect(question?.stream).toBe(true);
    expect(question?.given?.conversation.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(question?.given?.settings.temperature).toBe(0.6);
    expect(question?.given?.extra).not.toHaveProperty('check_type');
    expect(second).toMatchObject({ id: 'suite.3-a_b', label: false });
  });

  it.each([
    ['', /holds no request/],
    ['[1]', /line 1: expected a JSON object/],
    ['{"messages": [{"role": "user", "content": "Hi"}]}\n{', /line 2: /],
    ['{"messages": 5}', /line 1: messages/],
    ['{"calls": [{"name": "nobody", "input": {}}]}', /line 1: calls: expected/],
    ['{"ask": "Hello"}', /line 1: ask: expected a text, and expect_call/],
    ['{"ask": "Hello", "expect_call": true, "language": "fr"}', /line 1: language: expected en or zh/],
  ])('refuses %j', (text, message) => {
    expect(() => readSuite(text)).toThrow(SuiteError);
    expect(() => readSuite(text)).toThrow(message);
  });
});
