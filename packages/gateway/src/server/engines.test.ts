// What engines are sent, and what comes of their answers.

import { describe, expect, it } from 'vitest';
import { type Answer, ask, gatewayFor, json, says, standIn, ways } from './stand-in.fixture.js';

const kimiCall =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|><|tool_calls_section_end|>';
const harmonyCall =
  '<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Rome"}<|call|>';
const withoutTokens = (text: string) => text.replaceAll(/<\|[a-z_]+\|>/g, '');

/** Leaves special tokens out, unless it is asked for them. */
const vllm =
  (call: string): Answer =>
  ({ method, path, body }, response) => {
    if (method === 'GET')
      json(
        response,
        path === '/v1/models' ? { object: 'list', data: [{ id: 'm', owned_by: 'vllm', created: 7 }] } : {},
        path === '/v1/models' ? 200 : 404,
      );
    else says(response, body.skip_special_tokens === false ? call : withoutTokens(call));
  };

describe.each([
  ['kimi-k2', kimiCall],
  ['harmony', harmonyCall],
])('special tokens of %s', (dialect, call) => {
  it.each(ways)('are asked for where the engine is known: %s, stream %s', async (path, stream) => {
    const upstream = await standIn(vllm(call));
    const gateway = await gatewayFor({ url: upstream.url, engine: 'vllm' }, { dialect });
    const { text } = await ask(gateway, path, stream);
    expect(text).toContain('get_weather');
    expect(text).not.toContain('stripped-markers');
    expect(upstream.posts()).toHaveLength(1);
  });

  it.each(ways)(
    'are asked for when an answer lacks them, from then on at once: %s, stream %s',
    async (path, stream) => {
      const upstream = await standIn(vllm(call));
      const gateway = await gatewayFor({ url: upstream.url }, { dialect });
      const { text } = await ask(gateway, path, stream);
      expect(text).toContain('stripped-markers');
      expect(text).toMatch(/tool_calls|function_call|tool_use/);
      expect(text).not.toContain('"content":"functions');
      expect(upstream.posts().map(({ body }) => body.skip_special_tokens)).toEqual([undefined, false]);
      // The model is not told of what is not its fault.
      expect(upstream.posts()[1]?.body.messages).toEqual(upstream.posts()[0]?.body.messages);
      await ask(gateway, path, stream);
      expect(upstream.posts()[2]?.body.skip_special_tokens).toBe(false);
      expect(upstream.posts()).toHaveLength(3);
    },
  );

  it.each(ways)(
    'that never come leave text, and an issue with advice: %s, stream %s',
    async (path, stream) => {
      const upstream = await standIn((_, response) => says(response, withoutTokens(call)));
      const gateway = await gatewayFor({ url: upstream.url, engine: 'tgi' }, { dialect });
      const { text } = await ask(gateway, path, stream);
      expect(text).toContain('stripped-markers');
      expect(text).toContain('such as hermes');
      expect(text).not.toMatch(/"tool_calls":|"function_call"|"tool_use"/);
      expect(upstream.posts()).toHaveLength(1);
    },
  );
});

it('special tokens that a native upstream leaves out are an issue as well', async () => {
  const text = `I look. ${withoutTokens(kimiCall)} Done.`;
  const upstream = await standIn((_, response) => says(response, text));
  const native = { url: upstream.url, kind: 'native', engine: 'vllm' };
  const gateway = await gatewayFor(native, { dialect: 'kimi-k2' });
  const answer = JSON.parse((await ask(gateway, '/v1/chat/completions', false)).text);
  expect(answer.choices[0].message).toMatchObject({ role: 'assistant', content: text });
  expect(answer.dragoman.issues).toMatchObject([{ code: 'stripped-markers' }]);
});

it('special tokens are not asked for again where that is refused', async () => {
  const upstream = await standIn(({ body }, response) => {
    if ('skip_special_tokens' in body)
      json(
        response,
        { error: { message: 'Unrecognized request argument supplied: skip_special_tokens' } },
        400,
      );
    else says(response, withoutTokens(kimiCall));
  });
  const gateway = await gatewayFor({ url: upstream.url }, { dialect: 'kimi-k2' });
  const { status, text } = await ask(gateway, '/v1/chat/completions', false);
  expect([status, text.includes('functions.get_weather:0')]).toEqual([200, true]);
  expect(upstream.posts()).toHaveLength(3);
  await ask(gateway, '/v1/chat/completions', false);
  expect(upstream.posts()).toHaveLength(4);
});

