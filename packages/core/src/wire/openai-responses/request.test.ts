import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, type ModelRequest } from '../../model/index.js';
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
  object({ type: is('custom'), name, format: json }),
);
const namespaceTool = object({
  type: is('namespace'),
  name: fc.constantFrom('crm', 'mcp__gmail'),
  description: text,
  tools: fc.array(fc.oneof(functionTool, otherTool), { maxLength: 3 }),
});
const tool = fc.oneof(functionTool, functionTool, otherTool, namespaceTool);
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
  object({ type: is('function'), name }, { namespace: is('crm') }),
  object({
    type: is('allowed_tools'),
    mode: fc.constantFrom('auto', 'required'),
    tools: fc.array(object({ type: is('function'), name }), { maxLength: 2 }),
  }),
  object({ type: fc.constantFrom('custom', 'mcp', 'web_search_preview') }),
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

describe('a request to the Responses API', () => {
  it('comes out as it came in', () => {
    fc.assert(
      fc.property(body, (given) => {
        const before = structuredClone(given);
        expect(encodeRequest(decodeRequest(given))).toStrictEqual(before);
        expect(given).toStrictEqual(before);
      }),
      { seed, numRuns: 800 },
    );
  });

  it('comes out as it came in after a way through JSON', () => {
    fc.assert(
      fc.property(body, (given) => {
        const plain = JSON.parse(JSON.stringify(given));
        const request = JSON.parse(JSON.stringify(decodeRequest(plain))) as ModelRequest;
        expect(encodeRequest(request)).toStrictEqual(plain);
      }),
      { seed, numRuns: 200 },
    );
  });

  it('says the same in its own words, without what was kept', () => {
    fc.assert(
      fc.property(body, (given) => {
        const { api: _, ...request } = decodeRequest(given);
        fc.pre(!JSON.stringify(request.conversation.messages).includes('"type":"media"'));
        expect(gist(decodeRequest(encodeRequest(request)))).toEqual(gist(request));
      }),
      { seed, numRuns: 300 },
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
      if (part.type === 'tool-result') said.push([part.callId, part.output]);
      if (part.type !== 'text' || part.text === '') continue;
      if (last?.[0] === role) last[1] += part.text;
      else said.push([role, part.text]);
    }
  }
  const tools = conversation.tools.map(({ name, description }) => [name, description]);
  return [said, tools, tools.length > 0 && conversation.toolChoice, settings];
}

const codex = {
  model: 'gpt-5-codex',
  instructions: 'You are Codex.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions/>' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] },
    { type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAA' },
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      content: null,
      encrypted_content: 'gBBB',
    },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I look.' }],
      phase: 'commentary',
    },
    { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } },
    { type: 'function_call', name: 'spawn', namespace: 'collab', arguments: '{}', call_id: 'call_2' },
    { type: 'function_call_output', call_id: 'call_1', output: 'a.ts' },
    {
      type: 'function_call_output',
      call_id: 'call_2',
      output: [
        { type: 'input_text', text: 'ok' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
      ],
    },
    {
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'call_3',
      name: 'apply_patch',
      input: '*** Begin Patch',
    },
    { type: 'custom_tool_call_output', call_id: 'call_3', output: 'Done' },
    { type: 'compaction', encrypted_content: 'gCCC' },
  ],
  tools: [
    {
      type: 'function',
      name: 'shell',
      description: 'Runs',
      strict: false,
      parameters: { type: 'object', properties: { command: { type: 'array' } } },
    },
    {
      type: 'namespace',
      name: 'collab',
      description: 'Agents',
      tools: [
        { type: 'function', name: 'spawn', strict: false, parameters: { type: 'object' } },
        { type: 'custom', name: 'x' },
      ],
    },
    { type: 'web_search', external_web_access: false },
    {
      type: 'custom',
      name: 'apply_patch',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0199',
  client_metadata: { 'x-codex': '1' },
};

const sdk = {
  model: 'gpt-4.1',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: 'https://x/y.png', detail: 'auto' },
      ],
    },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [
        { type: 'output_text', text: 'A ', annotations: [], logprobs: [] },
        { type: 'refusal', refusal: 'secret.' },
      ],
    },
    { role: 'user', content: 'And now?' },
  ],
  max_output_tokens: 100,
  temperature: 0,
  top_p: 1,
  text: { format: { type: 'json_schema', name: 'a', schema: {} } },
  previous_response_id: 'resp_1',
};

