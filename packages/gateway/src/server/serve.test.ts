import { afterEach, describe, expect, it } from 'vitest';
import type { UpstreamConfig } from '../config/config.js';
import { parseConfig } from '../config/index.js';
import { configFromFlags, type Flags, type GatewayConfig } from '../index.js';
import { type Gateway, serve } from './serve.js';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const ask = (content: string, more: object = {}) => ({
  model: 'demo',
  messages: [{ role: 'user', content }],
  tools: [weather],
  ...more,
});

let running: Gateway[] = [];
const lines: string[] = [];
afterEach(async () => {
  await Promise.all(running.map((gateway) => gateway.close()));
  running = [];
  lines.length = 0;
});

function configOf(flags: Flags = {}, more: Partial<GatewayConfig> = {}): GatewayConfig {
  const result = configFromFlags({ demo: true, port: 0, log: 'debug', ...flags }, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result.config, shutdownSeconds: 0.2, ...more };
}

async function start(flags: Flags = {}, more: Partial<GatewayConfig> = {}): Promise<Gateway> {
  const gateway = await serve(configOf(flags, more), { write: (line) => lines.push(line) });
  running.push(gateway);
  return gateway;
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers });

// biome-ignore lint/suspicious/noExplicitAny: bodies as a client sees them.
const json = async (response: Response): Promise<any> => response.json();

describe('a gateway without a file', () => {
  it('calls the tool that was asked for, and answers with what came back', async () => {
    const { url } = await start();
    const first = await json(
      await post(`${url}/v1/chat/completions`, ask('What is the weather in Beijing?')),
    );
    const message = first.choices[0].message;
    expect(JSON.parse(message.tool_calls[0].function.arguments)).toEqual({ city: 'Beijing' });
    const second = ask('What is the weather in Beijing?');
    second.messages.push(message, {
      role: 'tool',
      tool_call_id: message.tool_calls[0].id,
      content: 'sunny, 21 degrees',
    } as never);
    const last = await json(await post(`${url}/chat/completions`, second));
    expect(last.choices[0].message.content).toContain('sunny, 21 degrees');
  });

  it('makes two calls for two cities', async () => {
    const { url } = await start();
    const body = await json(
      await post(`${url}/v1/chat/completions`, ask('What is the weather in Beijing and in Paris?')),
    );
    expect(body.choices[0].message.tool_calls).toHaveLength(2);
  });

  it('lists its models, one a dialect', async () => {
    const { url } = await start();
    const { data } = await json(await fetch(`${url}/v1/models`));
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['demo', 'demo/glm-4.5', 'demo/xnl']));
    expect(await json(await fetch(`${url}/models`))).toMatchObject({ object: 'list' });
  });

  it('says that there is no such model, and which there are', async () => {
    const { url } = await start();
    const response = await post(`${url}/v1/messages`, { ...ask('Hi'), model: 'nobody', tools: [] });
    expect(response.status).toBe(404);
    expect((await json(response)).error.message).toContain('demo/glm-4.5');
  });

  it('is healthy, ready, and counts', async () => {
    const { url } = await start();
    await post(`${url}/v1/chat/completions`, ask('What is the weather in Beijing?')).then(json);
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/dragoman_requests_total\{[^}]*status="200"[^}]*\} 1/);
    expect(metrics).toMatch(/dragoman_calls_total\{[^}]*how="read"[^}]*\} 1/);
  });

  it('gives each answer an id, and keeps a sane one of the client', async () => {
    const { url } = await start();
    // The demo model takes its time, so they are asked side by side.
    const asked = ['mine-1', 'no good!'].map((id) =>
      post(`${url}/v1/chat/completions`, ask('Hi'), { 'x-request-id': id }),
    );
    const [own, made] = (await Promise.all(asked)) as [Response, Response];
    expect(own.headers.get('x-request-id')).toBe('mine-1');
    expect(made.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_.-]+$/);
    await Promise.all([own.text(), made.text()]);
  });

  it('shows the last exchanges where inspect is set', async () => {
    const { url } = await start({ inspect: 5 });
    await post(`${url}/v1/chat/completions`, ask('What is the weather in Beijing?')).then(json);
    const { exchanges } = await json(await fetch(`${url}/inspector/exchanges`));
    expect(exchanges).toHaveLength(1);
    const record = await json(await fetch(`${url}/inspector/exchanges/${exchanges[0].id}`));
    expect(JSON.stringify(record)).toContain('get_weather');
    const off = await start();
    expect((await fetch(`${off.url}/inspector/exchanges`)).status).toBe(404);
  });
});

