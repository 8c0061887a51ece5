import { describe, expect, it } from 'vitest';
import type { Safety } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import { acceptConversation, type Tool, type ToolCall } from '../../model/index.js';
import { glm45Layout, glm47Layout, glmRender, glmTokens } from './prompt.js';

const markers = defineMarkers(glmTokens);
const glm45 = glmRender(glm45Layout);
const glm47 = glmRender(glm47Layout);

function prompt(render: typeof glm45, messages: unknown[], options = {}): string {
  const out = new Writer(markers);
  render.prompt?.(out, acceptConversation(messages), options);
  return out.text;
}

function calls(raw: string, tools: Tool[] = [], safety: Safety = 'escape', render = glm47): string {
  const out = new Writer(markers, safety);
  const call: ToolCall = { type: 'tool-call', id: '1', name: 'f', input: JSON.parse(raw), raw };
  render.calls(out, [call], { tools, afterText: false });
  return out.text;
}

const declares = (properties: object): Tool[] => [
  { name: 'f', parameters: { type: 'object', properties } as Tool['parameters'] & object },
];

const user = { role: 'user', content: 'q' };

describe('glm prompts', () => {
  it('say /nothink behind every user turn, once', () => {
    const messages = [user, { role: 'assistant', content: 'A' }, { role: 'user', content: 'q2/nothink' }];
    expect(prompt(glm45, messages, { thinking: false })).toBe(
      '[gMASK]<sop><|user|>\nq/nothink<|assistant|>\n<think></think>\nA<|user|>\nq2/nothink<|assistant|>\n<think></think>',
    );
  });

  it('leave system messages in their place', () => {
    const messages = [user, { role: 'system', content: 'S' }];
    expect(prompt(glm47, messages)).toBe('[gMASK]<sop><|user|>q<|system|>S<|assistant|><think>');
  });

  it('strip what Python strips', () => {
    const messages = [
      user,
      { role: 'assistant', content: '\x1c\u3000a\x85', reasoning_content: '\ufeffr\x1f' },
    ];
    expect(prompt(glm47, messages, { generate: false })).toBe(
      '[gMASK]<sop><|user|>q<|assistant|><think>\ufeffr</think>a',
    );
  });

  it('open the observation once for a run of results', () => {
    const messages = [user, { role: 'tool', content: 'R1' }, { role: 'tool', content: 'R2' }];
    expect(prompt(glm47, messages, { generate: false })).toBe(
      '[gMASK]<sop><|user|>q<|observation|><tool_response>R1</tool_response><tool_response>R2</tool_response>',
    );
  });

  it('say nothing of text behind calls', () => {
    const parts = [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', aside: true },
    ];
    expect(prompt(glm47, [user, { role: 'assistant', parts }], { generate: false })).toBe(
      '[gMASK]<sop><|user|>q<|assistant|></think>A',
    );
  });
});

describe('glm calls', () => {
  it('keep digits, key order and white space', () => {
    expect(calls('{"b": 1.0, "10": 12345678901234567890, "2": " x\\n"}', [], 'escape', glm45)).toBe(
      '<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>1.0</arg_value>\n' +
        '<arg_key>10</arg_key>\n<arg_value>12345678901234567890</arg_value>\n' +
        '<arg_key>2</arg_key>\n<arg_value> x\n</arg_value>\n</tool_call>',
    );
  });

  it.each(['', ' a', 'a\n', 'a<b', 'a>b', 'a"b', 'a\\', '[gMASK]'])(
    'have a JSON body where a key is %j',
    (key) => {
      const raw = JSON.stringify({ [key]: 1 });
      const body = raw.replace(':', ': ').replace('[g', '\\u005bg');
      expect(calls(raw)).toBe(`<tool_call>f\n${body}\n</tool_call>`);
      expect(calls(raw, [], 'exact')).toBe(
        `<tool_call>f<arg_key>${key}</arg_key><arg_value>1</arg_value></tool_call>`,
      );
    },
  );

  it.each([
    ['a string that looks like a number, undeclared', '"42"', {}, false],
    ['a string that looks like a number, declared', '"42"', { a: { type: 'string' } }, true],
    ['a nullable string that looks like a number', '"42"', { a: { type: ['string', 'null'] } }, true],
    ['a string "null" that may be null', '"null"', { a: { type: ['string', 'null'] } }, false],
    ['a string where a number is declared', '"x"', { a: { type: 'number' } }, false],
    ['a number where a string is declared', '42', { a: { type: 'string' } }, false],
    ['a number where a string or null is declared', '42', { a: { type: ['string', 'null'] } }, false],
    ['null where a string is declared', 'null', { a: { type: 'string' } }, false],
    ['plain text, undeclared', '"plain"', {}, true],
    ['a JSON string, undeclared', '"\\"quoted\\""', {}, true],
    ['an object, undeclared', '{"b": 1}', {}, true],
  ])('of %s', (_, value, properties, inTags) => {
    const raw = `{"a": ${value}}`;
    expect(calls(raw, declares(properties)).includes('<arg_key>')).toBe(inTags);
    expect(calls(raw, declares(properties), 'exact')).toContain('<arg_key>');
    expect(calls(raw)).toContain('<arg_key>');
  });

  it('break markers in values and escape them in JSON', () => {
    const raw = JSON.stringify({ a: '</arg_value>', b: ['</arg_value>'] });
    expect(calls(raw)).toBe(
      '<tool_call>f<arg_key>a</arg_key><arg_value><\\/arg_value></arg_value>' +
        '<arg_key>b</arg_key><arg_value>["\\u003c/arg_value>"]</arg_value></tool_call>',
    );
  });
});
