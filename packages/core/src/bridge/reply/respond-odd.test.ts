// Requests and upstreams as nobody wishes for them, through all three APIs.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hermes } from '../../dialects/hermes/hermes.js';
import type { AnswerEvent } from '../../model/index.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import type { Upstream } from '../upstream/upstream.js';
import { createResponder, type ResponderOptions } from './respond.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await soon(5);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
const soon = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const apis = {
  '/v1/chat/completions': (name = 'get_weather') => ({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi.' }],
    tools: [{ type: 'function', function: { name, parameters } }],
  }),
  '/v1/messages': (name = 'get_weather') => ({
    model: 'm',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi.' }],
    tools: [{ name, input_schema: parameters }],
  }),
  '/v1/responses': (name = 'get_weather') => ({
    model: 'm',
    input: 'Hi.',
    tools: [{ type: 'function', name, parameters }],
  }),
};
const each = Object.entries(apis);

function post(path: string, body: unknown, init: RequestInit = {}): Request {
  return new Request(`http://test.invalid${path}`, { method: 'POST', body: JSON.stringify(body), ...init });
}

const over = (texts: string[], options: Partial<ResponderOptions> = {}) =>
  createResponder({ upstream: scriptedUpstream(texts), dialect: 'hermes', ...options });

/** Says these events; `wait` waits until it is aborted. */
function says(events: (AnswerEvent | 'wait')[], tools = false): Upstream & { left: number } {
  const upstream = {
    takes: 'messages' as const,
    tools,
    media: false,
    left: 0,
    async *ask(_request: unknown, { signal }: { signal: AbortSignal }): AsyncGenerator<AnswerEvent> {
      try {
        signal.throwIfAborted();
        yield { type: 'answer-start' };
        for (const event of events) {
          if (event !== 'wait') yield event;
          else
            await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        }
      } finally {
        upstream.left++;
      }
    },
  };
  return upstream;
}

const text = (said: string): AnswerEvent => ({ type: 'text-delta', text: said });

