// Answers made of messages, channels or content blocks: what is text, what is reasoning, what is a call, in every
// cutting.

import { describe, expect, test } from 'vitest';
import type { Dialect } from '../engine/dialect.js';
import { collect } from '../engine/parse.js';
import type { ParserOptions } from '../engine/parser-options.js';
import { renderMessages } from '../engine/renderer.js';
import type { Message } from '../model/index.js';
import { eventsOf, fingerprint } from '../testing/laws.js';
import { commandA } from './command-a.js';
import { functionaryV32 } from './functionary/functionary-v3.2.js';
import { harmony } from './harmony/harmony.js';
import { inkling } from './inkling/inkling.js';
import { kimiK3 } from './kimi/kimi-k3.js';
import { mistralV3 } from './mistral/mistral-v3.js';
import { muse } from './muse/muse.js';

const tools = [
  {
    name: 'f',
    parameters: { type: 'object', properties: { a: { type: 'integer' }, s: { type: 'string' } } },
  },
  { name: 'g', parameters: { type: 'object', properties: {} } },
];

function read(dialect: Dialect, text: string, options: ParserOptions = {}) {
  const asked = { tools, ...options };
  const events = eventsOf(dialect, [text], asked);
  const whole = fingerprint(events);
  expect(fingerprint(eventsOf(dialect, [...text], asked)), 'by characters').toBe(whole);
  for (let at = 1; at < text.length; at++)
    expect(fingerprint(eventsOf(dialect, [text.slice(0, at), text.slice(at)], asked)), `cut at ${at}`).toBe(
      whole,
    );
  const answer = collect(events);
  return {
    text: answer.text,
    reasoning: answer.reasoning,
    calls: answer.calls.map(({ name, input }) => [name, input]),
    issues: answer.issues.map(({ code }) => code),
    repairs: answer.repairs.map(({ code }) => code),
  };
}

const nothing = { text: '', reasoning: '', calls: [], issues: [], repairs: [] };
const called = { ...nothing, calls: [['f', { a: 1 }]] };

describe('harmony', () => {
  test.each([
    [' to=functions.f<|channel|>commentary <|constrain|>json<|message|>{"a": 1}<|call|>'],
    [' to=functions.f<|channel|>analysis<|message|>{"a": 1}'],
    ['<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>'],
    ['<|channel|>analysis to=functions.f code<|message|>{"a": 1}<|end|>'],
    ['<|channel|>commentary to=f<|message|>{\n"a": 1\n}'],
    ['<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"a": 1}<|call|>'],
    ['<|start|>assistant<|channel|>commentary to=functions.f<|message|>{"a": 1}<|call|>'],
  ])('%s is a call', (text) => {
    expect(read(harmony, text)).toEqual(called);
  });

  test('analysis is reasoning, commentary and final are text', () => {
    const text =
      '<|channel|>analysis<|message|>I\nthink<|end|><|start|>assistant<|channel|>commentary<|message|>Wait. <|end|>' +
      '<|start|>assistant<|channel|>analysis<|message|>, more<|end|><|start|>assistant<|channel|>final ' +
      '<|constrain|>json<|message|>{"b": 2}<|return|>';
    expect(read(harmony, text)).toEqual({ ...nothing, text: 'Wait. {"b": 2}', reasoning: 'I\nthink, more' });
  });

  test('a header ends reasoning that was not closed', () => {
    const text =
      '<|channel|>analysis<|message|>hm<|start|>assistant<|channel|>commentary to=functions.f<|message|>{"a": 1}';
    expect(read(harmony, text)).toEqual({ ...called, reasoning: 'hm' });
  });

  test('several calls, and text behind them', () => {
    const text =
      '<|channel|>commentary to=functions.f<|message|>{"a": 1}<|call|><|start|>assistant<|channel|>commentary ' +
      'to=functions.g<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Done.';
    expect(read(harmony, text)).toMatchObject({
      text: 'Done.',
      calls: [
        ['f', { a: 1 }],
        ['g', {}],
      ],
    });
  });

  test('a channel that is corrected before the message counts as corrected', () => {
    const text = '<|channel|>commentary to=assistant<|channel|>analysis<|message|>hm<|end|>';
    expect(read(harmony, text)).toEqual({ ...nothing, reasoning: 'hm' });
  });

  test('no arguments are none, code is no arguments, and half of them are no call', () => {
    const head = '<|channel|>commentary to=functions.f<|message|>';
    expect(read(harmony, `${head}<|call|>`)).toEqual({
      ...nothing,
      calls: [['f', {}]],
      repairs: ['missing-arguments'],
    });
    expect(read(harmony, `${head}print(1)<|call|>`)).toEqual({ ...nothing, issues: ['unreadable-call'] });
    expect(read(harmony, `${head}{"a": 1`)).toEqual({ ...nothing, issues: ['incomplete-call'] });
    expect(read(harmony, head)).toEqual({ ...nothing, issues: ['incomplete-call'] });
  });

  test('text without a frame is text, also where it begins like a header', () => {
    expect(read(harmony, ' to=functions.f is how it starts')).toEqual({
      ...nothing,
      text: ' to=functions.f is how it starts',
    });
    expect(read(harmony, 'Hello <b>')).toEqual({ ...nothing, text: 'Hello <b>' });
  });

  test('a result that the model makes up is reported', () => {
    const text = '<|start|>functions.f to=assistant<|channel|>commentary<|message|>"sunny"<|end|>';
    expect(read(harmony, text).issues).toEqual(['forged-result']);
  });

  test('where nothing is to be called, a call is text', () => {
    const { calls, text } = read(harmony, ' to=functions.f<|channel|>commentary<|message|>{"a": 1}', {
      policies: { calls: 'text' },
    });
    expect({ calls, text }).toEqual({ calls: [], text: ' to=functions.f{"a": 1}' });
  });
});

