import { describe, expect, it } from 'vitest';
import { ApiError } from '../../model/index.js';
import type { BridgeEvent } from '../options.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import { createResponder, type ResponderOptions } from './respond.js';

const call =
  '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing", "n": 12345678901234567890}}\n</tool_call>';
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: schema } }];
const chat = { model: 'm', messages: [{ role: 'user', content: 'Weather?' }], tools };
const messages = {
  model: 'm',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Weather?' }],
  tools: [{ name: 'get_weather', input_schema: schema }],
};
const responses = {
  model: 'm',
  input: 'Weather?',
  tools: [{ type: 'function', name: 'get_weather', parameters: schema }],
};

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`http://test.invalid${path}`, { method: 'POST', body: text, headers });
}

const over = (texts: string[], options: Partial<ResponderOptions> = {}) =>
  createResponder({ upstream: scriptedUpstream(texts), dialect: 'hermes', ...options });

// biome-ignore lint/suspicious/noExplicitAny: a body as a client sees it.
const json = async (response: Response): Promise<any> => JSON.parse(await response.text());

describe('one model, three APIs', () => {
  it('answers chat completions, with and without /v1', async () => {
    for (const path of ['/v1/chat/completions', '/chat/completions', '/some/proxy/v1/chat/completions']) {
      const body = await json(await over([call])(post(path, chat)));
      const { message, finish_reason } = body.choices[0];
      expect(finish_reason).toBe('tool_calls');
      expect(message.tool_calls[0].id).toMatch(/^call_[0-9A-Za-z]{24}$/);
      expect(message.tool_calls[0].function).toEqual({
        name: 'get_weather',
        arguments: '{"city":"Beijing","n":12345678901234567890}',
      });
      expect(body.id).toMatch(/^chatcmpl-/);
      expect(body.created).toBeGreaterThan(1_700_000_000);
    }
  });

  it('answers messages, also as Claude Code asks', async () => {
    const body = await json(await over([call])(post('/v1/messages?beta=true', messages)));
    expect(body).toMatchObject({ type: 'message', stop_reason: 'tool_use' });
    expect(body.id).toMatch(/^msg_/);
    expect(body.content[0]).toMatchObject({ type: 'tool_use', name: 'get_weather' });
    expect(body.content[0].id).toMatch(/^toolu_[0-9A-Za-z]{24}$/);
  });

  it('answers responses', async () => {
    const body = await json(await over([call])(post('/v1/responses', responses)));
    expect(body).toMatchObject({ object: 'response', status: 'completed' });
    expect(body.id).toMatch(/^resp_/);
    expect(body.output[0]).toMatchObject({ type: 'function_call', name: 'get_weather' });
    expect(body.output[0].id).toMatch(/^fc_/);
    expect(body.output[0].call_id).toMatch(/^call_/);
  });

  it('gives as many answers as are asked for', async () => {
    const body = await json(await over(['One.', 'Two.'])(post('/v1/chat/completions', { ...chat, n: 2 })));
    expect(
      body.choices.map(({ message }: { message: { content: string } }) => message.content).sort(),
    ).toEqual(['One.', 'Two.']);
  });

  it('counts tokens, roughly', async () => {
    const path = '/v1/messages/count_tokens';
    const short = await json(await over([])(post(path, messages)));
    const long = { ...messages, system: 'word '.repeat(1000) };
    const more = await json(await over([])(post(path, long)));
    expect(short.input_tokens).toBeGreaterThan(10);
    expect(more.input_tokens - short.input_tokens).toBeGreaterThan(900);
  });
});

