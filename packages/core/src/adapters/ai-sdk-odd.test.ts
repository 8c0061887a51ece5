// The middleware over models of the SDK's that fail, say more than text, or are asked for more than text.

import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { dragomanMiddleware } from './ai-sdk.js';

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the SDK's.
type Loose = any;

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Beijing"}}\n</tool_call>';
const usage = { inputTokens: { total: 3 }, outputTokens: { total: 4 } };
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage };
const inputSchema = { type: 'object', properties: { city: { type: 'string' } } };
const tool = { type: 'function', name: 'get_weather', inputSchema };
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }];

function streamOf(parts: Loose[], error?: Error): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (error) controller.error(error);
      else controller.close();
    },
  });
}

const text = (delta: string) => ({ type: 'text-delta', id: '1', delta });

function model(parts: Loose[], error?: Error): Loose {
  return new MockLanguageModelV3({
    doStream: async () => ({ stream: streamOf(parts, error) }) as Loose,
    doGenerate: async () => {
      if (error) throw error;
      const content = parts
        .filter(({ type }: Loose) => type !== 'finish' && type !== 'stream-start')
        .map((part: Loose) => (part.type === 'text-delta' ? { type: 'text', text: part.delta } : part));
      return { content, finishReason: finish.finishReason, usage, warnings: [] } as Loose;
    },
  });
}

const middleware = dragomanMiddleware({ dialect: 'hermes' });

async function streamed(wrapped: Loose, params: Loose = {}): Promise<Loose[]> {
  const { stream } = await middleware.wrapStream({
    model: wrapped,
    params: { prompt, tools: [tool], ...params },
  });
  const parts: Loose[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const generated = (wrapped: Loose, params: Loose = {}) =>
  middleware.wrapGenerate({ model: wrapped, params: { prompt, tools: [tool], ...params } });

describe('a model that fails', () => {
  it('fails where the SDK can try again, if nothing was said', async () => {
    const failing = new MockLanguageModelV3({
      doStream: async () => Promise.reject(new Error('busy')),
      doGenerate: async () => Promise.reject(new Error('busy')),
    });
    await expect(streamed(failing)).rejects.toThrow('busy');
    await expect(generated(failing)).rejects.toThrow('busy');
  });

  it('fails in the stream, if something was said', async () => {
    for (const failing of [
      model([text('Hi.')], new Error('gone')),
      model([text('Hi.'), { type: 'error', error: new Error('gone') }]),
    ]) {
      const parts = await streamed(failing);
      const types = parts.map(({ type }) => type);
      expect(parts.find(({ type }) => type === 'error')).toMatchObject({ error: { message: 'gone' } });
      expect(types.at(-1)).toBe('finish');
      expect(parts.at(-1).finishReason.unified).toBe('error');
    }
  });

  it('is told when nobody waits any more', async () => {
    const aborter = new AbortController();
    let seen: AbortSignal | undefined;
    const waiting = new MockLanguageModelV3({
      doStream: async ({ abortSignal }: Loose) => {
        seen = abortSignal;
        return { stream: streamOf([text('Hi.'), finish]) } as Loose;
      },
    });
    const { stream } = await middleware.wrapStream({
      model: waiting,
      params: { prompt, tools: [tool], abortSignal: aborter.signal },
    });
    await stream.cancel();
    expect(seen?.aborted).toBe(true);
  });
});

describe('what a model says beside its answer', () => {
  const source = { type: 'source', sourceType: 'url', id: 's', url: 'http://a.invalid' };
  const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' };
  const ran = {
    type: 'tool-call',
    toolCallId: 'p',
    toolName: 'web_search',
    input: '{}',
    providerExecuted: true,
  };
  const raw = { type: 'raw', rawValue: 1 };
  const warning = { type: 'other', message: 'careful' };

  it('is passed on, whole and in a stream', async () => {
    const parts = await streamed(
      model([{ type: 'stream-start', warnings: [warning] }, raw, text('Hi.'), source, file, ran, finish]),
    );
    for (const part of [source, file, ran, raw]) expect(parts).toContainEqual(part);
    expect(parts[0]).toEqual({ type: 'stream-start', warnings: [warning] });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } });
    const { content, finishReason } = await generated(model([text('Hi.'), source, file, ran]));
    for (const part of [{ type: 'text', text: 'Hi.' }, source, file, ran])
      expect(content).toContainEqual(part);
    expect(finishReason.unified).toBe('stop');
  });
});

