import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../model/index.js';
import { resultText } from '../result-content.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

const seed = 20260301;

// Strings that could be taken for something: markers, our own notes, prototypes.
const words = ['', 'a', 'text', '__proto__', 'constructor', 'dragoman:notes', '1', '{"a":1}', 'ü', '\u2028'];
const text = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });

/** Members nobody knows, or that are null, beside those given. */
function object(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Record<string, unknown>> {
  const nullable = Object.fromEntries(
    Object.entries(optional).map(([key, value]) => [
      key,
      fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
    ]),
  );
  const known = fc.record({ ...required, ...nullable }, { requiredKeys: Object.keys(required) });
  const key = fc.oneof(
    fc.constantFrom('x_new', 'extra', 'dragoman:notes', '7', 'before', 'clash'),
    fc.string({ maxLength: 5 }),
  );
  const unknown = fc.dictionary(
    key.map((name) => (name === '__proto__' ? 'x' : name)),
    json,
    { maxKeys: 2 },
  );
  return fc.tuple(known, unknown).map(([members, more]) => ({ ...more, ...members }));
}

const is = (value: unknown) => fc.constant(value);
const id = fc.constantFrom('call_1', 'call_2', 'fc_1', 'x');
const status = fc.constantFrom('completed', 'incomplete', 'in_progress');
const inputText = object({ type: is('input_text'), text });
const image = object({ type: is('input_image'), image_url: text }, { detail: is('auto'), file_id: text });
const file = object({ type: is('input_file') }, { file_data: text, filename: text });
const outputText = object({ type: is('output_text'), text }, { annotations: is([]), logprobs: is([]) });
const refusal = object({ type: is('refusal'), refusal: text });
const newPart = object({ type: is('hologram') }, { text: json });

const content = (...parts: fc.Arbitrary<unknown>[]) =>
  fc.oneof(text, fc.array(fc.oneof(...parts), { maxLength: 3 }));
const userMessage = object(
  { role: is('user'), content: content(inputText, image, file, newPart) },
  { type: is('message'), id, status },
);
const systemMessage = object(
  { role: fc.constantFrom('system', 'developer'), content: content(inputText, newPart) },
  { type: is('message'), id, status },
);
const assistantMessage = object(
  { role: is('assistant'), content: content(outputText, inputText, refusal, newPart) },
  { type: is('message'), id, status, phase: fc.constantFrom('commentary', 'final_answer') },
);
const reasoning = object(
  { type: is('reasoning'), summary: fc.array(object({ type: is('summary_text'), text }), { maxLength: 2 }) },
  {
    id,
    content: fc.array(object({ type: is('reasoning_text'), text }), { maxLength: 2 }),
    encrypted_content: text,
    status,
  },
);
const argumentsText = fc.oneof(
  fc.dictionary(text, json, { maxKeys: 3 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '',
    ' {}',
    '{"n": 1.0, "big": 12345678901234567890}',
    '{"a":1,"a":2}',
    '{"cut": "of',
    '[1]',
    '{"__proto__":{}}',
    '{"2":1,"1":2}',
  ),
);
const name = fc.constantFrom('read', 'write', 'crm__get', 'apply_patch', 'constructor');
const functionCall = object(
  { type: is('function_call'), call_id: id, name, arguments: argumentsText },
  { id, status, namespace: fc.constantFrom('crm', '') },
);
const functionOutput = object(
  { type: is('function_call_output'), call_id: id, output: content(inputText, image, file, newPart) },
  { id, status },
);
const customCall = object(
  { type: is('custom_tool_call'), call_id: id, name, input: text },
  { id, namespace: is('crm') },
);
const customOutput = object({
  type: is('custom_tool_call_output'),
  call_id: id,
  output: content(inputText, image),
});
const shellCall = object(
  {
    type: is('local_shell_call'),
    status,
    action: object({ type: is('exec'), command: is(['ls']) }, { env: is({}) }),
  },
  { id, call_id: id },
);
const shellOutput = object({ type: is('local_shell_call_output'), id, output: text });
const functionTool = object(
  { type: is('function'), name },
  {
    description: text,
    parameters: object({ type: is('object') }, { properties: is({ 2: {}, 1: {} }) }),
    strict: fc.boolean(),
  },
);
const otherTool = fc.oneof(
  object({ type: fc.constantFrom('web_search', 'local_shell', 'file_search', 'mcp', 'image_generation') }),
  object({ type: fc.constantFrom('computer', 'custom_v2'), name, format: json }),
);
const customTool = object(
  { type: is('custom'), name },
  {
    description: text,
    format: fc.oneof(
      object({ type: is('text') }, { x: json }),
      object({ type: is('grammar'), syntax: fc.constantFrom('lark', 'regex'), definition: text }),
    ),
  },
);
const namespaceTool = object({
  type: is('namespace'),
  name: fc.constantFrom('crm', 'mcp__gmail'),
  description: text,
  tools: fc.array(fc.oneof(functionTool, customTool, otherTool), { maxLength: 3 }),
});
const tool = fc.oneof(functionTool, functionTool, customTool, otherTool, namespaceTool);
const other = fc.oneof(
  object({ type: is('web_search_call'), id, status, action: json }),
  object({ type: is('item_reference'), id }),
  object({ id }, { type: is('item_reference') }),
  object({ type: is('compaction'), encrypted_content: text }),
  object({ type: is('ghost_snapshot') }, { content: json }),
  object({ type: is('agent_message'), role: is('user'), content: text }),
  object(
    {
      type: fc.constantFrom('additional_tools', 'tool_search_output'),
      tools: fc.array(tool, { maxLength: 3 }),
    },
    { role: is('developer') },
  ),
);
const item = fc.oneof(
  userMessage,
  systemMessage,
  assistantMessage,
  assistantMessage,
  reasoning,
  functionCall,
  functionCall,
  functionOutput,
  functionOutput,
  customCall,
  customOutput,
  shellCall,
  shellOutput,
  other,
);

const toolChoice = fc.oneof(
  fc.constantFrom('auto', 'none', 'required'),
  object({ type: fc.constantFrom('function', 'custom'), name }, { namespace: is('crm') }),
  object({
    type: is('allowed_tools'),
    mode: fc.constantFrom('auto', 'required'),
    tools: fc.array(object({ type: fc.constantFrom('function', 'custom'), name }), { maxLength: 2 }),
  }),
  object({ type: fc.constantFrom('computer', 'mcp', 'web_search_preview') }),
);
const body = object(
  {
    model: text,
    input: fc.oneof(
      { weight: 1, arbitrary: text },
      { weight: 4, arbitrary: fc.array(item, { maxLength: 8 }) },
    ),
  },
  {
    instructions: text,
    tools: fc.array(tool, { maxLength: 4 }),
    tool_choice: toolChoice,
    parallel_tool_calls: fc.boolean(),
    max_output_tokens: fc.integer({ min: 1, max: 1e6 }),
    temperature: fc.constantFrom(0, 0.5, 1, 2),
    top_p: fc.constantFrom(0, 0.1, 1),
    stream: fc.boolean(),
    store: fc.boolean(),
    reasoning: object({}, { effort: fc.constantFrom('none', 'low', 'high'), summary: is('auto') }),
    text: json,
    previous_response_id: text,
    include: is(['reasoning.encrypted_content']),
    metadata: is({ a: 'b' }),
    truncation: is('auto'),
    prompt_cache_key: text,
    client_metadata: json,
  },
);

/** DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure. */
const drawn = (full: number) => Math.ceil(full * Number(process.env.DRAGOMAN_EFFORT ?? 0.2));

describe('a request to the Responses API', () => {
  it('comes out as it came in', () => {
    fc.assert(
      fc.property(body, (given) => {
        const before = structuredClone(given);
        expect(encodeRequest(decodeRequest(given))).toStrictEqual(before);
        expect(given).toStrictEqual(before);
      }),
      { seed, numRuns: drawn(1200) },
    );
  });

  it('comes out as it came in after a way through JSON', () => {
    fc.assert(
      fc.property(body, (given) => {
        const plain = JSON.parse(JSON.stringify(given));
        const request = JSON.parse(JSON.stringify(decodeRequest(plain))) as ModelRequest;
        expect(encodeRequest(request)).toStrictEqual(plain);
      }),
      { seed, numRuns: drawn(400) },
    );
  });

  it('says the same in its own words, without what was kept', () => {
    fc.assert(
      fc.property(body, (given) => {
        const { api: _, ...request } = decodeRequest(given);
        fc.pre(!JSON.stringify(request.conversation.messages).includes('"type":"media"'));
        expect(gist(decodeRequest(encodeRequest(request)))).toEqual(gist(request));
      }),
      { seed, numRuns: drawn(600) },
    );
  });
});

/** What a model would read of a request: texts, calls, results and functions, in order. */
function gist({ conversation, settings }: ModelRequest): unknown[] {
  const said: unknown[][] = [];
  for (const { role, parts } of conversation.messages) {
    for (const part of parts) {
      const last = said.at(-1);
      if (part.type === 'tool-call') said.push([part.id, part.name, part.input]);
      if (part.type === 'tool-result') said.push([part.callId, resultText(part)]);
      if (part.type !== 'text' || part.text === '') continue;
      if (last?.[0] === role) last[1] += part.text;
      else said.push([role, part.text]);
    }
  }
  const tools = conversation.tools.map(({ name, description }) => [name, description]);
  return [said, tools, tools.length > 0 && conversation.toolChoice, settings];
}