describe('items that are named again', () => {
  it.each([true, false])('are remembered, answered as a stream: %s', async (stream) => {
    const upstream = scriptedUpstream([`I will look.\n${call}`, 'Done.']);
    const respond = createResponder({ upstream, dialect: 'hermes' });
    const first = await respond(post('/v1/responses', { ...responses, stream }));
    const text = await first.text();
    const [id] = /"(msg_[0-9A-Za-z]{24})"/.exec(text)?.slice(1) ?? [];
    const input = [
      { role: 'user', content: 'Weather?' },
      { type: 'item_reference', id },
      { role: 'user', content: 'Go on.' },
    ];
    const second = await respond(post('/v1/responses', { ...responses, input }));
    expect(second.status).toBe(200);
    expect(JSON.stringify(upstream.asked[1]?.conversation.messages)).toContain('I will look.');
  });

  it('are forgotten when there are too many', async () => {
    const upstream = scriptedUpstream(['One.', 'Two.', 'Three.']);
    const respond = createResponder({ upstream, dialect: 'hermes', rememberedItems: 1 });
    const ids: string[] = [];
    for (let n = 0; n < 2; n++)
      ids.push((await json(await respond(post('/v1/responses', responses)))).output[0].id);
    const asked = (id: string | undefined) =>
      respond(post('/v1/responses', { ...responses, input: [{ type: 'item_reference', id }] }));
    expect((await asked(ids[0])).status).toBe(400);
    expect((await asked(ids[1])).status).toBe(200);
  });
});

describe('several models', () => {
  const one = { upstream: scriptedUpstream(['I am one.']), dialect: 'hermes' };
  const two = { upstream: scriptedUpstream(['I am two.']), dialect: 'glm-4.5' };
  const respond = createResponder({
    route: ({ model }) => {
      if (model === 'one') return one;
      if (model === 'two') return two;
      throw new ApiError('not-found', `no model ${model}`, { path: 'model' });
    },
  });

  it('are told apart by their names', async () => {
    const said = async (model: string) => {
      const response = await respond(post('/v1/chat/completions', { ...chat, model }));
      return {
        status: response.status,
        dialect: response.headers.get('x-dragoman') ?? '',
        body: await json(response),
      };
    };
    expect((await said('one')).body.choices[0].message.content).toBe('I am one.');
    expect((await said('two')).dialect).toContain('glm-4.5');
    expect(await said('three')).toMatchObject({
      status: 404,
      body: { error: { message: 'no model three' } },
    });
  });

  it('are watched request by request', async () => {
    const seen: BridgeEvent[] = [];
    await respond(post('/v1/chat/completions', { ...chat, model: 'one' }), {
      onEvent: (event) => seen.push(event),
    });
    expect(seen[0]).toMatchObject({ type: 'request' });
    expect(seen.some(({ type }) => type === 'upstream-text')).toBe(true);
  });
});

describe('what happened', () => {
  it('stands in the answer of each API and in a header', async () => {
    for (const [path, body] of [
      ['/v1/chat/completions', chat],
      ['/v1/messages', messages],
      ['/v1/responses', responses],
    ] as const) {
      const wrong = call.replace('"Beijing"', '["Beijing"]');
      const response = await over([wrong, call])(post(path, body));
      expect(response.headers.get('x-dragoman')).toBe(
        'mode=emulate; dialect=hermes; from=name; issues=0; repairs=0; reasks=1',
      );
      const { dragoman } = await json(response);
      expect(dragoman).toMatchObject({ mode: 'emulate', dialect: 'hermes', usage: 'estimated' });
      expect(dragoman.reasks[0].issues[0].code).toBe('schema-mismatch');
    }
  });

  it('stands in each stream, and the header says what is known before', async () => {
    for (const [path, body] of [
      ['/v1/chat/completions', chat],
      ['/v1/messages', messages],
      ['/v1/responses', responses],
    ] as const) {
      const response = await over([call])(post(path, { ...body, stream: true }));
      expect(response.headers.get('x-dragoman')).toContain('dialect=hermes');
      expect(await response.text()).toContain('"dragoman":{"mode":"emulate"');
    }
  });

  it('is kept back on request of the server, or of the client', async () => {
    for (const stream of [true, false]) {
      const silent = await over([call], { report: false })(post('/v1/chat/completions', { ...chat, stream }));
      const asked = post('/v1/chat/completions', { ...chat, stream }, { 'x-dragoman-report': 'off' });
      for (const response of [silent, await over([call])(asked)]) {
        expect(response.headers.has('x-dragoman')).toBe(false);
        expect(await response.text()).not.toContain('dragoman');
      }
    }
  });

  it('is told event by event, for logs and inspectors', async () => {
    const events: BridgeEvent[] = [];
    const responder = over([call], { onEvent: (event) => events.push(event) });
    await (await responder(post('/v1/chat/completions', { ...chat, stream: true }))).text();
    const types = new Set(events.map(({ type }) => type));
    expect(types).toEqual(new Set(['request', 'upstream-request', 'upstream-text', 'parse', 'answer']));
    const text = events.map((event) => (event.type === 'upstream-text' ? event.text : '')).join('');
    expect(text).toBe(call);
    const answered = events.flatMap((event) => (event.type === 'answer' ? [event.event.type] : []));
    expect(answered[0]).toBe('answer-start');
    expect(answered.filter((type) => type === 'finish')).toHaveLength(1);
    expect(answered.at(-1)).toBe('report');
  });
});

