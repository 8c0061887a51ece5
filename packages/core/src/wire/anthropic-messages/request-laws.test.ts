import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptConversation,
  type Message,
  type ModelRequest,
  type Tool,
  type ToolResult,
} from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

type Members = Record<string, unknown>;

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ' ', 'hi', '</tool_call>', '\ud83d'),
);
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const json = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('10', '2', '__proto__')), json, {
  maxKeys: 4,
});

/** Members that no one knows, under names that could be mistaken for ours. */
const strangeKeys = [
  'cache_control',
  'citations',
  'x_new',
  'dragoman:notes',
  'extra',
  '__proto__',
  'constructor',
  '7',
];
const strange: fc.Arbitrary<Members> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom(...strangeKeys), fc.oneof(json, fc.constant(null)), {
      minKeys: 1,
      maxKeys: 2,
    }),
  },
);

const with_ = (block: fc.Arbitrary<Members>): fc.Arbitrary<Members> =>
  fc.tuple(strange, block).map(([more, known]) => ({ ...more, ...known }));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const textBlock = with_(fc.record({ type: fc.constant('text'), text }));
const imageBlock = with_(
  fc.record({
    type: fc.constant('image'),
    source: fc.constantFrom<Members>(
      { type: 'url', url: 'https://example.com/a.png' },
      { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'file', file_id: 'file_1' },
    ),
  }),
);
const otherUserBlock = with_(
  fc.constantFrom<Members>(
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title: null },
    { type: 'search_result', source: 'a', title: 'b', content: [{ type: 'text', text: 'c' }] },
    { type: 'container_upload', file_id: 'file_2' },
    { type: 'not_yet_known', deep: [{ type: 'text' }] },
  ),
);
const resultBlock = with_(
  fc.record(
    {
      type: fc.constant('tool_result'),
      tool_use_id: id,
      content: optional(
        fc.oneof(text, fc.array(fc.oneof(textBlock, imageBlock, otherUserBlock), { maxLength: 3 })),
      ),
      is_error: optional(fc.boolean()),
    },
    { requiredKeys: ['type', 'tool_use_id'] },
  ),
);
const assistantBlock = fc.oneof(
  textBlock,
  with_(
    fc.record(
      { type: fc.constant('thinking'), thinking: text, signature: fc.string() },
      { requiredKeys: ['type', 'thinking'] },
    ),
  ),
  with_(fc.record({ type: fc.constant('redacted_thinking'), data: fc.string() })),
  with_(fc.record({ type: fc.constant('tool_use'), id, name: id, input: object })),
  with_(
    fc.record({ type: fc.constant('server_tool_use'), id, name: fc.constant('web_search'), input: object }),
  ),
  fc.constant({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'a' }] }),
);

const contentOf = (block: fc.Arbitrary<Members>) => fc.oneof(text, fc.array(block, { maxLength: 5 }));
const message = with_(
  fc.oneof(
    fc.record({
      role: fc.constant('user'),
      content: contentOf(fc.oneof(textBlock, imageBlock, otherUserBlock, resultBlock, resultBlock)),
    }),
    fc.record({ role: fc.constant('assistant'), content: contentOf(assistantBlock) }),
    fc.record({ role: fc.constant('system'), content: contentOf(textBlock) }),
  ),
);

const tool = with_(
  fc.record(
    {
      type: fc.constantFrom('custom', null),
      name: id,
      description: optional(text),
      input_schema: object.map((properties) => ({ type: 'object', properties })),
    },
    { requiredKeys: ['name', 'input_schema'] },
  ),
);
const serverTool = fc.constantFrom<Members>(
  { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
  { type: 'bash_20250124', name: 'bash' },
);
const tools = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: tool }, { weight: 1, arbitrary: serverTool }), {
  selector: (item) => item.name,
  maxLength: 5,
});

const toolChoice = with_(
  fc.oneof(
    fc.record(
      { type: fc.constantFrom('auto', 'any'), disable_parallel_tool_use: fc.boolean() },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('tool'), name: id }),
    fc.record({ type: fc.constant('none') }),
  ),
);

/** Any body that is a request: every spelling, every member, in every place. */
const body: fc.Arbitrary<Members> = with_(
  fc.record(
    {
      model: fc.constantFrom('claude-sonnet-4-5', 'glm-4.6'),
      max_tokens: fc.nat(),
      messages: fc.array(message, { minLength: 1, maxLength: 6 }),
      system: optional(contentOf(textBlock)),
      tools: optional(tools),
      tool_choice: optional(toolChoice),
      temperature: optional(fc.double({ min: 0, max: 1, noNaN: true })),
      top_p: optional(fc.double({ min: 0, max: 1, noNaN: true })),
      top_k: optional(fc.nat()),
      stop_sequences: optional(fc.array(text, { maxLength: 3 })),
      stream: optional(fc.boolean()),
      thinking: optional(
        fc.constantFrom<Members>(
          { type: 'enabled', budget_tokens: 2048 },
          { type: 'disabled' },
          { type: 'adaptive', display: 'omitted' },
        ),
      ),
      metadata: optional(fc.constant({ user_id: 'user_1' })),
      service_tier: fc.constantFrom('auto', null),
      betas: fc.constant(['context-1m']),
      output_config: object,
    },
    { requiredKeys: ['model', 'max_tokens', 'messages'] },
  ),
).map((value) => JSON.parse(JSON.stringify(value)) as Members);