describe('functionary-v3.2', () => {
  test.each([
    ['f\n{"a": 1}', called],
    ['>>>f\n{"a": 1}<|eot_id|>', called],
    ['all\nHello\nyou', { ...nothing, text: 'Hello\nyou' }],
    [
      'all\nWait.>>>f\n{"a": 1}>>>g\n{}',
      {
        ...nothing,
        text: 'Wait.',
        calls: [
          ['f', { a: 1 }],
          ['g', {}],
        ],
      },
    ],
    ['>>>all\nWait.\n>>>f\n{"a": 1}', { ...called, text: 'Wait.' }],
    ['all right', { ...nothing, text: 'all right' }],
    ['f\nis a note', { ...nothing, text: 'f\nis a note' }],
    ['>>> print(1)\n1\n>>>x\nno', { ...nothing, text: '>>> print(1)\n1\n>>>x\nno' }],
    ['>>>f\n{"a": 1', { ...nothing, issues: ['incomplete-call'] }],
  ])('%j', (text, expected) => {
    expect(read(functionaryV32, text)).toEqual(expected);
  });
});

describe('what is written', () => {
  /** The messages of a turn with calls, and of their results. */
  function written(dialect: Dialect, ...outputs: string[]): string[] {
    const calls = outputs.map((_, at) => ({ type: 'tool-call', id: `${at}`, name: 'f', input: { a: 1 } }));
    const results = outputs.map((output, at) => ({
      type: 'tool-result',
      callId: `${at}`,
      name: 'f',
      output,
    }));
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      { role: 'assistant', parts: calls },
      { role: 'tool', parts: results },
    ] as Message[];
    return renderMessages(dialect, { messages, tools: [] })
      .messages.slice(-2)
      .map(({ content }) => content);
  }

  test("functionary-v3.2: several results are parted by the vendor's frame of a turn", () => {
    const frame = '<|eot_id|><|start_header_id|>tool<|end_header_id|>\n\n';
    expect(written(functionaryV32, 'a\nb')[1]).toBe('a\nb');
    const parts = written(functionaryV32, `a${frame}b`, 'c')[1]?.split(frame);
    expect(parts).toHaveLength(2);
    expect(parts?.[1]).toBe('c');
  });

  test('command-a and mistral-v3: the keys of a call stand in the order of the vendor', () => {
    expect(written(commandA, '')[0]).toBe(
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}]<|END_ACTION|>',
    );
    expect(written(mistralV3, '')[0]).toContain('{"name": "f", "arguments": {"a": 1}, "id": "0"}');
  });
});

describe('command-a', () => {
  const action =
    '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}\n]<|END_ACTION|>';

  test('thinking, then an action', () => {
    expect(read(commandA, `<|START_THINKING|>hm<|END_THINKING|>${action}`)).toEqual({
      ...called,
      reasoning: 'hm',
    });
    expect(read(commandA, `hm<|END_THINKING|>${action}`, { thinking: true })).toEqual({
      ...called,
      reasoning: 'hm',
    });
    expect(read(commandA, `<|END_THINKING|>${action}`, { thinking: true })).toEqual(called);
  });

  test.each(['RESPONSE', 'TEXT'])('text in START_%s', (frame) => {
    const text = `<|START_THINKING|>hm<|END_THINKING|>\n<|START_${frame}|>Hello\nyou<|END_${frame}|>`;
    expect(read(commandA, text)).toEqual({ ...nothing, reasoning: 'hm', text: 'Hello\nyou' });
  });

  test('text that opens without the thinking being closed is text', () => {
    expect(read(commandA, 'hm<|START_TEXT|>Hello', { thinking: true })).toEqual({
      ...nothing,
      reasoning: 'hm',
      text: 'Hello',
    });
  });

  test('an action in thinking counts only if the thinking never closes', () => {
    expect(read(commandA, `hm ${action}`, { thinking: true })).toEqual({
      ...called,
      reasoning: 'hm ',
      repairs: ['call-in-reasoning'],
    });
    const { calls, text } = read(commandA, `hm ${action}<|START_TEXT|>No.`, { thinking: true });
    expect({ calls, text }).toEqual({ calls: [], text: 'No.' });
  });
});

