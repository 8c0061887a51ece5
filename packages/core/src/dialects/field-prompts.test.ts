// Where whole prompts of the field's dialects go beyond their vendors' templates, or leave a fault of theirs out. What
// they share with the templates is held to their bytes in test/vendor-prompts.laws.test.ts.

import { describe, expect, it } from 'vitest';
import type { RenderOptions } from '../engine/dialect.js';
import { renderPrompt } from '../engine/renderer.js';
import { findDialect } from './index.js';

const prompt = (name: string, request: unknown, options: RenderOptions = {}) =>
  renderPrompt(findDialect(name), request, { generate: false, ...options }).text;

const user = { role: 'user', content: 'Go.' };
const call = (id: string, input: unknown = { n: id }) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: JSON.stringify(input) },
});
const says = (content: string, ...tool_calls: unknown[]) => ({
  role: 'assistant',
  content,
  ...(tool_calls.length > 0 && { tool_calls }),
});
const gives = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content });

const own = ['harmony', 'gemma4', 'kimi-k3', 'muse', 'minimax-m3', 'apertus', 'functionary-v3.2'];

describe.each(own)('%s', (name) => {
  it('has results in the order of their calls, whatever order they came in', () => {
    const turn = [user, says('', call('a'), call('b'))];
    const inOrder = prompt(name, [...turn, gives('a', 'First.'), gives('b', 'Second.')]);
    expect(prompt(name, [...turn, gives('b', 'Second.'), gives('a', 'First.')])).toBe(inOrder);
    expect(inOrder.indexOf('First.')).toBeLessThan(inOrder.indexOf('Second.'));
  });

  it('keeps a text before calls, and every call', () => {
    const calls = [call('a', { n: 'Oslo' }), call('b', { n: 'Rome' })];
    const text = prompt(name, [user, says('I look.', ...calls)]);
    const places = ['Go.', 'I look.', 'Oslo', 'Rome'].map((said) => text.indexOf(said));
    expect(text.split('I look.')).toHaveLength(2);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('says a system text in the middle of the conversation, and one behind another', () => {
    const system = (content: string) => ({ role: 'system', content });
    const text = prompt(name, [system('One.'), system('Two.'), user, says('So.'), system('Three.'), user]);
    const places = ['One.', 'Two.', 'Go.', 'So.', 'Three.'].map((said) => text.indexOf(said));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });
});

describe.each(['harmony', 'muse', 'apertus'])('%s', (name) => {
  it('says the date that it is told, and none by itself', () => {
    const told = prompt(name, [user], { template: { current_date: '2026-03-01' } });
    expect(told).toContain('Current date: 2026-03-01');
    expect(prompt(name, [user])).not.toContain('Current date');
  });
});

describe('harmony', () => {
  it('has a text before calls in the commentary', () => {
    expect(prompt('harmony', [user, says('I look.', call('a'))])).toContain(
      '<|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant to=functions.f',
    );
  });
});

describe('gemma4', () => {
  it('declares parameters that are called like words of a schema', () => {
    const properties = { type: { type: 'string' }, description: { type: 'string' } };
    const tools = [{ name: 'f', description: 'F', parameters: { type: 'object', properties } }];
    expect(prompt('gemma4', { messages: [user], tools })).toContain(
      'properties:{description:{type:<|"|>STRING<|"|>},type:{type:<|"|>STRING<|"|>}}',
    );
  });

  it('quotes keys that are no names', () => {
    expect(prompt('gemma4', [user, says('', call('a', { 'a}b': 1, c: null }))])).toContain(
      'call:f{<|"|>a}b<|"|>:1,c:null}',
    );
  });
});

describe('kimi-k3', () => {
  it('refuses an effort that the vendor does not know', () => {
    const options = { template: { thinking_effort: 'huge' } };
    expect(() => prompt('kimi-k3', [user], options)).toThrow(
      expect.objectContaining({ code: 'bad-options', path: 'template.thinking_effort' }),
    );
  });
});

describe('minimax-m3', () => {
  it('finds reasoning inside a text, and leaves arguments out that are null', () => {
    const turn = says('<mm:think>\nHm.\n</mm:think>\nYes.', call('a', { n: null, o: { p: null, q: 1 } }));
    expect(prompt('minimax-m3', [user, turn], { safety: 'exact' })).toContain(
      ']~b]ai\n<mm:think>Hm.</mm:think>Yes.]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="f">' +
        ']<]minimax[>[<o>]<]minimax[>[<q>1]<]minimax[>[</q>]<]minimax[>[</o>]<]minimax[>[</invoke>',
    );
  });
});

describe('functionary-v3.2', () => {
  it('keeps a text that ends like the mark apart from it', () => {
    const turn = says('a > b >', call('a', {}));
    expect(prompt('functionary-v3.2', [user, turn])).toContain('>>>all\na > b >\n>>>f\n{}');
    expect(prompt('functionary-v3.2', [user, turn], { safety: 'exact' })).toContain(
      '>>>all\na > b >>>>f\n{}',
    );
  });
});
