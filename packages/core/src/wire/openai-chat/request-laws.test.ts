// The law of requests, over every kind the API knows, with members anywhere that nobody knows.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, type Message, type ModelRequest } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';
import { toChatMedia } from './media.js';

/** As JSON has it. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const word = fc.constantFrom('a', 'hi there', '', '{"a":1}', '<tool_call>', '\ud83d\ude00', ' ');
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => plain(value));
const strangeKey = fc.constantFrom(
  'x',
  'name',
  'extra',
  'dragoman:notes',
  'parts',
  'type_',
  'cache_control',
  'refusal',
  '0',
  '__proto__',
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constant(null));

/** The object without undefined members, with strange ones, its members in any order. */
function object(
  members: Record<string, fc.Arbitrary<unknown>>,
  strange = true,
): fc.Arbitrary<Record<string, unknown>> {
  const keys = Object.keys(members);
  return fc
    .tuple(
      fc.record(members),
      strange ? fc.dictionary(strangeKey, json, { maxKeys: 2 }) : fc.constant({}),
      fc.shuffledSubarray(keys, { minLength: keys.length }),
    )
    .map(([known, unknown, order]) => {
      const out = order.flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]] as const]));
      const rest = Object.entries(unknown).filter(([key]) => !keys.includes(key));
      return Object.fromEntries([...out, ...rest]);
    });
}

const textPart = object({ type: fc.constantFrom('text', 'text', 'input_text', 'output_text'), text: word });
const mediaPart = object({
  type: fc.constantFrom('image_url', 'input_audio', 'file', 'video_url', 'image', 'input_image'),
  image_url: maybe(fc.constantFrom<unknown>({ url: 'http://x' }, 'http://y')),
  source: maybe(json),
  file: maybe(json),
});
const strangePart = object({ type: fc.constantFrom('refusal', 'audio', 'note'), refusal: maybe(word) });
const thoughtPart = object({ type: fc.constant('thinking'), thinking: word });
const content = (part: fc.Arbitrary<unknown>) =>
  maybe(nullable(fc.oneof(word, fc.array(fc.oneof(part, word), { maxLength: 3 }))));

const toolName = fc.constantFrom('f', 'g', 'tool_call', 'constructor', '__proto__');
const argumentTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{"a":',
    '[]',
    'null',
    '{}',
    '{"a": 1.0}',
    '{"a":1,"a":2}',
    '{"10":1,"9":2}',
    '{"__proto__":1}',
  ),
  fc
    .dictionary(fc.constantFrom('p', 'q', '1'), json, { maxKeys: 2 })
    .map((value) => JSON.stringify(value, null, 1)),
);
const args = maybe(
  nullable(fc.oneof(argumentTexts, fc.dictionary(fc.constantFrom('p', 'q'), json, { maxKeys: 2 }))),
);
const callId = maybe(nullable(fc.constantFrom('c1', 'c2', 'call_1', '')));
const listedCall = fc.oneof(
  object({
    id: callId,
    type: maybe(fc.constant('function')),
    index: maybe(fc.nat(3)),
    function: object({ name: toolName, arguments: args }),
  }),
  object({ id: callId, name: toolName, arguments: args }),
  object({ id: callId, type: fc.constant('custom'), custom: object({ name: toolName, input: word }, false) }),
);

const message = fc.oneof(
  object({ role: fc.constantFrom('system', 'developer'), content: content(textPart) }),
  object({
    role: fc.constant('user'),
    content: content(fc.oneof(textPart, mediaPart)),
    tool_calls: maybe(fc.constant(null)),
  }),
  object({
    role: fc.constant('assistant'),
    content: content(fc.oneof(textPart, strangePart, thoughtPart)),
    refusal: maybe(nullable(word)),
    reasoning_content: maybe(nullable(word)),
    reasoning: maybe(nullable(fc.oneof(word, json))),
    tool_calls: maybe(nullable(fc.array(listedCall, { maxLength: 3 }))),
    function_call: maybe(nullable(object({ name: toolName, arguments: args }))),
  }),
  object({
    role: fc.constantFrom('tool', 'function'),
    tool_call_id: callId,
    name: maybe(nullable(toolName)),
    content: fc.oneof(
      content(textPart),
      content(mediaPart),
      json.filter(isNoResult),
      fc.array(fc.record({ output: json }), { maxLength: 2 }),
    ),
  }),
);

function isNoResult(value: unknown): boolean {
  return !Array.isArray(value) || value.every((item) => typeof item !== 'object');
}

const schema = fc.constantFrom<unknown>(
  { type: 'object', properties: { p: { type: 'string' } } },
  {},
  true,
  null,
);
const definition = object({
  name: toolName,
  description: maybe(nullable(word)),
  parameters: maybe(schema),
  strict: maybe(nullable(fc.boolean())),
});
const customDefinition = object({
  name: toolName,
  description: maybe(nullable(word)),
  format: maybe(
    fc.oneof(
      fc.constantFrom<unknown>({ type: 'text' }, { type: 'text', x: 1 }, null),
      object(
        { type: fc.constant('grammar'), grammar: object({ syntax: word, definition: word }, false) },
        false,
      ),
    ),
  ),
});
const tool = fc.oneof(
  object({ type: maybe(fc.constant('function')), function: definition }),
  definition,
  object({ type: fc.constant('web_search'), custom: maybe(json) }),
  object({ type: fc.constant('custom'), custom: customDefinition }),
);
const choice = fc.constantFrom<unknown>(
  'auto',
  'none',
  'required',
  { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
  { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] }, x: 1 },
);

