import { dialects, parse, parseExact, stringifyJson } from '@dragoman/core';
import { createParser as createSseParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault, Reply } from './reply.js';
import { spell } from './spell.js';
import { startTextModel, type TextModel } from './text-model.js';

let model: TextModel;
beforeAll(async () => {
  model = await startTextModel();
});
afterAll(() => model.close());

const TEXT = 'Grüße, 北京 🙂!';

async function ask(
  body: object,
  { path = 'chat/completions', ...init }: RequestInit & { path?: string } = {},
) {
  return fetch(`${model.url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test': 'here' },
    body: JSON.stringify({ model: 'm', ...body }),
    redirect: 'manual',
    ...init,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: what the tests look at is checked by them
const json = async (response: Response): Promise<any> => response.json();

const chat = { messages: [{ role: 'user', content: 'hi' }] };

function eventsOf(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createSseParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
}

/** Everything that arrives, and what broke it off. */
async function drain(response: Response): Promise<{ text: string; error: unknown; reads: number }> {
  const decoder = new TextDecoder();
  let text = '';
  let reads = 0;
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      reads++;
    }
  } catch (error) {
    return { text, error, reads };
  }
  return { text, error: undefined, reads };
}

describe('a scripted text model', () => {
  it('answers chat completions whole', async () => {
    model.script({ text: TEXT });
    const body = await json(await ask(chat));
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    });
  });

  it('answers completions, whole and in pieces', async () => {
    model.script(TEXT, TEXT);
    const whole = await json(await ask({ prompt: 'hi' }, { path: 'completions' }));
    expect(whole.choices[0]).toMatchObject({ text: TEXT, finish_reason: 'stop' });
    const streamed = await ask({ prompt: 'hi', stream: true }, { path: 'completions' });
    const events = eventsOf((await drain(streamed)).text).map(({ data }) => data);
    expect(events.pop()).toBe('[DONE]');
    const choices = events.map((data) => JSON.parse(data).choices[0]);
    expect(choices.map(({ text }) => text).join('')).toBe(TEXT);
    expect(choices.at(-1).finish_reason).toBe('stop');
  });

  it.each<Reply['pieces'] & {}>([1, 3, { seed: 7 }])('streams in pieces of %j', async (pieces) => {
    model.script({ text: TEXT, pieces });
    const response = await ask({ ...chat, stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const data = eventsOf((await drain(response)).text).map((event) => event.data);
    expect(data.pop()).toBe('[DONE]');
    const deltas = data.map((one) => JSON.parse(one).choices[0]);
    expect(deltas[0].delta).toEqual({ role: 'assistant', content: '' });
    expect(deltas.at(-1)).toEqual({ index: 0, delta: {}, finish_reason: 'stop' });
    const texts = deltas.slice(1, -1).map(({ delta }) => delta.content);
    expect(texts.join('')).toBe(TEXT);
    if (typeof pieces === 'number')
      expect(texts.every((text, at) => at === texts.length - 1 || [...text].length === pieces)).toBe(true);
  });

  it('tells usage in a stream only when asked, and not at all when told so', async () => {
    model.script('a', 'a', { text: 'a', usage: false });
    const usages = [];
    for (const stream_options of [undefined, { include_usage: true }, { include_usage: true }]) {
      const { text } = await drain(await ask({ ...chat, stream: true, stream_options }));
      usages.push(eventsOf(text).filter(({ data }) => data.includes('"usage"')).length);
    }
    expect(usages).toEqual([0, 1, 0]);
  });

  it('calls tools natively', async () => {
    const calls = [
      { name: 'f', arguments: '{"a":1}' },
      { name: 'g', arguments: '{}' },
    ];
    model.script({ calls }, { calls });
    const whole = await json(await ask({ ...chat, tools: [{}] }));
    expect(whole.choices[0].finish_reason).toBe('tool_calls');
    expect(whole.choices[0].message.tool_calls.map((call: { function: object }) => call.function)).toEqual(
      calls,
    );
    const { text } = await drain(await ask({ ...chat, tools: [{}], stream: true }));
    const deltas = eventsOf(text)
      .slice(0, -1)
      .flatMap(({ data }) => JSON.parse(data).choices[0].delta.tool_calls ?? []);
    expect(deltas.filter((delta) => delta.id).map((delta) => delta.function.name)).toEqual(['f', 'g']);
    const first = deltas.filter(({ index }) => index === 0);
    expect(first.map((delta) => delta.function.arguments).join('')).toBe('{"a":1}');
  });

  it('makes a reply of what it was asked', async () => {
    model.script((body) => `you said ${body.messages?.[0]?.content}`);
    const body = await json(await ask(chat));
    expect(body.choices[0].message.content).toBe('you said hi');
  });

  it('remembers what it was asked, and says so when the script is over', async () => {
    model.script('one');
    await (await ask({ ...chat, temperature: 0.5 })).text();
    const second = await ask(chat);
    expect([second.status, await second.text()]).toEqual([
      500,
      expect.stringContaining('the script is over'),
    ]);
    expect(model.requests.map(({ body }) => body.temperature)).toEqual([0.5, undefined]);
    expect(model.requests[0]).toMatchObject({ path: '/v1/chat/completions', headers: { 'x-test': 'here' } });
    expect(await model.requests[0]?.over).toBe(false);
  });

  it('sees a client leave', async () => {
    model.script({ text: TEXT, fault: { type: 'silence', after: 2 } });
    const leaving = new AbortController();
    const response = await ask({ ...chat, stream: true }, { signal: leaving.signal });
    await response.body?.getReader().read();
    const request = await model.arrived(0);
    leaving.abort();
    expect(await request.over).toBe(true);
    expect(request.leftAt).toBeTypeOf('number');
  });

  it('sees a client leave that got nothing', async () => {
    model.script({ fault: { type: 'no-answer' } });
    const leaving = new AbortController();
    const asked = ask(chat, { signal: leaving.signal });
    const request = await model.arrived(0);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    expect(await request.over).toBe(true);
  });
});

describe('its faults', () => {
  async function failed(fault: Fault, body: object = { ...chat, stream: true }) {
    model.script({ text: TEXT, fault });
    const response = await ask(body);
    return { status: response.status, response, ...(await drain(response)) };
  }

  it('breaks the connection after so many events', async () => {
    const { text, error } = await failed({ type: 'reset', after: 2 });
    expect(eventsOf(text).length).toBe(2);
    expect(error).toBeInstanceOf(Error);
    expect(await model.requests[0]?.over).toBe(false);
  });

  it('ends without a terminator', async () => {
    const { text, error } = await failed({ type: 'end', after: 3 });
    expect(error).toBe(undefined);
    expect(eventsOf(text).length).toBe(3);
    expect(text).not.toContain('[DONE]');
  });

  it('ends inside an event', async () => {
    const { text } = await failed({ type: 'half-event', after: 2 });
    expect(eventsOf(text).length).toBe(2);
    expect(text.slice(text.lastIndexOf('\n\n') + 2)).toMatch(/^data: \{/);
  });

  it('sends a line that is no JSON', async () => {
    const { text } = await failed({ type: 'bad-line', after: 2 });
    const last = eventsOf(text).at(-1)?.data ?? '';
    expect(() => JSON.parse(last)).toThrow();
  });

  it('sends an error in the stream', async () => {
    const { text } = await failed({ type: 'error-event', after: 2, message: 'CUDA out of memory' });
    expect(JSON.parse(eventsOf(text).at(-1)?.data ?? '').error.message).toBe('CUDA out of memory');
  });

  it('answers with a page', async () => {
    const { status, text, response } = await failed({ type: 'html' });
    expect([status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(text).toMatch(/^<!doctype/);
  });

  it('writes byte by byte', async () => {
    const { text, reads } = await failed({ type: 'one-byte' });
    expect(eventsOf(text).at(-1)?.data).toBe('[DONE]');
    // More reads than events: what came was in smaller pieces.
    expect(reads).toBeGreaterThan(eventsOf(text).length);
  });

  it('answers with a status and a body', async () => {
    const { status, text, response } = await failed({
      type: 'status',
      status: 429,
      body: '{"error":"slow down"}',
      headers: { 'retry-after': '3' },
    });
    expect([status, text, response.headers.get('retry-after')]).toEqual([429, '{"error":"slow down"}', '3']);
  });

  it('redirects', async () => {
    const { status, response } = await failed({ type: 'redirect', location: 'http://127.0.0.1:1/' });
    expect([status, response.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/']);
  });

  it.each([
    ['ollama', 400, 'does not support tools'],
    ['openrouter', 404, 'No endpoints found that support tool use'],
    ['vllm', 400, '--enable-auto-tool-choice'],
  ] as const)('refuses tools as %s does, and nothing else', async (by, status, words) => {
    const refused = await failed({ type: 'refuse-tools', by }, { ...chat, tools: [{}] });
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(words)]);
    expect(JSON.parse(refused.text)).toBeTypeOf('object');
    expect((await failed({ type: 'refuse-tools', by })).status).toBe(200);
  });

  it('breaks off a whole answer too', async () => {
    const { text } = await failed({ type: 'end', after: 0 }, chat);
    expect(() => JSON.parse(text)).toThrow();
    expect((await failed({ type: 'reset', after: 0 }, chat)).error).toBeInstanceOf(Error);
  });
});

describe('spell', () => {
  const tools = [
    {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
    },
  ];
  it.each(dialects)('writes a turn that $name reads as it was meant', (dialect) => {
    const calls = [
      { name: 'get_weather', raw: '{"city":"</tool_call> 北京","days":12345678901234567890}' },
      { name: 'get_weather', raw: '{"city":"Paris"}' },
    ];
    // A chat endpoint shows reasoning in <think>; a dialect with marks of its own writes none here.
    const thinks = dialect.traits.reasoning?.open === '<think>' && !dialect.grammar.frames;
    const thought = thinks ? { reasoning: 'let me see' } : {};
    const text = spell(dialect, { ...thought, text: 'Wait.', calls }, tools);
    const answer = parse(dialect, text, { tools });
    expect(answer.reasoning.trim()).toBe(thought.reasoning ?? '');
    expect(answer.text.trim()).toBe('Wait.');
    const exact = (json: string) => stringifyJson(parseExact(json), 'compact');
    expect(answer.calls.map(({ name, raw }) => [name, exact(raw)])).toEqual(
      calls.map(({ name, raw }) => [name, exact(raw)]),
    );
    expect(answer.issues).toEqual([]);
  });
});
