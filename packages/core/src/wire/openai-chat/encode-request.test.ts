import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../model/index.js';
import { decodeRequest } from './decode-request.js';
import { encodeRequest } from './encode-request.js';

const bodies: Record<string, Record<string, unknown>> = JSON.parse(
  readFileSync(new URL('./bodies.fixture.json', import.meta.url), 'utf8'),
);

const again = (body: unknown) => encodeRequest(decodeRequest(body));

/** As JSON has it: without notes, which are no data. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** As much of a body as is looked at here. */
interface Changed extends Record<string, unknown> {
  messages: { role: string; tool_calls?: { function: { arguments: string } }[] }[];
}

describe('a request that is passed on', () => {
  for (const [name, body] of Object.entries(bodies)) {
    it(`goes out as it came in, in the same order: ${name}`, () => {
      expect(JSON.stringify(again(body))).toBe(JSON.stringify(body));
    });
  }

  it('does not change the body it was read from', () => {
    for (const body of Object.values(bodies)) {
      const before = JSON.stringify(body);
      const request = decodeRequest(body);
      request.conversation.messages.length = 0;
      for (const key of Object.keys(request.extra ?? {})) delete request.extra?.[key];
      encodeRequest(request);
      expect(JSON.stringify(body)).toBe(before);
    }
  });

  it('keeps a member named like anything of ours', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'a', spelling: {}, extra: { note: 1 }, parts: [{ type: 'text' }] }],
      extra: { spelled: {} },
      ...JSON.parse('{"__proto__": {"a": 1}}'),
    };
    expect(again(body)).toEqual(body);
    expect(JSON.stringify(again(body))).toBe(JSON.stringify(body));
  });
});

describe('a change', () => {
  const change = (name: string, edit: (request: ModelRequest) => unknown): Changed => {
    const request = decodeRequest(bodies[name]);
    edit(request);
    return plain(encodeRequest(request)) as unknown as Changed;
  };
  const opencode = 'opencode, a turn with a dozen tools';
  const sdk = 'the OpenAI SDK, its own answer sent back';

  it('of a text shows, and leaves the rest as it was', () => {
    const body = plain(bodies[opencode]) as { messages: { content: unknown }[] };
    const out = change(opencode, ({ conversation }) => {
      const [part] = conversation.messages[1]?.parts ?? [];
      if (part?.type === 'text') part.text = 'Other.';
    });
    (body.messages[1] as { content: unknown }).content = 'Other.';
    expect(out).toEqual(body);
  });

  it('of arguments shows, by their text or by their value', () => {
    const argumentsNow = (edit: (call: { input: object; raw?: string }) => void) => {
      const out = change(opencode, ({ conversation }) => {
        const [part] = conversation.messages[2]?.parts ?? [];
        if (part?.type === 'tool-call') edit(part);
      });
      return out.messages[2]?.tool_calls?.[0]?.function.arguments;
    };
    expect(argumentsNow((part) => Object.assign(part.input, { path: '/' }))).toBe('{"path":"/","limit":1}');
    expect(argumentsNow((part) => Object.assign(part, { raw: '{"path":"/tmp",  "limit":1}' }))).toBe(
      '{"path":"/tmp",  "limit":1}',
    );
    expect(argumentsNow(() => {})).toBe('{"path": "/tmp", "limit": 1.0}');
  });

  it('of a setting shows, under the name the client used', () => {
    const out = change(sdk, ({ settings }) => {
      settings.maxTokens = 9;
      settings.temperature = 0.25;
      settings.stop = ['x'];
      delete settings.seed;
    });
    expect(out).toMatchObject({
      max_completion_tokens: 9,
      temperature: 0.25,
      stop: ['x'],
      top_p: null,
      n: 2,
    });
    expect(out).not.toHaveProperty('max_tokens');
    expect(out).not.toHaveProperty('seed');
  });

  it('of thinking shows wherever it was said', () => {
    const think = ({ settings }: ModelRequest) => Object.assign(settings, { thinking: true });
    expect(change('an engine and its template', think)).toMatchObject({
      chat_template_kwargs: { enable_thinking: true, other: 1 },
    });
    const qwen = change('Qwen Code, a tool named tool_call', think);
    expect(qwen).toMatchObject({ reasoning_effort: 'medium' });
    expect(qwen).not.toHaveProperty('enable_thinking');
  });

  it('of a tool shows, and those that run elsewhere stay at their place', () => {
    const out = change(sdk, ({ conversation }) => {
      const [tool] = conversation.tools;
      if (tool) Object.assign(tool, { description: 'New.', extra: { ...tool.extra, strict: false } });
      conversation.tools = [...conversation.tools, { name: 'more' }];
    });
    expect(out.tools).toMatchObject([
      { type: 'function', function: { name: 'weather', description: 'New.', strict: false } },
      { type: 'custom' },
      { type: 'function', function: { name: 'more' } },
    ]);
    expect(out).toMatchObject({ tool_choice: { type: 'allowed_tools' }, parallel_tool_calls: false });
  });

  it('that takes all tools away leaves no word of them', () => {
    const out = change(sdk, ({ conversation }) => {
      conversation.tools = [];
    });
    for (const key of ['tools', 'tool_choice', 'parallel_tool_calls']) expect(out).not.toHaveProperty(key);
  });

  it('of the choice shows', () => {
    const none = change(sdk, ({ conversation }) => Object.assign(conversation, { toolChoice: 'none' }));
    expect(none.tool_choice).toBe('none');
    const named = change(sdk, ({ conversation }) =>
      Object.assign(conversation, { toolChoice: { name: 'weather' } }),
    );
    expect(named.tool_choice).toEqual({ type: 'function', function: { name: 'weather' } });
  });

  it('of what the model has no word for shows', () => {
    const out = change(sdk, ({ extra }) => {
      delete extra?.metadata;
      if (extra) extra.store = true;
    });
    expect(out).not.toHaveProperty('metadata');
    expect(out.store).toBe(true);
  });

  it('of the format shows', () => {
    expect(change(sdk, (request) => void delete request.format)).not.toHaveProperty('response_format');
    const format = { type: 'json-schema', schema: { type: 'object' } };
    expect(change(sdk, (request) => Object.assign(request, { format })).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' } },
    });
  });

  it('of the older calls turns them into today’s', () => {
    const out = change('the older functions', ({ conversation }) => {
      const [part] = conversation.messages[1]?.parts ?? [];
      if (part?.type === 'tool-call') part.name = 'g';
    });
    const [, said, result] = out.messages;
    expect(result).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'done' });
    expect(said).not.toHaveProperty('function_call');
    expect(said).toMatchObject({ tool_calls: [{ function: { name: 'g', arguments: '{"a":1}' } }] });
  });

  it('of the messages themselves shows', () => {
    const out = change(opencode, ({ conversation }) => {
      conversation.messages.splice(1, 1);
      conversation.messages.push({ role: 'user', parts: [{ type: 'text', text: 'more' }] });
    });
    expect(out.messages.map(({ role }) => role)).toEqual(['system', 'assistant', 'tool', 'user']);
  });
});