describe('what clients send', () => {
  it.each([
    ['Codex', codex],
    ['the SDK', sdk],
    ['the least', { model: 'm', input: '' }],
  ])('%s: comes out as it came in', (_, body) => {
    expect(encodeRequest(decodeRequest(structuredClone(body)))).toStrictEqual(body);
  });

  it('Codex: turns with their calls open together, nothing unreadable among them', () => {
    const { conversation, settings, stream } = decodeRequest(codex);
    expect(
      conversation.messages.map(({ role, parts }) => [role, parts.map((part) => part.type).join(' ')]),
    ).toEqual([
      ['system', 'text'],
      ['system', 'text'],
      ['user', 'text'],
      ['assistant', 'reasoning text tool-call tool-call'],
      ['tool', 'tool-result tool-result'],
      ['assistant', 'tool-call'],
      ['tool', 'tool-result'],
    ]);
    expect(conversation.messages[4]?.parts).toMatchObject([
      { callId: 'call_1', output: 'a.ts' },
      { callId: 'call_2', output: 'ok' },
    ]);
    expect(conversation.messages[5]?.parts).toMatchObject([
      { name: 'apply_patch', input: { input: '*** Begin Patch' } },
    ]);
    expect(settings).toEqual({ parallelCalls: true, thinking: true });
    expect(stream).toBe(true);
  });

  it('Codex: functions are taken, also from namespaces; the others are listed', () => {
    const { conversation, skippedTools } = decodeRequest(codex);
    expect(conversation.tools.map((tool) => tool.name)).toEqual(['shell', 'collab__spawn']);
    expect(conversation.messages[3]?.parts.at(-1)).toMatchObject({ id: 'call_2', name: 'collab__spawn' });
    expect(conversation.tools[0]).toMatchObject({
      extra: { strict: false },
      source: { type: 'function', function: { name: 'shell' } },
    });
    expect(skippedTools).toEqual([
      { path: 'tools[1].tools[1]', type: 'custom' },
      { path: 'tools[2]', type: 'web_search' },
      { path: 'tools[3]', type: 'custom' },
    ]);
  });

  it('Codex: tools that an item brings are taken from it and go back into it', () => {
    const [shell] = codex.tools;
    const item = {
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'custom', name: 'exec' }, shell],
    };
    const body = { model: 'm', input: [item, { role: 'user', content: 'a' }] };
    const request = decodeRequest(body);
    expect(request.conversation.tools).toMatchObject([{ name: 'shell' }]);
    expect(request.skippedTools).toEqual([{ path: 'input[0].tools[0]', type: 'custom' }]);
    expect(encodeRequest(request)).toStrictEqual(body);
  });

  it('the SDK: settings are read, the rest is kept where it can be seen', () => {
    const { settings, extra } = decodeRequest(sdk);
    expect(settings).toEqual({ maxTokens: 100, temperature: 0, topP: 1 });
    expect(extra).toMatchObject({ previous_response_id: 'resp_1', text: { format: { name: 'a' } } });
  });

  it('a call whose arguments were cut off stays in the history', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"path": "a' };
    const request = decodeRequest({ model: 'm', input: [item] });
    expect(request.conversation.messages[0]?.parts).toMatchObject([{ input: { arguments: '{"path": "a' } }]);
  });

  it('two texts side by side are two turns, unless calls are open', () => {
    const says = (content: string) => ({ role: 'assistant', content });
    const calls = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' };
    const shape = (...input: object[]) =>
      decodeRequest({ model: 'm', input }).conversation.messages.map(({ parts }) => parts.length);
    expect(shape(says('a'), says('b'))).toEqual([1, 1]);
    expect(shape(says('a'), calls, says('b'), says('c'), { ...calls, call_id: 'd' })).toEqual([5]);
  });

  it.each([
    [{ effort: 'none' }, false],
    [{ effort: 'minimal' }, true],
    [{ summary: 'auto' }, undefined],
    [null, undefined],
  ])('reasoning %j: thinking is %s', (reasoning, thinking) => {
    expect(decodeRequest({ model: 'm', input: '', reasoning }).settings.thinking).toBe(thinking);
  });
});

