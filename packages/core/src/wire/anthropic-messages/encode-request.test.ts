import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ApiError, type Message, type ModelRequest } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

const fixture = readFileSync(new URL('./agent-request.fixture.json', import.meta.url), 'utf8');
const agentBody = (): Record<string, unknown> => JSON.parse(fixture);

type Body = Record<string, unknown>;
interface Encoded {
  system?: unknown;
  messages: { role: string; content: unknown[] }[];
  tools: { name: string }[];
  [key: string]: unknown;
}

/** What comes out if the request is changed between decoding and encoding. */
function edited(body: Body, edit: (request: ModelRequest) => void): Encoded {
  const request = decodeRequest(body);
  edit(request);
  return encodeRequest(request) as Encoded;
}

function byHand(messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    conversation: { messages, tools: [], toolChoice: 'auto' },
    settings: {},
    stream: false,
    ...more,
  };
}

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] });
const call = (id: string): Message => ({
  role: 'assistant',
  parts: [{ type: 'tool-call', id, name: 'f', input: { a: 1 } }],
});
const result = (callId: string, output = 'ok'): Message => ({
  role: 'tool',
  parts: [{ type: 'tool-result', callId, output }],
});

describe('a request of this API that was changed', () => {
  it('shows another text, and keeps what stood beside it', () => {
    const encoded = edited(agentBody(), ({ conversation }) => {
      const [first, second] = conversation.messages;
      if (first?.role === 'system') first.parts[1]!.text = 'Be brief.';
      if (second?.role === 'user') second.parts[1] = { ...second.parts[1], type: 'text', text: 'Stop.' };
    });
    expect(encoded.system).toMatchObject([{}, { text: 'Be brief.', cache_control: { type: 'ephemeral' } }]);
    expect(encoded.messages[0]?.content[1]).toEqual({
      type: 'text',
      text: 'Stop.',
      cache_control: { type: 'ephemeral' },
    });
  });

  it('shows another output, with the images that stood beside the old one', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const content = [{ type: 'text', text: 'old' }, image];
    const body = {
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] }],
    };
    const encoded = edited(body, ({ conversation: { messages } }) => {
      if (messages[0]?.role === 'tool')
        Object.assign(messages[0].parts[0]!, { output: 'new', isError: true });
    });
    expect(encoded.messages[0]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'text', text: 'new' }, image],
        is_error: true,
      },
    ]);
  });

  it('shows other settings, another choice and other tools', () => {
    const encoded = edited({ ...agentBody(), tool_choice: { type: 'auto' } }, (request) => {
      request.settings = { maxTokens: 5, temperature: 0.5, thinking: false, parallelCalls: false };
      request.conversation.toolChoice = { name: 'Bash' };
      request.conversation.tools = request.conversation.tools.slice(0, 2);
      request.conversation.tools[0]!.description = 'Other.';
      request.stream = false;
    });
    expect(encoded).toMatchObject({
      max_tokens: 5,
      temperature: 0.5,
      thinking: { type: 'disabled' },
      tool_choice: { type: 'tool', name: 'Bash', disable_parallel_tool_use: true },
    });
    expect(encoded.stream).toBeUndefined();
    expect(encoded.tools).toMatchObject([{ description: 'Other.' }, {}, { type: 'web_search_20250305' }]);
  });

  it('leaves out what was taken away', () => {
    const encoded = edited(agentBody(), (request) => {
      request.settings = {};
      request.conversation.messages.shift();
    });
    for (const key of ['thinking', 'temperature', 'system']) expect(encoded).not.toHaveProperty(key);
    expect(encoded.max_tokens).toBe(4096);
  });

  it('has no tools and no choice when all of them are taken away', () => {
    const encoded = edited({ ...agentBody(), tool_choice: { type: 'auto' } }, (request) => {
      request.conversation.tools = [];
      delete request.skippedTools;
    });
    expect(encoded).not.toHaveProperty('tools');
    expect(encoded).not.toHaveProperty('tool_choice');
  });

  it('takes messages that a loop added: results in one message, thoughts only if signed', () => {
    const encoded = edited(agentBody(), ({ conversation: { messages } }) => {
      messages.push({
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Unsigned.' },
          { type: 'reasoning', text: 'Signed.', extra: { signature: 'abc' } },
          { type: 'tool-call', id: 'x', name: 'Bash', input: {} },
          { type: 'tool-call', id: 'y', name: 'Bash', input: {} },
          { type: 'tool-call', id: 'z', name: 'Bash', input: {} },
        ],
      });
      messages.push(result('x'), result('y'), user('And now?'), result('z'));
    });
    const [assistant, results] = encoded.messages.slice(-2);
    expect(assistant?.content.map((block) => (block as { type: string }).type)).toEqual([
      'thinking',
      'tool_use',
      'tool_use',
      'tool_use',
    ]);
    expect(results?.content).toMatchObject([
      { tool_use_id: 'x' },
      { tool_use_id: 'y' },
      { tool_use_id: 'z' },
      { text: 'And now?' },
    ]);
  });

  it('keeps the place of text among results when a result is taken away', () => {
    const encoded = edited(agentBody(), ({ conversation: { messages } }) => {
      messages[3]!.parts.splice(0, 1);
    });
    expect(encoded.messages[2]?.content).toMatchObject([{ tool_use_id: 'toolu_02' }, { type: 'text' }]);
  });
});