describe('the engine', () => {
  const lists = (owned_by: string) => ({ '/v1/models': { object: 'list', data: [{ id: 'm', owned_by }] } });
  const lm = { id: 'm', object: 'model', type: 'llm', publisher: 'p', compatibility_type: 'gguf' };
  it.each([
    ['vLLM', lists('vllm')],
    ['SGLang', lists('sglang')],
    ['SGLang', { ...lists('me'), '/get_model_info': { model_path: 'm', is_generation: true } }],
    ['llama.cpp', lists('llamacpp')],
    ['llama.cpp', { ...lists('me'), '/props': { default_generation_settings: {}, total_slots: 1 } }],
    ['Ollama', { ...lists('library'), '/api/version': { version: '0.13.0' } }],
    ['LM Studio', { ...lists('organization_owner'), '/api/v0/models': { object: 'list', data: [lm] } }],
    ['TGI', { ...lists('m'), '/info': { model_id: 'm', max_concurrent_requests: 128 } }],
    [undefined, lists('somebody')],
    [undefined, {}],
  ])('%s is found at the start', async (title, paths: Record<string, unknown>) => {
    const upstream = await standIn(({ path }, response) =>
      json(response, paths[path] ?? { error: 'no' }, path in paths ? 200 : 404),
    );
    const gateway = await gatewayFor({ url: upstream.url }, {}, true);
    expect(gateway.engines.get('default')).toBe(title);
    expect(upstream.posts()).toEqual([]);
  });

  it('is not waited for, and not looked for where it is named', async () => {
    const silent = await standIn(() => {});
    const named = await gatewayFor({ url: silent.url, engine: 'ollama' }, {}, true);
    expect([named.engines.size, silent.asked.length]).toEqual([0, 0]);
    const gateway = await gatewayFor({ url: silent.url }, {}, true);
    expect(gateway.engines.size).toBe(0);
  });

  const off = { enable_thinking: false };
  const none = { reasoning_effort: 'none' };
  it.each([
    ['vllm', false, { ...none, chat_template_kwargs: { ...off, thinking: false } }],
    ['sglang', true, { chat_template_kwargs: { enable_thinking: true, thinking: true } }],
    ['llama.cpp', false, { ...none, chat_template_kwargs: off }],
    ['ollama', false, none],
    ['ollama', true, {}],
    ['none', true, {}],
  ])('%s is told in its own words whether to think: %s', async (engine, thinking, members) => {
    const upstream = await standIn((_, response) => says(response, 'Sunny.'));
    const models = [{ name: 'thinker', thinking }, { name: 'm' }];
    const gateway = await gatewayFor({ url: upstream.url, engine }, { dialect: 'hermes', models });
    const type = thinking ? 'enabled' : 'disabled';
    await ask(gateway, '/v1/messages', false, { thinking: { type, budget_tokens: 2000 } });
    await ask(gateway, '/v1/messages', false, { model: 'thinker' });
    for (const { body } of upstream.posts()) {
      const { chat_template_kwargs, reasoning_effort } = body;
      expect(JSON.parse(JSON.stringify({ chat_template_kwargs, reasoning_effort }))).toEqual(members);
    }
    expect(upstream.posts()).toHaveLength(2);
  });
});

describe('the body', () => {
  it.each(['chat', 'completion', 'native'])(
    'gets what the configuration adds, and loses what it removes: %s',
    async (kind) => {
      const upstream = await standIn((_, response) => says(response, 'Sunny.'));
      const body = { skip_special_tokens: false, stream_options: null, options: { num_ctx: 8 } };
      const gateway = await gatewayFor({ url: upstream.url, kind, body }, { dialect: 'hermes' });
      await ask(gateway, '/v1/chat/completions', true, { min_p: 0.1, options: { seed: 1 } });
      const [sent] = upstream.posts();
      expect(sent?.body).toMatchObject({
        skip_special_tokens: false,
        options: { num_ctx: 8, seed: 1 },
        min_p: 0.1,
        stream: true,
      });
      expect(sent?.body).not.toHaveProperty('stream_options');
    },
  );

  it.each(ways)(
    'gets what a client sends for an engine, and the report the rest: %s, stream %s',
    async (path, stream) => {
      for (const kind of ['chat', 'native']) {
        const upstream = await standIn((_, response) => says(response, 'Sunny.'));
        const gateway = await gatewayFor({ url: upstream.url, kind }, { dialect: 'hermes' });
        const sent = {
          skip_special_tokens: false,
          min_p: 0.1,
          api_base: 'http://evil',
          chat_template: 'evil',
          strange: 1,
        };
        const { text } = await ask(gateway, path, stream, sent);
        expect(upstream.posts()[0]?.body).toMatchObject({ skip_special_tokens: false, min_p: 0.1 });
        expect(JSON.stringify(upstream.posts()[0]?.body)).not.toContain('evil');
        const ignored = /"ignored":(\[[^\]]*\])/.exec(text)?.[1] ?? '[]';
        const own = kind === 'native' && path === '/v1/chat/completions';
        expect(JSON.parse(ignored)).toEqual(
          expect.arrayContaining(
            own ? ['api_base', 'chat_template'] : ['strange', 'api_base', 'chat_template'],
          ),
        );
        if (own) expect(upstream.posts()[0]?.body.strange).toBe(1);
      }
    },
  );

  it.each([
    [
      'Groq',
      400,
      {
        error: {
          message: "property 'stream_options' is unsupported, did you mean 'stream'?",
          type: 'invalid_request_error',
        },
      },
    ],
    [
      'Mistral',
      422,
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options', 'include_usage'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
      },
    ],
  ])(
    'goes without stream_options where they are refused, once and for all: %s',
    async (_, status, refusal) => {
      for (const kind of ['chat', 'native']) {
        const upstream = await standIn(({ body }, response) =>
          'stream_options' in body ? json(response, refusal, status) : says(response, 'Sunny.'),
        );
        const gateway = await gatewayFor({ url: upstream.url, kind }, { dialect: 'hermes' });
        for (const [path, stream] of ways) expect((await ask(gateway, path, stream)).status).toBe(200);
        expect(upstream.posts().filter(({ body }) => 'stream_options' in body)).toHaveLength(1);
      }
    },
  );
});
