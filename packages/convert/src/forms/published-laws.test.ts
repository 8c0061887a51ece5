// There and back for the published forms, with texts, names and keys made of their own frames and white space. The
// laws over all pairs of forms stand in laws.test.ts.

import type { ExactValue, Message, ToolCall } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../quick/plain-json.js';
import { saidBy } from './compare.fixture.js';
import { parseRow } from './convert.js';
import { RowError, type Transcript } from './form.js';
import { glaiveForm } from './glaive-form.js';
import { sharegptForm } from './sharegpt-form.js';
import { toolaceForm } from './toolace-form.js';

const pieces = [
  ...[
    '\n',
    '\n\n',
    '\n\n\n',
    ' ',
    '\\',
    'x',
    '"',
    "'",
    '{',
    '}',
    ']',
    ')',
    ',',
    '=',
    '**',
    '\t',
    '\u2028',
    '\ud83d',
  ],
  ...[
    'USER:',
    'USER: ',
    'ASSISTANT: ',
    'FUNCTION RESPONSE: ',
    'SYSTEM: ',
    '<functioncall>',
    '<\\functioncall>',
  ],
  ...['<|endoftext|>', ' <|endoftext|>', '[f(', '[\\f(', '[f(a=1)]', 'f()', '<tool_call>', '</tool_call>'],
  ...['{"name": "f", "arguments": {}}', '<tool_response>', '</tool_response>', '<\\tool_response>'],
  'Here is a list of functions in JSON format that you can invoke:\n[{"name": "f"}]',
  'You are a helpful assistant with access to the following functions. Use them if required -\n{"name": "f"}',
  'H\\ere is a list of functions in JSON format that you can invoke:',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((chosen) => chosen.join(''));
const said = text.filter((one) => one !== '');
const names = fc.constantFrom('f', 'get rate', 'a.b', 'x-y', 'Über', 'f/g', '__proto__', 'a:b');
const keys = fc.oneof(fc.constantFrom('a', 'max-results', '', ' a', '**k', 'a=b', '__proto__', '1'), text);

const call: fc.Arbitrary<ToolCall> = fc
  .tuple(names, fc.dictionary(keys, fc.oneof(text, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 3 }))
  .map(([name, input]) => ({ type: 'tool-call', id: '', name, input: input as ToolCall['input'] }));

const turn: fc.Arbitrary<Message[]> = fc
  .tuple(said, fc.option(said), fc.array(call, { maxLength: 3 }), text)
  .map(([asked, answered, calls, output]): Message[] => [
    { role: 'user', parts: [{ type: 'text', text: asked }] },
    {
      role: 'assistant',
      parts: [...(answered === null ? [] : [{ type: 'text' as const, text: answered }]), ...calls],
    },
    ...calls.map(
      ({ name }, at): Message => ({
        role: 'tool',
        parts: [{ type: 'tool-result', callId: '', name, output: `${output}${at}` }],
      }),
    ),
  ]);

/** With the ids that a reader makes, so that none is lost. */
const transcript: fc.Arbitrary<Transcript> = fc
  .tuple(fc.option(said), fc.array(turn, { maxLength: 3 }))
  .map(([system, turns]): Transcript => {
    const messages = structuredClone(turns.flat());
    let [calls, results] = [0, 0];
    for (const message of messages) {
      for (const part of message.parts) {
        if (part.type === 'tool-call') part.id = `call_${++calls}`;
        if (part.type === 'tool-result') part.callId = `call_${++results}`;
      }
    }
    if (system !== null) messages.unshift({ role: 'system', parts: [{ type: 'text', text: system }] });
    const tools = [{ name: 'f', description: system ?? 'd', parameters: { type: 'object', properties: {} } }];
    return {
      conversation: { messages, tools: calls > 0 ? tools : [], toolChoice: 'auto' },
      rest: [['n', 1]],
    };
  });

const nothing: ReadonlySet<string> = new Set();

describe.each([sharegptForm, toolaceForm, glaiveForm])('$name', (form) => {
  it('says every conversation of text, calls and results without a loss', () => {
    fc.assert(
      fc.property(transcript, (given) => {
        const { row, notes } = form.write(given);
        expect(notes.filter(({ kind }) => kind === 'loss')).toEqual([]);
        expect(saidBy(form.read(parseRow(writeJson(row as ExactValue))), nothing)).toBe(
          saidBy(given, nothing),
        );
      }),
      { seed: 11, numRuns: 400 },
    );
  });

  it('reads any text of a model, or refuses the row, and never throws anything else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('human', 'gpt', 'assistant', 'tool', 'function_call'),
        text,
        text,
        (from, value, system) => {
          for (const row of [
            { conversations: [{ from, value }], system, tools: value },
            { chat: value, system },
            { sample: value },
          ]) {
            try {
              form.read(row);
            } catch (error) {
              expect(error).toBeInstanceOf(RowError);
            }
          }
        },
      ),
      { seed: 12, numRuns: 400 },
    );
  });
});
