// Bodies that are small in bytes and large in memory and time: issue 20, "one body stops everybody".

import { describe, expect, it } from 'vitest';
import { rawRequest, startFlood, until, Wire } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis } from './three-apis.js';

const { model, start } = await openStage();

const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;

const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"m${at}":1`).join()}}`;

/** A body of the API whose unknown member `more` is this JSON. */
function bodyWith(api: keyof typeof apis, more: string): string {
  const body = JSON.stringify(apis[api].body);
  return `${body.slice(0, -1)},"more":${more}}`;
}

/** A conversation with one call that has these arguments. */
const callWith: Record<keyof typeof apis, (input: unknown) => object> = {
  chat: (input) => ({
    model: 'm',
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: input } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ],
  }),
  messages: (input) => ({
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] },
    ],
  }),
  responses: (input) => ({
    model: 'm',
    input: [
      { role: 'user', content: 'x' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: input },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
    ],
  }),
};

const MB = 1024 * 1024;

const pieceOf = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

describe('one body stops everybody: before anything is built of it,', () => {
  it.each(apiNames)(
    '%s refuses more elements than the limit with 413, which names the limit',
    async (api) => {
      const gateway = await start();
      model.script('Hello.', 'Hello.');
      for (const more of [list('[]', 60_000), list('{}', 60_000), list('1', 100_001), members(100_001)]) {
        const refused = await gateway.ask(api, {}, { body: bodyWith(api, more) });
        expect(refused.status).toBe(413);
        expect(await refused.text()).toMatch(/"error".*100000 elements.*limits\.elements/);
      }
      expect((await gateway.ask(api, {}, { body: bodyWith(api, list('1', 10_000)) })).status).toBe(200);
      expect((await gateway.ask(api, {}, { body: bodyWith(api, members(10_000)) })).status).toBe(200);
      expect(model.requests).toHaveLength(2);
      expect(await gateway.settled()).toBe(6);
    },
  );

  it.each(apiNames)('%s refuses more levels than the limit with 413, which names the limit', async (api) => {
    const gateway = await start();
    const deep = `${'['.repeat(700)}${']'.repeat(700)}`;
    const refused = await gateway.ask(api, {}, { body: bodyWith(api, deep) });
    expect(refused.status).toBe(413);
    expect(await refused.text()).toMatch(/600 levels.*limits\.depth/);
  });

  it.each(apiNames)('%s counts what is in the text of arguments, too, however it is written', async (api) => {
    const gateway = await start();
    model.script();
    const text = `{"a":[${'[],'.repeat(60_000)}1]}`;
    const odd = { '"': '\\u0022', '[': '\\u005b', ',': '\\u002C' };
    const written = [
      JSON.stringify(text),
      JSON.stringify(`${' '.repeat(99)}${text}`),
      `"${text.replace(/["[,]/g, (character) => odd[character as keyof typeof odd])}"`,
    ];
    for (const json of written) {
      const body = JSON.stringify(callWith[api]('~')).replace('"~"', json);
      for (const sent of [body, body.replace('"arguments":', '"argument\\u0073" : ')]) {
        const refused = await gateway.ask(api, {}, { body: sent });
        expect(refused.status).toBe(413);
        expect(await refused.text()).toMatch(/"error".*100000 elements.*limits\.elements/);
      }
    }
    expect(model.requests).toHaveLength(0);
  });

  it.each(apiNames)('%s takes a long text in arguments', async (api) => {
    const gateway = await start();
    model.script('Hello.');
    const text = JSON.stringify({ code: 'f(["a", {}, [], "\\""]);\n'.repeat(20_000) });
    const body = JSON.stringify(callWith[api](api === 'messages' ? JSON.parse(text) : text));
    const answer = await gateway.ask(api, {}, { body });
    expect(answer.status, await answer.text()).toBe(200);
  });

  it('arguments that are no JSON are not repaired where that would take long', async () => {
    const gateway = await start();
    for (const [count, sent] of [
      [9, '[], []'],
      [30_000, 'not valid JSON'],
    ] as const) {
      model.script('Hello.');
      // The quote in quotes hides what follows from a count of JSON.
      const text = `{'a': '"', b: [${'[],'.repeat(count)}1]}`;
      await gateway.ask('chat', {}, { body: JSON.stringify(callWith.chat(text)) });
      const prompt = JSON.stringify(model.requests[0]?.body);
      expect(prompt).toContain(sent);
      expect(prompt.length).toBeLessThan(4000);
    }
  });

  // JSON in a string in the string: its brackets are escapes, which no count of brackets sees.
  it('arguments that are JSON in a string are not unpacked where that would take long', async () => {
    const gateway = await start();
    const escaped = { '"': '\\u0022', '[': '\\u005b', ']': '\\u005d', ',': '\\u002c' };
    for (const [count, sent] of [
      [9, '[], []'],
      [60_000, 'not valid JSON'],
    ] as const) {
      model.script('Hello.');
      const inner = `{"a":[${'[],'.repeat(count)}1]}`;
      const text = `"${inner.replace(/["[\],]/g, (character) => escaped[character as keyof typeof escaped])}"`;
      const answer = await gateway.ask('chat', {}, { body: JSON.stringify(callWith.chat(text)) });
      expect(answer.status).toBe(200);
      const prompt = JSON.stringify(model.requests[0]?.body);
      expect(prompt).toContain(sent);
      expect(prompt.length).toBeLessThan(4000);
    }
  });

  it('a body that comes byte by byte is read', async () => {
    const gateway = await start();
    model.script('Hello.');
    const wire = await Wire.open(gateway.port);
    const body = bodyWith('chat', list('"x"', 3000));
    const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('');
    const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n';
    wire.socket.write(`${head}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    await until(() => wire.closed, 'the connection is still open');
    expect(wire.received).toContain('200 OK');
  });
});

describe('many bodies at once', () => {
  it.each([
    ['workBytes', 300_000, JSON.stringify('x'.repeat(200_000))],
    ['workElements', 5000, list('1', 3000)],
    ['workElements', 5000, members(3000)],
  ])(
    'beyond %s: 503 with a retry-after, small ones pass, and all is given back',
    async (limit, most, more) => {
      const gateway = await start({ limits: { [limit]: most } });
      model.script({ text: 'Hello.', delay: 100 }, 'Hello.', 'Hello.');
      const large = { body: bodyWith('chat', more) };
      const first = gateway.ask('chat', {}, large);
      await model.arrived(0);
      const second = await gateway.ask('chat', {}, large);
      expect(second.status).toBe(503);
      expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await second.text()).toContain(`limits.${limit})`);
      expect((await gateway.ask('chat')).status).toBe(200);
      expect((await first).status).toBe(200);
      await (await first).text();
      expect((await gateway.ask('chat', {}, large)).status).toBe(200);
      expect(await gateway.settled()).toBe(4);
    },
  );

  it('a body that only announces its length holds nothing of the budget', async () => {
    const gateway = await start({ limits: { workBytes: 300_000 } });
    model.script('Hello.');
    const wire = await Wire.open(gateway.port);
    wire.socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9000000\r\n\r\n{',
    );
    const body = bodyWith('chat', JSON.stringify('x'.repeat(250_000)));
    const url = `${gateway.url}/v1/chat/completions`;
    expect((await rawRequest(url, { method: 'POST', body })).status).toBe(200);
    wire.socket.destroy();
  });
});

describe('an upstream', () => {
  // As text and as reasoning, of models that only write text and of native ones.
  it.each([
    ['chat', 'chat', false, {}],
    ['messages', 'native', false, { piece: pieceOf({ reasoning_content: 'x'.repeat(16_000) }) }],
    ['responses', 'native', false, {}],
    ['responses', 'native', true, {}],
  ] as const)(
    'whose text has no end is an error and is left, where the answer is held: %s, %s, stream: %s',
    async (api, kind, stream, more) => {
      const flood = await startFlood(512 * MB, more);
      const gateway = await start({ upstream: { kind } }, flood.url);
      const response = await gateway.ask(api, { stream, tools: [] });
      expect(response.status).toBe(stream ? 200 : 502);
      const text = await response.text();
      expect(text).toContain(`longer than ${32 * MB} characters`);
      if (stream) {
        expect(text.length).toBeGreaterThan(32 * MB);
        expect(text).toContain('response.failed');
        expect(text).not.toMatch(/event: response\.(completed|output_text\.done|output_item\.done)/);
      }
      await until(() => flood.left, 'the upstream was not left');
      expect(flood.produced).toBeLessThan(128 * MB);
      await gateway.settled();
      await flood.close();
    },
  );

  it('whose answer is too much beside those of others: 503, and all is given back', async () => {
    const flood = await startFlood(4 * MB);
    const limits = { workBytes: 3 * MB };
    const gateway = await start({ limits, upstream: { kind: 'native' } }, flood.url);
    const ask = () => gateway.ask('chat', { tools: [] });
    const answers = await Promise.all([ask(), ask()]);
    for (const one of answers) await one.text();
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    // One that is alone may hold as much as its own limits allow.
    expect((await (await ask()).text()).length).toBeGreaterThan(3.9 * MB);
    await gateway.settled();
    await flood.close();
  });

  it.each([true, false])('that sends too many elements (stream: %s) is an error', async (stream) => {
    const value = `{"choices":[{"index":0,"delta":{"content":"a"},"message":{"content":"a"}}],"x":${list('{}', 60_000)}}`;
    const flood = await startFlood(0, { start: stream ? `data: ${value}\n\n` : value, end: '' });
    const gateway = await start({ upstream: { stream } }, flood.url);
    const answer = await (await gateway.ask('chat', { stream })).text();
    expect(answer).toMatch(/more than 100000 elements/);
    await flood.close();
    await gateway.settled();
  });

  it.each([
    [true, 'items', `{"a":[${'[],'.repeat(40_000)}1]}`],
    [false, 'items', `{"a":[${'[],'.repeat(40_000)}1]}`],
    [true, 'members', members(12_001)],
    [false, 'members', members(12_001)],
  ] as const)(
    'that calls with too many elements (stream: %s, %s) is an error',
    async (stream, _, written) => {
      const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '~' } };
      const part = { role: 'assistant', content: null, tool_calls: [call] };
      const choice = { index: 0, [stream ? 'delta' : 'message']: part, finish_reason: 'tool_calls' };
      const value = JSON.stringify({ choices: [choice] }).replace('"~"', JSON.stringify(written));
      const flood = await startFlood(0, { start: stream ? `data: ${value}\n\n` : value, end: '' });
      const gateway = await start({ upstream: { stream, kind: 'native' } }, flood.url);
      const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
      const answer = await (await gateway.ask('chat', { stream, tools })).text();
      expect(answer).toMatch(/more than 12000 elements in the arguments/);
      await flood.close();
      await gateway.settled();
    },
  );
});