describe('what a model is asked', () => {
  it('is asked whole where the SDK asks for a whole answer', async () => {
    const whole = new MockLanguageModelV3({
      doGenerate: async () =>
        ({
          content: [{ type: 'text', text: call }],
          finishReason: finish.finishReason,
          usage,
          warnings: [],
        }) as Loose,
    });
    const { content } = await generated(whole);
    expect(content).toMatchObject([
      { type: 'tool-call', toolName: 'get_weather', input: '{"city":"Beijing"}' },
    ]);
  });

  it('leaves the provider’s own tools out, and says so', async () => {
    const search = { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} };
    const asked = model([text('Hi.'), finish]);
    const parts = await streamed(asked, { tools: [search, tool] });
    expect(parts[0].warnings).toHaveLength(1);
    expect(asked.doStreamCalls[0].tools).toBeUndefined();
    expect(JSON.stringify(asked.doStreamCalls[0].prompt)).toContain('get_weather');
  });

  it.each([
    [{ type: 'auto' }, 1],
    [{ type: 'required' }, 3],
    [{ type: 'tool', toolName: 'get_weather' }, 3],
    [{ type: 'none' }, 1],
  ])('keeps the choice %j', async (toolChoice, times) => {
    const asked = model([text('No.'), finish]);
    await streamed(asked, { toolChoice });
    expect(asked.doStreamCalls).toHaveLength(times);
    expect(JSON.stringify(asked.doStreamCalls[0].prompt).includes('get_weather')).toBe(
      toolChoice.type !== 'none',
    );
  });

  it('keeps stop sequences for the text, and all other settings', async () => {
    const asked = model([text('One END two'), finish]);
    const parts = await streamed(asked, {
      stopSequences: ['END'],
      temperature: 0.5,
      providerOptions: { a: { b: 1 } },
    });
    expect(parts.map(({ delta = '' }) => delta).join('')).toBe('One ');
    expect(asked.doStreamCalls[0]).toMatchObject({
      temperature: 0.5,
      providerOptions: { a: { b: 1 } },
    });
    expect(asked.doStreamCalls[0].stopSequences).toBeUndefined();
  });

  it('asks the model for JSON, and beside tools only by its prompt, since it could call none', async () => {
    const responseFormat = {
      type: 'json',
      schema: { type: 'object', properties: { a: {} } },
      name: 'letters',
    };
    for (const tools of [undefined, []]) {
      const asked = model([text('```json\n{"a": 1}\n```'), finish]);
      const parts = await streamed(asked, { responseFormat, ...(tools && { tools }) });
      expect(parts.map(({ delta = '' }) => delta).join('')).toBe('{"a": 1}');
      expect(asked.doStreamCalls[0].responseFormat).toEqual(tools ? responseFormat : undefined);
      expect(JSON.stringify(asked.doStreamCalls[0].prompt)).toContain('JSON Schema');
    }
  });

  it('keeps files, also those that a tool gave back', async () => {
    const asked = model([text('A cat.'), finish]);
    const image = { type: 'file', mediaType: 'image/png', data: 'AAAA' };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'See.' }, image] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'get_weather', input: { city: 'x' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'get_weather',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'here' },
                { type: 'image-data', data: 'BBBB', mediaType: 'image/jpeg' },
              ],
            },
          },
        ],
      },
    ];
    await streamed(asked, { prompt: messages });
    const files = asked.doStreamCalls[0].prompt.flatMap(({ content }: Loose) =>
      Array.isArray(content) ? content.filter(({ type }: Loose) => type !== 'text') : [],
    );
    expect(files).toEqual([image, { type: 'file', mediaType: 'image/jpeg', data: 'BBBB' }]);
  });

  it('reads the input of an invalid call, which the SDK repeats as its text', async () => {
    const asked = model([text('Sorry.'), finish]);
    const made = (input: unknown) => [
      ...prompt,
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'get_weather', input }],
      },
    ];
    for (const input of ["{'city': 'Rome',}", '{"city": "Ro', ['Rome']]) {
      const { providerMetadata } = await generated(asked, { prompt: made(input) });
      const codes = providerMetadata.dragoman.report.mended.map(({ code }: Loose) => code);
      expect(codes).toEqual([
        typeof input === 'string' && input.endsWith('}') ? 'repaired-arguments' : 'replaced-arguments',
        'missing-result',
      ]);
    }
    const sent = asked.doGenerateCalls.map(({ prompt: written }: Loose) => JSON.stringify(written));
    expect(sent[0]).toContain('Rome');
    expect(sent[1]).toContain('The arguments of this call were not valid JSON');
  });
});