/** JSON text with sorted keys: equal texts are equal values, whatever their keys are called. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure. */
const drawn = (full: number) => Math.ceil(full * Number(process.env.DRAGOMAN_EFFORT ?? 0.2));
const runs = { numRuns: drawn(1000), seed: 20 };

/** Without what only one API understands. */
function bare(value: unknown): unknown {
  const left = ['extra', 'standIn'];
  return JSON.parse(JSON.stringify(value, (key, member) => (left.includes(key) ? undefined : member)));
}

describe('a request of this API', () => {
  it('is the same after decoding and encoding', () => {
    fc.assert(
      fc.property(body, (given) => {
        const before = canonical(given);
        expect(canonical(encodeRequest(decodeRequest(given)))).toBe(before);
        expect(canonical(given)).toBe(before);
      }),
      runs,
    );
  });

  it('is the same after its model form went through JSON', () => {
    fc.assert(
      fc.property(body, (given) => {
        const stored = JSON.parse(JSON.stringify(decodeRequest(given)));
        expect(canonical(encodeRequest(stored))).toBe(canonical(given));
      }),
      { ...runs, numRuns: drawn(400) },
    );
  });

  it('is the same for what a coding agent sends', () => {
    const text = readFileSync(new URL('./agent-request.fixture.json', import.meta.url), 'utf8');
    const given = JSON.parse(text);
    const { length } = JSON.stringify(given);
    expect(length).toBeGreaterThan(30_000);
    expect(length).toBeLessThan(60_000);
    expect(encodeRequest(decodeRequest(given))).toEqual(given);
  });

  it('holds the conversation that acceptConversation reads', () => {
    fc.assert(
      fc.property(body, (given) => {
        // An empty list is no system message here.
        fc.pre(!(Array.isArray(given.system) && given.system.length === 0));
        const { messages, tools, toolChoice } = decodeRequest(given).conversation;
        const accepted = acceptConversation(given);
        expect(bare({ messages, tools, toolChoice })).toEqual(
          bare({ messages: accepted.messages, tools: accepted.tools, toolChoice: accepted.toolChoice }),
        );
      }),
      { ...runs, numRuns: drawn(600) },
    );
  });
});

describe('a request that came by no API or by another', () => {
  it('is encoded from what the model says alone, in the order the API demands', () => {
    fc.assert(
      fc.property(body, (given) => {
        const request = withoutStrangeMedia(decodeRequest(given));
        const encoded = encodeRequest({ ...request, api: 'openai-chat' });
        expect(encoded).toEqual(encodeRequest({ ...withoutExtras(request), api: 'openai-chat' }));
        const messages = encoded.messages as { role: string; content: unknown }[];
        expect(messages.every(({ role }, at) => role !== messages[at - 1]?.role)).toBe(true);
        for (const { content } of messages) checkContent(content);
      }),
      { ...runs, numRuns: drawn(600) },
    );
  });
});

function withoutExtras({ extra: _, conversation, ...request }: ModelRequest): ModelRequest {
  const drop = <T extends { extra?: unknown }>({ extra: _extra, ...rest }: T) => rest;
  const messages = conversation.messages.map((message) => ({
    ...drop(message),
    parts: message.parts.map((part) => (part.type === 'tool-result' ? withContent(part) : drop(part))),
  })) as Message[];
  return {
    ...request,
    conversation: { ...conversation, messages, tools: conversation.tools.map(drop) as Tool[] },
  };
}

/** What tools answer beside text is the model's own word. */
function withContent({ extra, ...result }: ToolResult): ToolResult {
  return extra?.content === undefined ? result : { ...result, extra: { content: extra.content } };
}

function withoutStrangeMedia(request: ModelRequest): ModelRequest {
  for (const message of request.conversation.messages) {
    if (message.role !== 'user') continue;
    message.parts = message.parts.filter((part) => !JSON.stringify(part).includes('not_yet_known'));
  }
  return request;
}

function checkContent(content: unknown): void {
  const bare = [{ type: 'text', text: content }];
  const blocks = (typeof content === 'string' ? bare : content) as { type: string; text?: string }[];
  expect(blocks.length).toBeGreaterThan(0);
  const firstOther = blocks.findIndex((block) => block.type !== 'tool_result');
  if (firstOther >= 0)
    expect(blocks.slice(firstOther).some((block) => block.type === 'tool_result')).toBe(false);
  for (const block of blocks) if (block.type === 'text') expect(block.text?.trim()).not.toBe('');
}