describe('a request of another origin', () => {
  const foreign: ModelRequest = {
    api: 'anthropic-messages',
    model: 'm',
    conversation: {
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'a', extra: { cache_control: {} } },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'look' },
            {
              type: 'media',
              media: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
            },
          ],
          extra: { something: 1 },
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm', extra: { signature: 's' } },
            { type: 'text', text: 'I ' },
            { type: 'tool-call', id: 'c1', name: 'f', input: { n: 1 }, raw: '{"n": 1.0}', extra: { x: 1 } },
            { type: 'text', text: 'see.' },
            { type: 'tool-call', id: 'c2', name: 'g', input: {} },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool-result', callId: 'c1', output: { ok: 1 } },
            { type: 'tool-result', callId: 'c2', output: 'no such file', isError: true },
          ],
        },
      ],
      tools: [
        { name: 'f', description: 'does f', parameters: { type: 'object' }, extra: { strict: true } },
        { name: 'g' },
      ],
      toolChoice: 'required',
    },
    settings: { maxTokens: 5, stop: ['x'], parallelCalls: false, thinking: true },
    stream: true,
    extra: { system: 'x' },
  };

  it('is a chat request, without what only the other API understands', () => {
    expect(encodeRequest(foreign)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'a\nb' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          ],
        },
        {
          role: 'assistant',
          content: 'I see.',
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"n": 1.0}' } },
            { id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"ok":1}' },
        { role: 'tool', tool_call_id: 'c2', content: 'Error: no such file' },
      ],
      max_tokens: 5,
      stop: ['x'],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        { type: 'function', function: { name: 'f', description: 'does f', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'g', parameters: { type: 'object', properties: {} } } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
  });

  it('says nothing of tools where there are none', () => {
    const out = encodeRequest({
      ...foreign,
      conversation: { messages: [], tools: [], toolChoice: 'required' },
      settings: { parallelCalls: true, thinking: false },
      stream: false,
    });
    expect(out).toEqual({ model: 'm', messages: [], reasoning_effort: 'none' });
  });

  it('of a chat body that is taken for another API’s is a plain one', () => {
    const request = decodeRequest(bodies['the older functions']);
    const out = encodeRequest({ ...request, api: 'openai-responses' });
    expect(out).not.toHaveProperty('functions');
    expect(out).not.toHaveProperty('user');
    expect(out.messages).toMatchObject([
      {},
      { tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1' },
    ]);
  });
});
