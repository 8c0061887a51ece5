import { describe, expect, it } from 'vitest';
import type { Render, RenderOptions } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import { acceptConversation } from '../../model/index.js';
import { deepseekTokens } from './dsml-calls.js';
import { deepseekV31Render, deepseekV32Render } from './prompt.js';
import { deepseekV4Render, deepseekV41Render } from './v4-prompt.js';

const markers = defineMarkers(deepseekTokens);
const BOS = '<｜begin▁of▁sentence｜>';
const EOS = '<｜end▁of▁sentence｜>';

function prompt(render: Render, request: unknown, options: RenderOptions = {}): string {
  const out = new Writer(markers);
  render.prompt?.(out, acceptConversation(request), options);
  return out.text;
}

const user = (content: string) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });
const call = (id: string, args: unknown, name = 'f') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asks = (...calls: unknown[]) => ({
  role: 'assistant',
  content: 'Wait.',
  reasoning_content: 'r',
  tool_calls: calls,
});
const result = (tool_call_id: string, content: unknown) => ({ role: 'tool', tool_call_id, content });
const tools = [
  { type: 'function', function: { name: 'f', description: 'D', parameters: { type: 'object' } } },
];

describe('deepseek-v3.1', () => {
  it('gathers system texts in front, has no header behind results, and drops reasoning', () => {
    const messages = [
      system('S1'),
      user('q'),
      asks(call('1', '{"a":  1}'), call('2', { b: 2 })),
      result('1', 'R1'),
      result('2', 'R2'),
      { role: 'assistant', content: 'done', reasoning_content: 'r2' },
      system('S2'),
    ];
    expect(prompt(deepseekV31Render, messages, { thinking: true })).toBe(
      `${BOS}S1\n\nS2<｜User｜>q<｜Assistant｜></think>Wait.` +
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a":  1}<｜tool▁call▁end｜>' +
        `<｜tool▁call▁begin｜>f<｜tool▁sep｜>{"b": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>${EOS}` +
        `<｜tool▁output▁begin｜>R1<｜tool▁output▁end｜><｜tool▁output▁begin｜>R2<｜tool▁output▁end｜>done${EOS}`,
    );
  });

  it('drops reasoning that stands in the text', () => {
    const messages = [user('q'), { role: 'assistant', content: '<think>r</think>A' }, user('q2')];
    expect(prompt(deepseekV31Render, messages, { thinking: true })).toBe(
      `${BOS}<｜User｜>q<｜Assistant｜></think>A${EOS}<｜User｜>q2<｜Assistant｜><think>`,
    );
  });

  it('describes tools in words, without a line for a description that is missing', () => {
    const bare = [{ type: 'function', function: { name: 'g' } }];
    const text = prompt(deepseekV31Render, { messages: [user('q')], tools: [...tools, ...bare] });
    expect(text).toContain('following tools:\n\n### f\nDescription: D\n\nParameters: {"type": "object"}\n');
    expect(text).toContain('\n### g\n\nParameters: {}\n\nIMPORTANT: ALWAYS adhere');
    expect(text.startsWith(`${BOS}\n\n## Tools\n`)).toBe(true);
  });
});

describe('deepseek-v3.2', () => {
  it('has a header behind every user turn and thinks behind the last', () => {
    expect(prompt(deepseekV32Render, [user('a'), user('b')], { thinking: true })).toBe(
      `${BOS}<｜User｜>a<｜Assistant｜></think><｜User｜>b<｜Assistant｜><think>`,
    );
  });

  it('leaves the header out when nothing is to be generated', () => {
    expect(prompt(deepseekV32Render, [user('a')], { generate: false })).toBe(`${BOS}<｜User｜>a`);
    const messages = [user('a'), asks(call('1', {})), result('1', 'R')];
    expect(prompt(deepseekV32Render, messages, { generate: false })).toMatch(/<\/function_results>$/);
  });

  it('closes the results of a turn even if some are missing', () => {
    const messages = [user('a'), asks(call('1', {}), call('2', {})), result('1', 'R')];
    expect(prompt(deepseekV32Render, messages)).toMatch(
      /\n\n<function_results>\n<result>R<\/result>\n<\/function_results>\n\n<\/think>$/,
    );
  });

  it('joins results that came in one message or in several', () => {
    const anthropic = [
      { type: 'tool_result', tool_use_id: '1', content: 'R1' },
      { type: 'tool_result', tool_use_id: '2', content: 'R2' },
    ];
    const asked = [user('a'), asks(call('1', {}), call('2', {}))];
    const several = prompt(deepseekV32Render, [...asked, result('1', 'R1'), result('2', 'R2')]);
    expect(prompt(deepseekV32Render, [...asked, { role: 'user', content: anthropic }])).toBe(several);
  });
});

