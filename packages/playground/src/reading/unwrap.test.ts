import { type Answer, detect } from '@dragoman/core';
import { wires } from '@dragoman/core/wire';
import { describe, expect, it } from 'vitest';
import { unwrap } from './unwrap.js';

const text = 'Let me see.\n<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>';
const usage = { inputTokens: 1, outputTokens: 1 };
const answer: Answer = {
  id: 'a',
  model: 'm',
  created: 1,
  choices: [{ parts: [{ type: 'text', text }], finish: 'stop' }],
  usage,
};
const conversation = { messages: [], tools: [], toolChoice: 'auto' as const };
const request = { model: 'm', conversation, settings: {}, stream: true };
const context = { request, newId: (prefix: string) => `${prefix}1`, report: false };

/** The answer as a stream in pieces of ten characters. */
function streamOf(wire: (typeof wires)[number]): string {
  const encoder = wire.createStreamEncoder(context);
  const pieces = text.match(/.{1,10}/gs) ?? [];
  const events = [
    { type: 'answer-start' as const, id: 'a', model: 'm', created: 1 },
    ...pieces.map((piece) => ({ type: 'text-delta' as const, text: piece })),
    { type: 'finish' as const, reason: 'stop' as const },
    { type: 'usage' as const, usage },
  ];
  return events.map((event) => encoder.encode(event)).join('') + encoder.end();
}

describe.each(wires.filter(({ served }) => served).map((wire) => [wire.title, wire] as const))(
  'an answer of %s',
  (_, wire) => {
    it('gives its text', () => {
      const body = JSON.stringify(wire.encodeResponse(answer, context));
      expect(unwrap(body)).toMatchObject({ kind: 'answer', text });
      expect(unwrap(JSON.stringify(JSON.parse(body), null, 2))).toMatchObject({ text });
    });

    it('gives its text and the ends of its pieces where it is a stream', () => {
      const found = unwrap(streamOf(wire));
      expect(found).toMatchObject({ kind: 'answer', text });
      expect(found).toHaveProperty('ends.length', Math.ceil(text.length / 10));
    });

    it('is found in the lines of a log', () => {
      const body = wire.encodeResponse(answer, context);
      const log = [
        { level: 30, message: 'start' },
        { level: 30, response: body },
      ].map((one) => JSON.stringify(one));
      expect(unwrap(log.join('\n'))).toMatchObject({ text, line: 2 });
    });
  },
);

it('names the calls that the server has read itself', () => {
  const message = {
    role: 'assistant',
    content: 'One moment.',
    tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  };
  const found = unwrap(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
  expect(found).toMatchObject({ text: 'One moment.', calls: ['look'] });
});

it('takes the last answer of a request, with its tools', () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: text },
    { role: 'user', content: '?' },
  ];
  const found = unwrap(JSON.stringify({ model: 'm', messages, tools: [{ name: 'look' }] }));
  expect(found).toMatchObject({ kind: 'request', text });
  expect(JSON.parse((found as { tools: string }).tools)).toEqual([{ name: 'look' }]);
});

it('takes an exchange of the inspector, with its dialect', () => {
  const record = { id: 'x', dialect: 'glm-4.5', attempts: [{ text: 'first' }, { text }], answer: [] };
  expect(unwrap(JSON.stringify(record))).toMatchObject({ kind: 'exchange', text, dialect: 'glm-4.5' });
});

it('knows a chat template, alone and in a tokenizer_config.json', () => {
  const template = `{% for message in messages %}{{ '<tool_call>' }}\n{{ '{"name": ' }}{% endfor %}`;
  const dialect = detect({ template })?.dialect.name;
  expect(unwrap(template)).toMatchObject({ kind: 'template', ...(dialect && { dialect }) });
  expect(unwrap(JSON.stringify({ chat_template: template }))).toMatchObject({ kind: 'template' });
});

it('undoes the escapes of a JSON string', () => {
  expect(unwrap(JSON.stringify(text))).toEqual({ kind: 'text', text });
});

it.each([
  [text],
  ['{"name": "look", "arguments": {"at": "the sky"}}'],
  ['[{"name": "look", "arguments": {}}]'],
  ['[look(at="the sky")]'],
  ['"Hello," he said.'],
  ['{{ not a template }}'],
  ['data is what we need: nothing else'],
  ['{"half": '],
  [''],
])('leaves what a model wrote as it is: %s', (raw) => {
  expect(unwrap(raw)).toBeUndefined();
});
