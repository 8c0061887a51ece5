import { describe, expect, it } from 'vitest';
import { dialects, findDialect } from '../dialects/index.js';
import { describeReading, rankReadings } from './rank-readings.js';

const tools = [{ name: 'now', parameters: { type: 'object', properties: { zone: { type: 'string' } } } }];
const rank = (text: string) => rankReadings(dialects, text, { tools });
const names = (readings: readonly { dialect: { name: string } }[]) => readings.map((one) => one.dialect.name);
const hermes = '<tool_call>\n{"name": "now", "arguments": {"zone": "UTC"}}\n</tool_call>';

describe('the ranking of readings', () => {
  it('has every dialect once, those that recognise a call before those that see prose', () => {
    const { all, fitting } = rank(hermes);
    expect(names(all).sort()).toEqual(names(dialects.map((dialect) => ({ dialect }))).sort());
    expect(names(fitting)).toEqual(['hermes', 'ernie-4.5']);
    expect(fitting).toEqual(all.slice(0, 2));
    expect(all[0]?.calls).toMatchObject([{ name: 'now', input: { zone: 'UTC' } }]);
  });

  it.each([
    ['hermes', '<tool_call>\n{"name": "now", "arguments": {"zo'],
    ['hermes', '<tool_call>\n{"na'],
    ['glm-4.5', '<tool_call>now\n<arg_key>zone</arg_key>\n<arg_value>UT'],
    [
      'kimi-k2',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{"z',
    ],
    ['deepseek-v3.1', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{"zone'],
    ['mistral', '[TOOL_CALLS]now[ARGS]{"zone": "U'],
  ])('finds %s by a call that was cut: %s', (name, text) => {
    const { fitting } = rank(text);
    expect(names(fitting)[0]).toBe(name);
    expect(fitting[0]).toMatchObject({ calls: [], lost: [{ type: 'call-error' }] });
  });

  it.each([
    '',
    'It is sunny.',
    'Write `<tool_call>`, then the JSON.',
    'Write <tool_call> and then the JSON.',
  ])('fits nothing to %j, which all dialects read as text', (text) => {
    const { all, fitting, alike } = rank(text);
    expect([fitting, alike]).toEqual([[], []]);
    expect(all).toHaveLength(dialects.length);
  });

  it('counts a marker that is left in the text against a reading', () => {
    const text = `Then </arg_value> comes.\n${hermes}`;
    expect(describeReading(rank(text).all[0]!)).toBe('1 call, 1 marker left in the text');
  });

  it('puts those that cannot be told apart in the order of their spelling, then in that of the list', () => {
    const inline = '<tool_call>now<arg_key>zone</arg_key><arg_value>UTC</arg_value></tool_call>';
    const lines = '<tool_call>now\n<arg_key>zone</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>';
    expect(names(rank(inline).fitting)).toEqual(['glm-4.7', 'glm-4.5', 'laguna']);
    expect(names(rank(lines).fitting)).toEqual(['glm-4.5', 'laguna', 'glm-4.7']);
    expect(names(rank(lines).alike)).toEqual(['glm-4.5', 'laguna']);
    const turned = [...dialects].reverse();
    expect(names(rankReadings(turned, hermes, { tools }).alike)).toEqual(['ernie-4.5', 'hermes']);
    expect(names(rankReadings(turned, lines, { tools }).fitting)).toEqual(['laguna', 'glm-4.5', 'glm-4.7']);
  });

  it('tells from the text that the prompt opened the reasoning, unless that is given', () => {
    const text = `I need the time.\n</think>\n${hermes}`;
    const only = [findDialect('hermes')];
    expect(rankReadings(only, text).all[0]).toMatchObject({ thinking: true, repairs: [] });
    expect(rankReadings(only, text, { thinking: false }).all[0]?.thinking).toBe(false);
  });

  it('counts a repair once, wherever the slices of a long text end', () => {
    const call = `<tool_call>\n{"name": "now", "arguments": {"zone": 'UTC',}}\n</tool_call><|im_end|>`;
    for (let gap = 4000; gap < 4200; gap += 7) {
      const [best] = rank(`${'.'.repeat(gap)}\n${call}`).fitting;
      expect([gap, best?.dialect.name, describeReading(best!)]).toEqual([gap, 'hermes', '1 call, 2 repairs']);
    }
  });

  it('is empty for no dialects', () => {
    expect(rankReadings([], hermes)).toEqual({ all: [], fitting: [], alike: [] });
  });
});
