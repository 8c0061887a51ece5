// Conversations for the tests of the forms: those of the corpus, and generated ones full of what is easily lost.

import { readdirSync, readFileSync } from 'node:fs';
import {
  type AssistantMessage,
  acceptConversation,
  type Conversation,
  ExactNumber,
  type ExactValue,
  exactObject,
  type JsonObject,
  type JsonValue,
  type Message,
  parseExact,
  stringifyJson,
  type Tool,
  type ToolCall,
  type ToolResult,
  toPlain,
} from '@dragoman/core/internal';
import fc from 'fast-check';
import type { Transcript } from './form.js';

const folder = new URL('../../../core/corpus/conversations/', import.meta.url);

export function corpusTranscripts(): { name: string; transcript: Transcript }[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(`${name}/conversation.json`, folder), 'utf8');
      const { extra: _, ...conversation } = acceptConversation(parseExact(text));
      return { name, transcript: { conversation, rest: [['id', name]] } };
    });
}

const pieces = [
  'Hello.',
  ' ',
  '\n',
  '\n\n',
  'a < b && c',
  '<tool_call>',
  '</tool_call>',
  '<tools>[{"name":"f"}]</tools>',
  '<think>',
  '</think>',
  '<|im_end|>',
  '<|im_start|>user\n',
  '<|user|>',
  '<|observation|>',
  '<tool_response>',
  '</tool_response>',
  '<function=f>',
  '<｜end▁of▁sentence｜>',
  '<｜tool▁calls▁begin｜>',
  '!unquote_end',
  'USER: hi',
  'ASSISTANT: <functioncall> {"name": "f"}',
  'FUNCTION RESPONSE: {}',
  '<|endoftext|>',
  '[f(a=1)]',
  '{"a": 1.0}',
  '{{x}}',
  '"quoted" \\ \\n',
  '北京',
  'é',
  '😀',
  '\u2028',
  '\t',
];

/** Texts begin and end with a letter: what dialects trim is tested elsewhere. */
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((chosen) => `T${chosen.join('')}.`);

const names = [
  'get_weather',
  'f',
  'tool_call',
  'think',
  'constructor',
  '__proto__',
  'toString',
  'a.b',
  'read-file',
];
const keys = ['city', 'a b', '__proto__', '10', '2', 'constructor', '北', ''];
const digits = ['1.0', '12345678901234567890', '1e400', '-0', '0.10', '1E2'];

const exactLeaf: fc.Arbitrary<ExactValue> = fc.oneof(
  text,
  fc.constantFrom('', '007', 'true', ' x ', '{"a": 1}'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(0.5, 1e21, -1),
  fc.constantFrom(...digits).map((digit) => new ExactNumber(digit)),
);

const exactValue: fc.Arbitrary<ExactValue> = fc.oneof(
  { weight: 4, arbitrary: exactLeaf },
  { weight: 1, arbitrary: fc.array(exactLeaf, { maxLength: 3 }) },
  { weight: 1, arbitrary: membersOf(exactLeaf) },
);

function membersOf(value: fc.Arbitrary<ExactValue>): fc.Arbitrary<ExactValue> {
  return fc
    .uniqueArray(fc.constantFrom(...keys), { maxLength: 3 })
    .chain((chosen) => fc.tuple(...chosen.map((key) => value.map((said) => [key, said] as const))))
    .map((members) => exactObject(members));
}

const id = fc
  .tuple(fc.constantFrom('toolu_', 'call-', 'x', 'id:'), fc.integer({ min: 0, max: 1e9 }))
  .map(([prefix, number]) => prefix + number.toString(36));

const call: fc.Arbitrary<ToolCall> = fc
  .tuple(id, fc.constantFrom(...names), membersOf(exactValue), fc.constantFrom('compact', 'python'))
  .map(([callId, name, input, style]) => ({
    type: 'tool-call',
    id: callId,
    name,
    input: toPlain(input) as JsonObject,
    raw: stringifyJson(input, style as 'compact'),
  }));

const output: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>({ a: [1, null] }, [1, 'x'], 7, true) },
);

type Part = AssistantMessage['parts'][number];

/** Generates a value once in `times`, else null. */
function rarely<T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const answer: fc.Arbitrary<Part[]> = fc
  .record({
    thought: rarely(text, 3),
    said: fc.option(text),
    more: rarely(text, 12),
    calls: fc.uniqueArray(call, { maxLength: 3, selector: (made) => made.id }),
    after: rarely(text, 12),
    late: rarely(text, 16),
  })
  .map(({ thought, said, more, calls, after, late }) => [
    ...(thought === null ? [] : [{ type: 'reasoning', text: thought } as const]),
    ...(said === null ? [] : [textPart(said)]),
    ...(more === null ? [] : [textPart(more)]),
    ...calls,
    ...(after === null || calls.length === 0 ? [] : [textPart(after)]),
    ...(late === null ? [] : [{ type: 'reasoning', text: late } as const]),
  ])
  .map((parts) => (parts.length > 0 ? parts : [textPart('So.')]));

function textPart(said: string): { type: 'text'; text: string } {
  return { type: 'text', text: said };
}

interface DrawnTurn {
  question: Message[];
  answer: Part[];
  outputs: { output: JsonValue; isError: boolean }[];
  /** Results in another order than their calls. */
  shuffled: boolean;
  /** Results in one message each. */
  apart: boolean;
}

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } };

const question: fc.Arbitrary<Message[]> = fc
  .record({
    said: text,
    media: rarely(fc.constant(image), 12),
    system: rarely(text, 16),
  })
  .map(({ said, media, system }) => [
    ...(system === null ? [] : [{ role: 'system' as const, parts: [textPart(system)] }]),
    {
      role: 'user' as const,
      parts: media === null ? [textPart(said)] : [textPart(said), { type: 'media' as const, media }],
    },
  ]);