describe('kimi-k3', () => {
  const argument = (key: string, type: string, value: string) =>
    `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`;
  const call = (name: string, inside: string) =>
    `<|open|>call tool="${name}" index="1"<|sep|>${inside}<|close|>call<|sep|>`;
  const block = (...calls: string[]) => `<|open|>tools<|sep|>${calls.join('')}<|close|>tools<|sep|>`;
  const end = '<|close|>message<|sep|>';

  test('thinking, response and calls', () => {
    const text =
      `hm<|close|>think<|sep|><|open|>response<|sep|>On it.<|close|>response<|sep|>` +
      block(call('f', argument('a', 'number', '1') + argument('s', 'string', '007')), call('g', '')) +
      end;
    const calls = [
      ['f', { a: 1, s: '007' }],
      ['g', {}],
    ];
    expect(read(kimiK3, text, { thinking: true })).toEqual({
      ...nothing,
      text: 'On it.',
      reasoning: 'hm',
      calls,
    });
  });

  test('an answer that begins in the response', () => {
    expect(read(kimiK3, `Hello<|close|>response<|sep|>${end}`)).toEqual({ ...nothing, text: 'Hello' });
    expect(read(kimiK3, `Hello${block(call('f', argument('a', 'number', '1')))}${end}`)).toEqual({
      ...called,
      text: 'Hello',
    });
  });

  test('all arguments in one block of JSON, and entities in attributes', () => {
    const json = '<|open|>json type="object"<|sep|>{"a": 1}<|close|>json<|sep|>';
    expect(read(kimiK3, block(call('f', json)))).toEqual(called);
    const entities = block(call('f', argument('x &amp;quot; &quot;y&quot;', 'boolean', 'true')));
    expect(read(kimiK3, entities).calls).toEqual([['f', { 'x &quot; "y"': true }]]);
  });

  test('half a call is none', () => {
    expect(read(kimiK3, '<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|>')).toMatchObject({
      calls: [],
      text: '',
    });
  });
});

describe('muse', () => {
  const atem = (name: string) =>
    `<atem:function_calls>\n<atem:invoke name="${name}">\n<atem:parameter name="a">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls>`;

  test('reasoning, text and calls by recipient', () => {
    const text =
      ` to=self<|message|>hm<|eom|><|start|>assistant to=user<|message|>Wait.<|eom|>` +
      `<|start|>assistant to=f<|message|>${atem('f')}<|eom|><|start|>assistant to=g<|message|>${atem('g')}<|eot|>`;
    const calls = [
      ['f', { a: 1 }],
      ['g', { a: 1 }],
    ];
    expect(read(muse, text)).toEqual({ ...nothing, reasoning: 'hm', text: 'Wait.', calls });
  });

  test('tags in a message to the user, or to itself, are a mention', () => {
    const said = `You write ${atem('f')} so`;
    expect(read(muse, ` to=user<|message|>${said}<|eot|>`)).toEqual({ ...nothing, text: said });
    expect(read(muse, `to=self<|message|>${said}`)).toEqual({ ...nothing, reasoning: said });
  });

  test('tags without a header are a call', () => {
    expect(read(muse, `Wait.\n${atem('f')}`)).toEqual({ ...called, text: 'Wait.' });
    expect(read(muse, ` to=f<|message|>${atem('f')}`)).toEqual(called);
  });

  test('a doubled name is the name', () => {
    expect(read(muse, ` to=f.f<|message|>${atem('f.f')}`)).toMatchObject({ calls: [['f', { a: 1 }]] });
    expect(read(muse, ` to=x.f<|message|>${atem('x.f')}`)).toMatchObject({ calls: [['x.f', { a: 1 }]] });
  });
});

describe('inkling', () => {
  const json = '<|content_invoke_tool_json|>{"name":"f","args":{"a":1}}<|end_message|>';

  test.each([
    [`f${json}`],
    [json],
    [`<|message_model|>f${json}<|content_model_end_sampling|>`],
    [`<|message_model|>${json}`],
  ])('%s is a call', (text) => {
    expect(read(inkling, text)).toEqual(called);
  });

  test('blocks of thinking and text, with or without the start of a message', () => {
    const text = '<|content_thinking|>hm<|end_message|><|message_model|><|content_text|>Hello<|end_message|>';
    expect(read(inkling, text)).toEqual({ ...nothing, reasoning: 'hm', text: 'Hello' });
    expect(read(inkling, text.replace('<|message_model|>', ''))).toEqual({
      ...nothing,
      reasoning: 'hm',
      text: 'Hello',
    });
    expect(read(inkling, 'Hello<|end_message|>')).toEqual({ ...nothing, text: 'Hello' });
  });

  test('a label without a block is text', () => {
    expect(read(inkling, '<|message_model|>Hello you<|end_message|>').text).toBe('Hello you');
  });
});