const anyBody = object({
  model: fc.constant('m'),
  messages: fc.array(message, { minLength: 1, maxLength: 6 }),
  tools: maybe(nullable(fc.array(tool, { maxLength: 4 }))),
  functions: maybe(nullable(fc.array(definition, { maxLength: 2 }))),
  tool_choice: maybe(nullable(choice)),
  function_call: maybe(nullable(fc.constantFrom('auto', 'none'))),
  parallel_tool_calls: maybe(nullable(fc.boolean())),
  stop: maybe(nullable(fc.oneof(word, fc.array(word, { maxLength: 3 })))),
  n: maybe(nullable(fc.integer({ min: 1, max: 128 }))),
  max_tokens: maybe(nullable(fc.constantFrom(-1, 1, 4096))),
  max_completion_tokens: maybe(nullable(fc.constantFrom(1, 100))),
  temperature: maybe(nullable(fc.constantFrom(0, 0.7, 1))),
  top_p: maybe(nullable(fc.constantFrom(0.5, 1))),
  top_k: maybe(nullable(fc.constantFrom(-1, 40))),
  seed: maybe(nullable(fc.integer())),
  stream: maybe(nullable(fc.boolean())),
  stream_options: maybe(nullable(object({ include_usage: maybe(nullable(fc.boolean())) }))),
  reasoning_effort: maybe(nullable(fc.constantFrom('none', 'low', 'high'))),
  enable_thinking: maybe(nullable(fc.boolean())),
  thinking: maybe(
    nullable(
      fc.constantFrom<unknown>({ type: 'enabled', budget_tokens: 5 }, { type: 'disabled' }, true, 'auto'),
    ),
  ),
  chat_template_kwargs: maybe(
    nullable(
      fc.constantFrom<unknown>(
        { enable_thinking: true },
        { thinking: false, enable_thinking: true },
        { a: 1 },
      ),
    ),
  ),
  response_format: maybe(json),
});

/** DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure. */
const drawn = (full: number) => Math.ceil(full * Number(process.env.DRAGOMAN_EFFORT ?? 0.2));

const again = (body: unknown) => encodeRequest(decodeRequest(body));

describe('a request', () => {
  it('goes out as it came in, whatever it holds', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(again(body)).toEqual(body);
      }),
      { seed: 20, numRuns: drawn(1000) },
    );
  });

  it('goes out as it came in after a way through JSON', () => {
    // The definitions of tools keep digits and order that JSON in JavaScript forgets.
    fc.assert(
      fc.property(anyBody, ({ tools: _, functions: __, tool_choice: ___, ...body }) => {
        expect(encodeRequest(plain(decodeRequest(body)))).toEqual(body);
      }),
      { seed: 23, numRuns: drawn(400) },
    );
  });

  it('is never anything but a clear error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), anyBody, fc.nat(), (junk, body, at) => {
        const keys = Object.keys(body);
        const broken = { ...body, [keys[at % keys.length] as string]: junk };
        try {
          expect(again(broken)).toEqual(broken);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.code).toBe('bad-request');
        }
      }),
      { seed: 21, numRuns: drawn(600) },
    );
  });

  it('that was changed anywhere says so, and is otherwise the same', () => {
    fc.assert(
      fc.property(anyBody, fc.nat(), (body, at) => {
        const request = decodeRequest(body);
        const edits = editsOf(request);
        edits[at % edits.length]?.();
        expect(meaningOf(decodeRequest(encodeRequest(request)))).toEqual(meaningOf(request));
      }),
      { seed: 22, numRuns: drawn(1000) },
    );
  });
});

/** Every place that can be changed, as a change. */
function editsOf({ conversation, settings }: ModelRequest): (() => unknown)[] {
  const edits: (() => unknown)[] = [
    () => Object.assign(settings, { maxTokens: 77 }),
    () => Object.assign(settings, { temperature: 0.123, stop: ['new'] }),
    () => {
      settings.thinking = !settings.thinking;
      // How much to think says nothing where it is not said to think.
      delete settings.effort;
    },
    () => Object.assign(settings, { choices: 3 }),
    () => conversation.messages.push({ role: 'user', parts: [{ type: 'text', text: 'new' }] }),
  ];
  for (const each of conversation.tools) edits.push(() => Object.assign(each, { description: 'new' }));
  if (conversation.tools.length > 0)
    edits.push(() => Object.assign(conversation, { toolChoice: 'required' }));
  for (const { parts } of conversation.messages) for (const part of parts) edits.push(editOf(part));
  return edits;
}

function editOf(part: Message['parts'][number]): () => unknown {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return () => Object.assign(part, { text: `${part.text} new` });
    case 'tool-call':
      return () => Object.assign(part.input, { new: true });
    case 'tool-result':
      return () => Object.assign(part, { output: 'new' });
    case 'media':
      return () => Object.assign(part, { media: { type: 'image_url', image_url: { url: 'new' } } });
  }
}

/** What a request comes to. Where a thought stands among the texts is nothing this API can say. */
function meaningOf({ conversation, settings, stream }: ModelRequest): unknown {
  return plain({
    settings,
    stream,
    toolChoice: conversation.toolChoice,
    tools: conversation.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    messages: conversation.messages.flatMap(said),
  });
}

function said({ role, parts }: Message): unknown[] {
  if (role === 'tool') return parts.map(({ callId, output }) => ({ callId, output: textOf(output) }));
  const texts = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const thoughts = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const media = parts.flatMap((part) => (part.type === 'media' ? [toChatMedia(part.media)] : []));
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call' ? [[part.id, part.name, part.input]] : [],
  );
  return [{ role, texts, thoughts, media, calls }];
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