describe('what is changed in a decoded request', () => {
  const edited = (change: (request: ModelRequest) => void, body: object = codex) => {
    const request = decodeRequest(structuredClone(body));
    change(request);
    return encodeRequest(request) as typeof codex & Record<string, unknown>;
  };
  const part = (request: ModelRequest, message: number, at: number) =>
    request.conversation.messages[message]?.parts[at] as never;

  it('shows in texts, calls, results and thoughts, and nowhere else', () => {
    const encoded = edited((request) => {
      Object.assign(part(request, 0, 0), { text: 'New.' });
      Object.assign(part(request, 2, 0), { text: 'Fix that.' });
      Object.assign(part(request, 3, 0), { text: 'Think.' });
      Object.assign(part(request, 3, 2), { input: { command: ['pwd'] } });
      Object.assign(part(request, 4, 1), { output: 'changed' });
      Object.assign(part(request, 5, 0), { input: { input: 'patch' } });
    });
    const expected = structuredClone(codex) as { instructions: string; input: Record<string, unknown>[] };
    expected.instructions = 'New.';
    Object.assign(expected.input[1]!, { content: [{ type: 'input_text', text: 'Fix that.' }] });
    expected.input[3] = {
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'Think.' }],
    };
    Object.assign(expected.input[5]!, { arguments: '{"command":["pwd"]}' });
    Object.assign(expected.input[9]!, { output: 'changed' });
    Object.assign(expected.input[10]!, { input: 'patch' });
    expect(encoded).toEqual(expected);
  });

  it('shows in settings, the choice of tools, the stream and the model', () => {
    const encoded = edited((request) => {
      Object.assign(request, { model: 'other', stream: false });
      request.settings = { maxTokens: 5, temperature: 1, topP: 0.5, parallelCalls: false, thinking: false };
      request.conversation.toolChoice = { name: 'collab__spawn' };
    });
    expect(encoded).toMatchObject({
      model: 'other',
      max_output_tokens: 5,
      temperature: 1,
      top_p: 0.5,
      parallel_tool_calls: false,
      reasoning: { effort: 'none', summary: 'auto' },
      tool_choice: { type: 'function', name: 'spawn', namespace: 'collab' },
    });
    expect(encoded.stream ?? false).toBe(false);
  });

  it('shows in tools that are changed, removed and added', () => {
    const encoded = edited(({ conversation }) => {
      Object.assign(conversation.tools[0]!, { description: 'Lists' });
      conversation.tools.push({ name: 'new' });
    });
    expect(encoded.tools).toMatchObject([
      { name: 'shell', description: 'Lists' },
      { type: 'namespace' },
      {},
      {},
      { name: 'new', strict: false, parameters: { type: 'object' } },
    ]);
    const fewer = edited(({ conversation }) => conversation.tools.splice(0, 2));
    expect(fewer.tools).toEqual([
      { ...codex.tools[1], tools: [{ type: 'custom', name: 'x' }] },
      ...codex.tools.slice(2),
    ]);
  });

  it('shows in messages that are added and removed', () => {
    const encoded = edited(({ conversation }) => {
      conversation.messages.splice(0, 2);
      conversation.messages.push({ role: 'user', parts: [{ type: 'text', text: 'More.' }] });
    });
    expect(encoded).not.toHaveProperty('instructions');
    expect(encoded.input.slice(-2)).toEqual([{ role: 'user', content: 'More.' }, codex.input.at(-1)]);
    const longer = edited(({ conversation }) => conversation.messages.push(conversation.messages[0]!), {
      model: 'm',
      input: 'a',
    });
    expect(longer.input).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'a' },
    ]);
  });
});