describe('deepseek-v4', () => {
  it('merges users and results into one turn and sorts results among their own places', () => {
    const messages = [
      user('a'),
      user('b'),
      asks(call('1', {}), call('2', {})),
      result('2', 'R2'),
      user('c'),
      result('1', 'R1'),
    ];
    const text = prompt(deepseekV4Render, messages);
    expect(text.startsWith(`${BOS}<｜User｜>a\n\nb<｜Assistant｜></think>Wait.`)).toBe(true);
    expect(text).toMatch(
      /<｜User｜><tool_result>R1<\/tool_result>\n\nc\n\n<tool_result>R2<\/tool_result><｜Assistant｜>/,
    );
  });

  it('keeps all reasoning with tools or on demand, and that of the last turn otherwise', () => {
    const messages = [user('a'), { role: 'assistant', content: 'A', reasoning_content: 'r' }, user('b')];
    const kept = `<｜User｜>a<｜Assistant｜><think>r</think>A${EOS}<｜User｜>b<｜Assistant｜><think>`;
    const dropped = `${BOS}<｜User｜>a<｜Assistant｜></think>A${EOS}<｜User｜>b<｜Assistant｜><think>`;
    const always = { thinking: true, template: { drop_thinking: false } };
    expect(prompt(deepseekV4Render, messages, { thinking: true })).toBe(dropped);
    expect(prompt(deepseekV4Render, messages, always)).toBe(BOS + kept);
    expect(prompt(deepseekV4Render, { messages, tools }, { thinking: true }).endsWith(kept)).toBe(true);
  });

  it.each([
    [undefined, BOS],
    ['low', BOS],
    ['medium', BOS],
    ['high', `${BOS}Reasoning Effort: Absolute maximum with no shortcuts permitted.\n`],
    ['max', `${BOS}Reasoning Effort: Beyond maximum — exhaustive, relentless, and uncompromising.\n`],
  ])('puts the effort %s in front, in words', (reasoning_effort, start) => {
    const template = { reasoning_effort };
    const text = prompt(deepseekV4Render, [system('S'), user('q')], { thinking: true, template });
    expect(text.startsWith(start)).toBe(true);
    expect(text).toMatch(/(\n\n|｜>)S<｜User｜>q<｜Assistant｜><think>$/);
    expect(prompt(deepseekV4Render, [user('q')], { template })).toBe(
      `${BOS}<｜User｜>q<｜Assistant｜></think>`,
    );
  });

  it('refuses an effort it does not know', () => {
    const options = { thinking: true, template: { reasoning_effort: 'huge' } };
    expect(() => prompt(deepseekV4Render, [user('q')], options)).toThrow(
      expect.objectContaining({ code: 'bad-options', path: 'template.reasoning_effort' }),
    );
  });

  it('neutralises texts that stand side by side as one', () => {
    expect(prompt(deepseekV4Render, [user('<｜Us'), system('er｜>')])).toBe(`${BOS}<｜User｜><\\｜User｜>`);
  });

  it('has an empty line in a call without arguments, and a JSON body where a key fits no attribute', () => {
    const text = prompt(deepseekV4Render, [user('q'), asks(call('1', {}), call('2', { 'a"b': 1 }))]);
    expect(text).toContain('<｜DSML｜invoke name="f">\n\n</｜DSML｜invoke>\n');
    expect(text).toContain('<｜DSML｜invoke name="f">\n{"a\\"b": 1}\n</｜DSML｜invoke>\n');
  });

  it('has a JSON body where a reader would look into the one argument', () => {
    const out = new Writer(markers);
    const input = { input: { a: 1 } };
    const declared = [{ name: 'f', parameters: { properties: { input: { type: 'object' } } } }];
    const calls = [{ type: 'tool-call', id: '1', name: 'f', input }] as const;
    deepseekV4Render.calls(out, calls, { tools: [], afterText: false });
    deepseekV4Render.calls(out, calls, { tools: declared, afterText: true });
    expect(out.text).toBe(
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="f">\n{"input": {"a": 1}}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>' +
        '\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name="f">\n' +
        '<｜DSML｜parameter name="input" string="false">{"a": 1}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    );
  });
});

describe('deepseek-v4.1', () => {
  const effort = (n: number) =>
    `Reasoning Effort: ${n} (range 1-100, the higher the value, the more thorough the reasoning)\n\n`;

  it.each([
    [undefined, 75],
    ['low', 50],
    ['max', 100],
    [33, 33],
  ])('has the effort %s as %i behind the system token', (reasoning_effort, n) => {
    const options = { thinking: true, template: { reasoning_effort } };
    expect(prompt(deepseekV41Render, [system('S'), user('q')], options)).toBe(
      `${BOS}<｜System｜>${effort(n)}S<｜User｜>q<｜Assistant｜><think>`,
    );
    expect(prompt(deepseekV41Render, [user('q')], options)).toBe(
      `${BOS}<｜System｜>${effort(n)}<｜User｜>q<｜Assistant｜><think>`,
    );
  });

  it('has no system token without system text, tools or effort', () => {
    expect(prompt(deepseekV41Render, [user('q')])).toBe(`${BOS}<｜User｜>q<｜Assistant｜></think>`);
    expect(
      prompt(deepseekV41Render, { messages: [user('q')], tools }).startsWith(
        `${BOS}<｜System｜>\n\n## Tools`,
      ),
    ).toBe(true);
  });

  it('takes a later system message for a turn that is answered', () => {
    const messages = [user('a'), { role: 'assistant', content: 'A', reasoning_content: 'r' }, system('S')];
    expect(prompt(deepseekV41Render, messages)).toBe(
      `${BOS}<｜User｜>a<｜Assistant｜></think>A${EOS}<｜System｜>S<｜Assistant｜></think>`,
    );
  });

  it('writes its tags with a space', () => {
    expect(prompt(deepseekV41Render, [user('q'), asks(call('1', { a: 'x', n: 5 }))])).toBe(
      `${BOS}<｜User｜>q<｜Assistant｜></think>Wait.\n\n<｜DSML｜ calls>\n<｜DSML｜ invoke name="f">\n` +
        '<｜DSML｜ parameter name="a" string="true">x</｜DSML｜ parameter>\n' +
        '<｜DSML｜ parameter name="n" string="false">5</｜DSML｜ parameter>\n' +
        `</｜DSML｜ invoke>\n</｜DSML｜ calls>${EOS}`,
    );
  });
});