describe('keys', () => {
  it('are asked for where there are any, in both spellings', async () => {
    const { url } = await start({ key: 'secret-of-mine-1' });
    const status = async (headers: { authorization?: string; 'x-api-key'?: string }) => {
      const response = await post(`${url}/v1/chat/completions`, ask('Hi'), headers);
      await response.text();
      return response.status;
    };
    expect(await status({})).toBe(401);
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
    const shown = [{ authorization: 'Bearer secret-of-mine-1' }, { 'x-api-key': 'secret-of-mine-1' }];
    expect(await Promise.all(shown.map(status))).toEqual([200, 200]);
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(lines.join('')).not.toContain('secret-of-mine-1');
  });

  it('have their own limits', async () => {
    const keys = [{ name: 'small', key: 'secret-of-mine-2', requestsPerMinute: 2 }];
    const { url } = await start({}, { keys });
    const headers = { 'x-api-key': 'secret-of-mine-2' };
    const asked = [1, 2, 3].map(() => post(`${url}/v1/chat/completions`, ask('Hi'), headers));
    const responses = await Promise.all(asked);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    await Promise.all(responses.map((response) => response.text()));
  });

  it('may be for some models only', async () => {
    const keys = [{ name: 'one', key: 'secret-of-mine-3', models: ['demo/xnl'] }];
    const { url } = await start({}, { keys });
    const status = async (model: string) => {
      const headers = { 'x-api-key': 'secret-of-mine-3' };
      const response = await post(`${url}/v1/chat/completions`, ask('Hi', { model }), headers);
      await response.text();
      return response.status;
    };
    expect(await status('demo')).toBe(403);
    expect(await status('demo/xnl')).toBe(200);
  });
});

describe('a new configuration', () => {
  it('counts from the next request on, and drops no stream', async () => {
    const gateway = await start();
    const response = await post(`${gateway.url}/v1/chat/completions`, ask('Hi', { stream: true }));
    const slow = response.text();
    const next = configOf({ key: 'secret-of-mine-4' });
    gateway.reload({ ...next, models: next.models.filter(({ name }) => name !== 'demo') });
    const after = await post(`${gateway.url}/v1/chat/completions`, ask('Hi'));
    expect(after.status).toBe(401);
    await after.text();
    expect(await slow).toContain('[DONE]');
  });
});

describe('a configuration that cannot be used', () => {
  /** The address of one of several upstreams is looked at when the configuration is put into use. */
  function broken(names: number): GatewayConfig {
    const result = parseConfig(
      JSON.stringify({
        keys: ['secret-of-mine-5'],
        upstreams: { demo: 'demo', other: 'http://127.0.0.1:9/v1' },
        models: [
          ...Array.from({ length: names }, (_, at) => ({ name: `m${at}`, upstream: 'demo' })),
          { name: 'many', upstream: ['demo', 'other'] },
        ],
      }),
    );
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { config } = result;
    const other = { ...config.upstreams.get('other'), url: 'no address' };
    return { ...config, upstreams: new Map(config.upstreams).set('other', other as UpstreamConfig) };
  }

  it.each([0, 1000])('leaves the old one in use, behind %d models', async (names) => {
    const gateway = await start();
    expect(gateway.reload(broken(names))).toBe(names > 0);
    while (!lines.join('').includes('cannot be used')) await new Promise((goOn) => setImmediate(goOn));
    const status = async () => {
      const response = await post(`${gateway.url}/v1/chat/completions`, ask('Hi'));
      await response.text();
      return response.status;
    };
    expect(await status()).toBe(200);
    // It has no keys, as the one in use: only the broken one had some.
    expect(gateway.reload(configOf())).toBe(true);
    expect(await status()).toBe(200);
  });
});

describe('L22: a gateway that stops', () => {
  it('lets a stream finish, takes no new request, and says so', async () => {
    const gateway = await start({}, { shutdownSeconds: 5 });
    const response = await post(`${gateway.url}/v1/chat/completions`, ask('Hi', { stream: true }));
    const streamed = response.text();
    const closing = gateway.close();
    const health = await fetch(`${gateway.url}/healthz`);
    expect(health.status).toBe(503);
    await health.text();
    const refused = await post(`${gateway.url}/v1/chat/completions`, ask('Hi'));
    expect(refused.status).toBe(503);
    await refused.text();
    expect(await streamed).toContain('[DONE]');
    await closing;
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  });
});