describe('a request made by hand', () => {
  it('has the least a request can have', () => {
    expect(encodeRequest(byHand([user('hi')]))).toEqual({
      model: 'm',
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'hi' }],
    });
  });

  it('puts system messages at the front beside the messages, and later ones into the user’s mouth', () => {
    const one = encodeRequest(byHand([system('a'), user('hi')]));
    expect(one).toMatchObject({ system: 'a', messages: [{ role: 'user', content: 'hi' }] });
    const two = encodeRequest(byHand([system('a'), system('b'), user('hi'), system('c')]));
    const text = (said: string) => ({ type: 'text', text: said });
    expect(two).toMatchObject({
      system: [text('a'), text('b')],
      messages: [{ role: 'user', content: [text('hi'), text('c')] }],
    });
    const all = encodeRequest(byHand([system('a'), system('b')]));
    expect(all).toMatchObject({ system: 'a', messages: [{ role: 'user', content: 'b' }] });
  });

  it('joins neighbours of one role, results before text, with ids the API takes', () => {
    const messages = [call('functions.f:0'), user('wait'), result('functions.f:0'), call('functions_f_0')];
    expect(encodeRequest(byHand(messages)).messages).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_f_0', name: 'f', input: { a: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'functions_f_0', content: 'ok' },
          { type: 'text', text: 'wait' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'functions_f_0_2', name: 'f', input: { a: 1 } }],
      },
    ]);
  });

  it('says values as JSON, errors as errors, and schemas as schemas of objects', () => {
    const parts = [{ type: 'tool-result' as const, callId: 'a', output: { n: [1] }, isError: true }];
    const request = byHand([{ role: 'tool', parts }]);
    request.conversation.tools = [
      { name: 'f' },
      { name: 'g', description: 'd', parameters: { properties: {} } },
    ];
    request.conversation.toolChoice = 'required';
    expect(encodeRequest(request)).toMatchObject({
      messages: [{ content: [{ content: '{"n":[1]}', is_error: true }] }],
      tools: [
        { name: 'f', input_schema: { type: 'object' } },
        { name: 'g', description: 'd', input_schema: { type: 'object', properties: {} } },
      ],
      tool_choice: { type: 'any' },
    });
  });

  it('gives settings that the API takes together', () => {
    const settings = { temperature: 1.7, topK: 5, stop: [], seed: 1, parallelCalls: false };
    const body = encodeRequest(byHand([user('hi')], { settings }));
    expect(body).toMatchObject({ temperature: 1, top_k: 5 });
    for (const key of ['stop_sequences', 'seed', 'tool_choice']) expect(body).not.toHaveProperty(key);
    const thinking = encodeRequest(byHand([user('hi')], { settings: { ...settings, thinking: true } }));
    expect(thinking.thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
    expect(thinking).not.toHaveProperty('temperature');
    const short = encodeRequest(byHand([user('hi')], { settings: { thinking: true, maxTokens: 100 } }));
    expect(short).not.toHaveProperty('thinking');
  });
});

describe('media of other APIs', () => {
  const media = (value: unknown) => byHand([{ role: 'user', parts: [{ type: 'media', media: value }] }]);
  const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'BBBB' };
  const web = { type: 'url', url: 'https://example.com/a.png' };

  it.each([
    [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image', source: png },
    ],
    [
      { type: 'image_url', image_url: { url: web.url, detail: 'low' } },
      { type: 'image', source: web },
    ],
    [
      { type: 'input_image', image_url: web.url },
      { type: 'image', source: web },
    ],
    [
      { type: 'file', file: { file_data: 'data:application/pdf;base64,BBBB', filename: 'a.pdf' } },
      { type: 'document', source: pdf, title: 'a.pdf' },
    ],
    [
      { type: 'input_file', file_url: web.url },
      { type: 'document', source: web },
    ],
    [
      { type: 'input_file', file_data: 'data:text/csv;base64,YSxi', filename: 'a.csv' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' }, title: 'a.csv' },
    ],
    [
      { type: 'image', source: png },
      { type: 'image', source: png },
    ],
  ])('%j becomes a block of this one', (given, block) => {
    expect(encodeRequest(media(given)).messages).toEqual([{ role: 'user', content: [block] }]);
  });

  it.each([
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'image_url', image_url: { url: 'data:image/tiff;base64,AAAA' } },
    { type: 'image_url', image_url: { url: 'file:///etc/passwd' } },
    { type: 'input_file', file_id: 'file-1' },
    { type: 'input_file', file_data: 'data:application/zip;base64,AAAA' },
    'nothing',
  ])('%j is refused with its place', (given) => {
    try {
      encodeRequest(media(given));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'unsupported-media', path: 'messages[0].content[0]' });
    }
  });
});