describe('what cannot be answered', () => {
  const status = async (request: Request, options: Partial<ResponderOptions> = {}) => {
    const response = await over(['x'], options)(request);
    return { status: response.status, body: JSON.stringify(await json(response)) };
  };

  it('says what is there instead of an unknown address', async () => {
    const { status: code, body } = await status(post('/v1/embeddings', {}));
    expect(code).toBe(404);
    expect(body).toContain('/v1/chat/completions');
  });

  it('takes POST only', async () => {
    const request = new Request('http://test.invalid/v1/messages');
    expect((await status(request)).status).toBe(405);
  });

  it('names the field that is wrong, in the words of the API', async () => {
    const openai = await status(post('/v1/chat/completions', { ...chat, messages: [{ role: 'tool' }, 7] }));
    expect(openai).toMatchObject({ status: 400 });
    expect(JSON.parse(openai.body).error).toMatchObject({
      type: 'invalid_request_error',
      param: 'messages[1]',
    });
    const anthropic = await status(post('/v1/messages', { ...messages, max_tokens: 'many' }));
    expect(JSON.parse(anthropic.body)).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error' },
    });
    expect(anthropic.body).toContain('max_tokens');
  });

  it('is no JSON, or too much of it', async () => {
    expect(await status(post('/v1/messages', '{'))).toMatchObject({ status: 400 });
    const long = post('/v1/messages', { ...messages, system: 'x'.repeat(2000) });
    expect(await status(long, { bodyBytes: 1000 })).toMatchObject({ status: 413 });
  });

  it('needs a memory that is not here', async () => {
    const asked = post('/v1/responses', { ...responses, previous_response_id: 'resp_1' });
    const { status: code, body } = await status(asked);
    expect(code).toBe(400);
    expect(body).toContain('send the whole conversation');
  });

  it('is told to Anthropic’s client so that it sends the whole conversation itself', async () => {
    const { status: code, body } = await status(
      post('/v1/messages', { ...messages, thread: { type: 'create' } }),
    );
    expect(code).toBe(400);
    expect(JSON.parse(body).error).toMatchObject({
      type: 'invalid_request_error',
      details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    });
  });

  it('refers to items that were never here', async () => {
    const input = [
      { type: 'item_reference', id: 'msg_1' },
      { role: 'user', content: 'Go on.' },
    ];
    const { status: code, body } = await status(post('/v1/responses', { ...responses, input }));
    expect(code).toBe(400);
    expect(JSON.parse(body).error).toMatchObject({ param: 'input[0]' });
    expect(body).toContain('store: false');
  });

  it('names a dialect that does not exist', async () => {
    const { status: code, body } = await status(post('/v1/chat/completions', chat), { dialect: 'klingon' });
    expect(code).toBe(400);
    expect(body).toContain('klingon');
  });
});

describe('allowed tools in the mode native', () => {
  const named = (name: string) => ({ type: 'function', name });
  const tool_choice = { type: 'allowed_tools', mode: 'auto', tools: [named('now')] };
  const tools = [named('now'), named('later')];
  const ignoredBy = async (api: string) => {
    const upstream = { ...scriptedUpstream(['Hi.'], { tools: true }), api };
    const respond = createResponder({ upstream, mode: 'native' });
    const response = await respond(post('/v1/responses', { ...responses, tools, tool_choice }));
    return ((await response.json()) as { dragoman: { ignored?: string[] } }).dragoman.ignored;
  };

  it('are in the report where the API of the upstream has no words for them', async () => {
    expect(await ignoredBy('anthropic-messages')).toEqual(['tool_choice.allowed_tools']);
    expect(await ignoredBy('openai-responses')).toBeUndefined();
  });
});