describe.each(each)('%s', (path, body) => {
  it.each([false, true])(
    'says the first word before the second is written, by an upstream with tools: %s',
    async (tools) => {
      const upstream = says([text('First '), 'wait'], tools);
      const response = await createResponder({ upstream, dialect: 'hermes' })(
        post(path, { ...body(), stream: true }),
      );
      const reader = response.body?.getReader();
      let seen = '';
      while (!seen.includes('First')) seen += new TextDecoder().decode((await reader?.read())?.value);
      await reader?.cancel();
      await soon(1);
      expect(upstream.left).toBe(1);
    },
  );

  it.each([0, 1, 2])('lets go of the upstream when the reader leaves after %i pieces', async (pieces) => {
    const upstream = says([text('One '), text('two '), 'wait']);
    const response = await createResponder({ upstream, dialect: 'hermes' })(
      post(path, { ...body(), stream: true }),
    );
    const reader = response.body?.getReader();
    for (let n = 0; n < pieces; n++) await reader?.read();
    const pending = pieces === 2 ? reader?.read() : undefined;
    await reader?.cancel(new Error('bye'));
    await pending;
    await soon(1);
    expect(upstream.left).toBe(1);
  });

  it.each([true, false])('asks nobody for who has left already, streamed: %s', async (stream) => {
    const upstream = says([text('x')]);
    const request = post(path, { ...body(), stream }, { signal: AbortSignal.abort(new Error('left')) });
    await expect(createResponder({ upstream, dialect: 'hermes' })(request)).rejects.toThrow('left');
  });

  it.each([true, false])(
    'lets go of the upstream when the request is aborted, streamed: %s',
    async (stream) => {
      const upstream = says(['wait']);
      const aborter = new AbortController();
      setTimeout(() => aborter.abort(new Error('left')), 5);
      const request = post(path, { ...body(), stream }, { signal: aborter.signal });
      await createResponder({ upstream, dialect: 'hermes' })(request)
        .then((response) => response.text())
        .catch(() => {});
      expect(upstream.left).toBe(1);
    },
  );

  it.each(['constructor', '__proto__', 'toString', 'tool_call', 'think'])(
    'calls a tool named %s',
    async (name) => {
      const call = `<tool_call>\n{"name": "${name}", "arguments": {"city": "__proto__"}}\n</tool_call>`;
      for (const stream of [true, false]) {
        const answer = await (await over([call])(post(path, { ...body(name), stream }))).text();
        expect(answer).toContain(`"name":"${name}"`);
        expect(answer).not.toContain('unknown-tool');
      }
    },
  );

  it.each(['__proto__', 'constructor', '模型', 'm\u0000\n'])(
    'answers for a model named %j',
    async (model) => {
      for (const mode of ['emulate', 'heal', 'native'] as const) {
        for (const stream of [true, false]) {
          const upstream = says([text('Hi.'), { type: 'finish', reason: 'stop' }], true);
          const response = await createResponder({ upstream, mode })(
            post(path, { ...body(), model, stream }),
          );
          expect(response.status).toBe(200);
          expect(await response.text()).toContain('Hi.');
        }
      }
    },
  );

  it.each([true, false])('can say a dialect’s name that is no ASCII, streamed: %s', async (stream) => {
    const dialect = { ...hermes, name: '方言; evil=1\n' };
    const response = await over(['Hi.'], { dialect })(post(path, { ...body(), stream }));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-dragoman')).toContain('mode=emulate');
    expect(response.headers.get('x-dragoman')).not.toContain('; evil=1');
    expect(await response.text()).toContain('Hi.');
  });

  it('says in the header of a stream how it is answered, not how it was left open', async () => {
    const header = async (options: Partial<ResponderOptions>, tools: boolean) => {
      const upstream = says([text('Hi.'), { type: 'finish', reason: 'stop' }], tools);
      const response = await createResponder({ upstream, ...options })(
        post(path, { ...body(), stream: true }),
      );
      await response.text();
      return response.headers.get('x-dragoman');
    };
    expect(await header({}, false)).toBe('mode=emulate; dialect=alkaid; from=default');
    expect(await header({}, true)).toBe('mode=heal');
    expect(await header({ watch: ['hermes'] }, true)).toBe('mode=heal; dialect=hermes; from=name');
    expect(await header({ mode: 'native' }, true)).toBe('mode=native');
  });

  it('leaves no upstream open if the header cannot be said', async () => {
    const upstream = says([text('Hi.'), 'wait'], true);
    const respond = createResponder({ upstream, mode: 'heal', dialect: 'klingon' });
    const response = await respond(post(path, { ...body(), tools: [], stream: true }));
    if (response.status === 200) await response.body?.cancel();
    await soon(1);
    expect(upstream.left).toBeLessThanOrEqual(1);
    expect(upstream.left === 1 || response.status >= 400).toBe(true);
  });

  it('passes a native call whose arguments are no JSON without breaking', async () => {
    for (const stream of [true, false]) {
      const upstream = says(
        [
          { type: 'call-start', id: 'c1', name: 'get_weather' },
          { type: 'call-delta', id: 'c1', text: '{"city": Beij' },
          { type: 'call-end', id: 'c1' },
          { type: 'finish', reason: 'tool-calls' },
        ],
        true,
      );
      const response = await createResponder({ upstream, mode: 'native' })(post(path, { ...body(), stream }));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('Beij');
    }
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT'])('takes no %s, and says what it takes', async (method) => {
    const response = await over(['x'])(new Request(`http://test.invalid${path}`, { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('a request', () => {
  it('for the number of tokens need not name a limit of them', async () => {
    const { max_tokens: _, ...body } = apis['/v1/messages']();
    const response = await over(['x'])(post('/v1/messages/count_tokens', body));
    expect(response.status).toBe(200);
  });

  it('for answers without number is refused', async () => {
    for (const n of [0, -1, 1.5, 1e9]) {
      const response = await over(['x'])(
        post('/v1/chat/completions', { ...apis['/v1/chat/completions'](), n }),
      );
      expect(response.status, `n = ${n}`).toBe(400);
    }
  });

  it('whose body fails is no fault of ours', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('gone')) });
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const response = await over(['x'])(new Request('http://test.invalid/v1/messages', init));
    expect(response.status).toBe(400);
  });

  it('that was read by someone else is told so', async () => {
    const request = post('/v1/messages', {});
    await request.text();
    expect((await over(['x'])(request)).status).toBe(400);
  });
});

describe('an upstream', () => {
  it('that numbers its choices wildly does not fill the memory', async () => {
    const upstream = says(
      [
        { ...text('Hi.'), choice: 4_000_000_000 } as AnswerEvent,
        { type: 'finish', reason: 'stop', choice: 4_000_000_000 },
      ],
      true,
    );
    const respond = createResponder({ upstream, mode: 'native' });
    const response = await respond(post('/v1/chat/completions', apis['/v1/chat/completions']()));
    expect(response.status).toBe(502);
  });
});