describe('a request that came by another API', () => {
  const extra = {
    type: 'x',
    'dragoman:notes': { string: false, before: ['no'], tools: [], item: { no: 1 } },
  };
  const foreign: ModelRequest = {
    api: 'openai-chat',
    model: 'm',
    conversation: {
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'Be ', extra },
            { type: 'text', text: 'brief.' },
          ],
          extra,
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'See' },
            { type: 'media', media: { type: 'image_url', image_url: { url: 'https://x' } } },
          ],
          extra,
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm', extra },
            { type: 'text', text: '' },
            { type: 'text', text: 'Look.', extra },
            { type: 'tool-call', id: 'c1', name: 'read', input: { n: 1 }, raw: '{"n": 1.0}', extra },
            { type: 'tool-call', id: 'c2', name: 'read', input: {} },
          ],
          extra,
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool-result', callId: 'c1', output: { a: 1 }, extra },
            { type: 'tool-result', callId: 'c2', output: 'b' },
          ],
        },
        { role: 'system', parts: [{ type: 'text', text: 'Hurry.' }] },
      ],
      tools: [
        { name: 'read', description: 'Reads', parameters: { type: 'object' }, extra: { strict: true } },
      ],
      toolChoice: { name: 'read' },
    },
    settings: { maxTokens: 9, thinking: true },
    stream: true,
    extra: { logit_bias: {}, ...extra },
  };

  it('is said in the words of this one', () => {
    expect(encodeRequest(foreign)).toStrictEqual({
      model: 'm',
      store: false,
      stream: true,
      max_output_tokens: 9,
      reasoning: { effort: 'medium' },
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'read',
          description: 'Reads',
          parameters: { type: 'object' },
          strict: false,
        },
      ],
      tool_choice: { type: 'function', name: 'read' },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'https://x', detail: 'auto' },
          ],
        },
        { role: 'assistant', content: 'Look.' },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"n": 1.0}' },
        { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c2', output: 'b' },
        { role: 'system', content: 'Hurry.' },
      ],
    });
  });

  it('has no tools if there are none', () => {
    const bare: ModelRequest = {
      model: 'm',
      conversation: { messages: [], tools: [], toolChoice: 'auto' },
      settings: {},
      stream: false,
    };
    expect(encodeRequest(bare)).toStrictEqual({ model: 'm', input: [], store: false });
  });

  it.each([
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
    ],
    [
      { type: 'file', file: { file_id: 'f' } },
      { type: 'input_file', file_id: 'f' },
    ],
  ])('says %j as %j', (media, part) => {
    const conversation = {
      ...foreign.conversation,
      messages: [{ role: 'user', parts: [{ type: 'media', media }] }] as never,
    };
    expect(encodeRequest({ ...foreign, conversation }).input).toMatchObject([{ content: [part] }]);
  });

  it('is refused with the place of a sound, which cannot be said', () => {
    const media = { type: 'input_audio', input_audio: {} };
    const messages = [
      { role: 'system', parts: [] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'media', media },
        ],
      },
    ] as never;
    const encode = () => encodeRequest({ ...foreign, conversation: { ...foreign.conversation, messages } });
    expect(encode).toThrow(
      expect.objectContaining({ code: 'unsupported-media', path: 'messages[1].parts[1]' }),
    );
  });
});