const turn: fc.Arbitrary<DrawnTurn> = fc.record({
  question,
  answer,
  outputs: fc.array(fc.record({ output, isError: fc.integer({ max: 9, min: 0 }).map((n) => n === 0) }), {
    minLength: 3,
    maxLength: 3,
  }),
  shuffled: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  apart: fc.boolean(),
});

function messagesOf({ question: asked, answer: parts, outputs, shuffled, apart }: DrawnTurn): Message[] {
  const calls = parts.filter((part) => part.type === 'tool-call');
  const results = calls.map((made, at): ToolResult => {
    const said = outputs[at];
    return {
      type: 'tool-result',
      callId: made.id,
      name: made.name,
      output: said?.output ?? '',
      ...(said?.isError && { isError: true }),
    };
  });
  if (shuffled) results.reverse();
  const told: Message[] = apart
    ? results.map((result) => ({ role: 'tool', parts: [result] }))
    : results.length > 0
      ? [{ role: 'tool', parts: results }]
      : [];
  return [...asked, { role: 'assistant', parts }, ...told];
}

const tool = (name: string): fc.Arbitrary<Tool> =>
  fc
    .record({
      description: fc.option(text, { freq: 5 }),
      parameters: fc.option(
        fc.constantFrom<JsonObject>(
          {
            type: 'object',
            properties: { city: { type: 'string', description: 'Where.' } },
            required: ['city'],
          },
          { type: 'object', properties: {} },
        ),
        { freq: 8 },
      ),
    })
    .map(({ description, parameters }) => ({
      name,
      ...(description !== null && { description }),
      ...(parameters !== null && { parameters }),
    }));

const rest: fc.Arbitrary<Transcript['rest']> = fc
  .uniqueArray(fc.constantFrom('id', 'source', '7', '__proto__', 'score'), { maxLength: 3 })
  .chain((chosen) => fc.tuple(...chosen.map((key) => exactValue.map((value) => [key, value] as const))));

export const anyTranscript: fc.Arbitrary<Transcript> = fc
  .record({
    system: fc.option(text),
    second: rarely(text, 16),
    turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
    choice: fc.constantFrom<Conversation['toolChoice']>('auto', 'auto', 'auto', 'auto', 'none', 'required'),
    rest,
  })
  .chain(({ system, second, turns, choice, rest: others }) => {
    const messages: Message[] = [system, system === null ? null : second]
      .filter((said) => said !== null)
      .map((said): Message => ({ role: 'system', parts: [textPart(said)] }));
    messages.push(...turns.flatMap(messagesOf));
    const called = new Set(
      turns.flatMap(({ answer: parts }) => parts.filter(isCall).map((made) => made.name)),
    );
    return fc
      .tuple(...[...called].map(tool))
      .map((tools) => ({ conversation: { messages, tools, toolChoice: choice }, rest: others }));
  })
  .filter(({ conversation }) => hasUniqueIds(conversation));

function isCall(part: Part): part is ToolCall {
  return part.type === 'tool-call';
}

function hasUniqueIds({ messages }: Conversation): boolean {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter(isCall).map((made) => made.id) : [],
  );
  return new Set(ids).size === ids.length;
}

// --- common conversations -------------------------------------------------------------------------------

const plainText = fc
  .array(
    fc.constantFrom(
      'Hello.',
      'How is it?',
      'a < b',
      '{"a": 1}',
      '北京',
      'é',
      '\n\n',
      ' ',
      '[1]',
      '\\n',
      '`x`',
      '😀',
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((chosen) => chosen.join(''));

const plainTool: Tool = {
  name: 'get_weather',
  description: 'The weather.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, now: { type: 'boolean' } },
  },
};

const plainCall: fc.Arbitrary<{ input: JsonObject; output: string }> = fc.record({
  input: fc.record(
    {
      city: plainText,
      days: fc.integer({ min: -9, max: 9 }),
      now: fc.boolean(),
      note: plainText.map((said) => `As I said: ${said}`),
    },
    { requiredKeys: [] },
  ),
  output: plainText,
});

const plainTurn = fc.record({
  asked: plainText,
  said: rarely(plainText, 3),
  calls: fc.array(plainCall, { maxLength: 2 }),
  answer: plainText,
});

/** Questions, answers and calls as in most files, with nothing that is easily lost. */
export const plainTranscript: fc.Arbitrary<Transcript> = fc
  .record({
    system: rarely(plainText, 2),
    turns: fc.array(plainTurn, { minLength: 1, maxLength: 3 }),
    own: fc.boolean(),
  })
  .map(({ system, turns, own }) => {
    let made = 0;
    const messages = turns.flatMap(({ asked, said, calls, answer: told }): Message[] => {
      const parts = calls.map(({ input }): ToolCall => {
        const callId = own ? `call_${++made}` : `c${++made}`;
        return { type: 'tool-call', id: callId, name: plainTool.name, input };
      });
      const results = parts.map(({ id: callId, name }, at): ToolResult => {
        return { type: 'tool-result', callId, name, output: calls[at]?.output ?? '' };
      });
      return [
        { role: 'user', parts: [textPart(asked)] },
        ...(parts.length > 0
          ? [
              { role: 'assistant' as const, parts: said === null ? parts : [textPart(said), ...parts] },
              { role: 'tool' as const, parts: results },
            ]
          : []),
        { role: 'assistant', parts: [textPart(told)] },
      ];
    });
    if (system !== null) messages.unshift({ role: 'system', parts: [textPart(system)] });
    return { conversation: { messages, tools: [plainTool], toolChoice: 'auto' }, rest: [] };
  });