describe('a request that is wrong', () => {
  const message = { role: 'user', content: 'a' };
  it.each<[unknown, string, string]>([
    [[], '', 'a request'],
    [{ input: 'a' }, 'model', 'the name of a model'],
    [{ model: 'm' }, 'input', 'a string or a list of items'],
    [{ model: 'm', input: 5 }, 'input', 'found 5'],
    [{ model: 'm', input: [message, 'x'] }, 'input[1]', 'an item'],
    [{ model: 'm', input: [{}] }, 'input[0]', 'an item with a type'],
    [{ model: 'm', input: [{ role: 'robot', content: 'a' }] }, 'input[0].role', "'user'"],
    [{ model: 'm', input: [{ role: 'user' }] }, 'input[0].content', 'a list of parts'],
    [
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_text' }] }] },
      'input[0].content[0].text',
      'a string',
    ],
    [
      { model: 'm', input: [{ role: 'system', content: [{ type: 'input_image' }] }] },
      'input[0].content[0]',
      'text',
    ],
    [
      { model: 'm', input: [message, { type: 'function_call', name: 'a', arguments: '' }] },
      'input[1].call_id',
      'the id',
    ],
    [
      { model: 'm', input: [{ type: 'function_call', call_id: 'a', name: '', arguments: '' }] },
      'input[0].name',
      'the name',
    ],
    [
      { model: 'm', input: [{ type: 'function_call_output', call_id: 'a', output: {} }] },
      'input[0].output',
      'a string or a list',
    ],
    [{ model: 'm', input: 'a', tools: {} }, 'tools', 'a list of tools'],
    [
      { model: 'm', input: 'a', tools: [{ type: 'web_search' }, { type: 'function', name: 'a b' }] },
      'tools[1].name',
      'characters',
    ],
    [
      { model: 'm', input: 'a', tools: [{ type: 'function', name: 'a', parameters: 1 }] },
      'tools[0].parameters',
      'a JSON Schema',
    ],
    [
      { model: 'm', input: 'a', tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] },
      'tools[0].tools[0].name',
      'name',
    ],
    [{ model: 'm', input: 'a', tool_choice: 'maybe' }, 'tool_choice', "'auto'"],
    [{ model: 'm', input: 'a', tool_choice: { type: 'function' } }, 'tool_choice.name', 'name'],
    [{ model: 'm', input: 'a', temperature: 3 }, 'temperature', 'from 0 to 2'],
    [{ model: 'm', input: 'a', max_output_tokens: 0 }, 'max_output_tokens', 'at least 1'],
    [{ model: 'm', input: 'a', stream: 'yes' }, 'stream', 'true or false'],
    [{ model: 'm', input: 'a', reasoning: 'high' }, 'reasoning', 'effort'],
    [{ model: 'm', input: 'a', reasoning: { effort: 1 } }, 'reasoning.effort', 'a string'],
    [{ model: 'm', input: 'a', instructions: ['a'] }, 'instructions', 'a string'],
    [{ model: 'm', input: 'a', metadata: nested(600) }, 'metadata', 'levels'],
  ])('%j is refused with the path and what was expected', (given, path, said) => {
    const error = caught(() => decodeRequest(given));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'bad-request', path, message: expect.stringContaining(said) });
  });

  it('is never anything but a bad request', () => {
    const keys = fc.constantFrom(
      'model',
      'input',
      'tools',
      'role',
      'content',
      'type',
      'name',
      'call_id',
      'output',
      'arguments',
      'reasoning',
      'tool_choice',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('function', 'message', 'user', 'm', null, 1),
        fc.dictionary(keys, tie('tree')),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const error = caught(() =>
          decodeRequest({ model: 'm', input: [value], tools: [value], tool_choice: value }),
        );
        if (error !== undefined)
          expect(error).toMatchObject({ code: 'bad-request', path: expect.any(String) });
      }),
      { seed, numRuns: 500 },
    );
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function caught(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
