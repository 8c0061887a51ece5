// The tiny model beside the demo and as an upstream of its own, as clients of the gateway see it.

import { existsSync } from 'node:fs';
import type { AskOptions, Upstream } from '@dragoman/core/bridge';
import type { LocalModel } from '@dragoman/local';
import { describe, expect, it } from 'vitest';
import { createModelTable } from '../app/model-table.js';
import { configFromFlags, parseConfig } from '../config/index.js';
import { createTinyLoader, findTiny, weightsFile } from './find-tiny.js';
import { createGatewayApp } from './serve.js';

const config = () => {
  const result = configFromFlags({ demo: true, port: 0 }, {});
  if (!result.ok) throw new Error('expected a configuration');
  return result.config;
};

describe('where the tiny model is installed', () => {
  it('is listed behind the demo', async () => {
    const table = createModelTable(config(), { tiny: () => import('@dragoman/tiny') });
    const ids = (await table.list()).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['demo', 'demo/hermes', 'tiny', 'tiny/hermes', 'tiny/glm-4.5']),
    );
    expect(table.find('tiny/glm-4.5')).toMatchObject({ name: 'tiny/glm-4.5', mode: 'emulate' });
  });

  it('has its weights as a file of the page, whose length is known', async () => {
    const path = findTiny();
    if (path === undefined || !existsSync(path)) return;
    const file = weightsFile(path);
    const bytes = await file?.body('identity');
    expect(new TextDecoder().decode(bytes?.subarray(0, 4))).toBe('GGUF');
    expect(file?.codings).toEqual(['identity']);
  });
});

describe('requests to the tiny model', () => {
  it('take turns by key, and are refused where too many wait', async () => {
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const model = (name: string) => ({
      async *generate() {
        order.push(name);
        await new Promise<void>((tell) => ends.push(tell));
        yield { type: 'end', reason: 'stop' };
      },
    });
    const load = createTinyLoader({ slots: 1, waiting: 2 });
    const run = async (name: string, client: string) => {
      const { createTinyUpstream } = await load();
      const { ask } = createTinyUpstream({ model: async () => model(name) as unknown as LocalModel });
      const request = { model: 'tiny', rendered: [], settings: {} } as unknown as Parameters<typeof ask>[0];
      for await (const _ of ask(request, { client, signal: new AbortController().signal }));
    };
    await load();
    const settle = () => new Promise((tell) => setImmediate(tell));
    const first = run('a1', 'a');
    const second = run('a2', 'a');
    const third = run('a3', 'a').catch(({ code }) => code);
    await settle();
    // The key with the most waiting requests gives way.
    const other = run('b1', 'b');
    expect(await third).toBe('rate-limited');
    // Both have one that waits: one of a third key finds no room.
    await expect(run('c1', 'c')).rejects.toMatchObject({ code: 'overloaded' });
    for (let at = 0; at < 3; at++) {
      ends[at]?.();
      await settle();
    }
    await Promise.all([first, second, other]);
    expect(order).toEqual(['a1', 'a2', 'b1']);
  });
});

describe('as an upstream of a configuration', () => {
  const tiny = () => import('@dragoman/tiny');
  const configOf = (text: string) => {
    const result = parseConfig(text, { env: {} });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.config;
  };
  const dialectOf = (text: string, model: string) =>
    (createModelTable(configOf(text), { tiny }).find(model) as { dialect?: { name: string } }).dialect?.name;

  it('has all its models, where none are named', async () => {
    const table = createModelTable(configOf('upstream: tiny'), { tiny });
    const ids = (await table.list()).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['tiny', 'tiny/glm-4.5']));
    expect(ids.some((id) => id.startsWith('demo'))).toBe(false);
  });

  it('speaks the dialect of a model, else that of its name, else hermes', () => {
    const text =
      'upstream: tiny\nmodels: [{ name: a, dialect: xnl }, b, glm-4.5, { name: c, model: tiny/kimi-k2 }]';
    expect(dialectOf(text, 'a')).toBe('xnl');
    expect(dialectOf(text, 'b')).toBe('hermes');
    expect(dialectOf(text, 'glm-4.5')).toBe('glm-4.5');
    expect(dialectOf(text, 'c')).toBe('kimi-k2');
  });

  it('answers with real calls, and in several upstreams of one model, too', async () => {
    const text =
      'upstreams: { t: tiny, d: demo }\nmodels: [{ name: both, upstream: [t, d], dialect: glm-4.5 }]';
    const { app, close } = await createGatewayApp(
      { ...configOf(text), port: 0 },
      { write: () => {} },
      undefined,
    );
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const response = await app.fetch(
      new Request('http://127.0.0.1/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({
          model: 'both',
          temperature: 0,
          messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
          tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
        }),
      }),
    );
    const { choices } = (await response.json()) as { choices: { message: object }[] };
    await close();
    expect(choices[0]?.message).toMatchObject({
      tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
    });
  });

  it('says what to install, where the package is missing', async () => {
    const route = createModelTable(configOf('upstream: tiny')).find('tiny');
    const { ask } = (route as AskOptions).upstream as Upstream;
    const context = { signal: new AbortController().signal };
    const asked = ask({ model: 'tiny' } as Parameters<typeof ask>[0], context)[Symbol.asyncIterator]();
    await expect(asked.next()).rejects.toThrow(/npm install @dragoman\/tiny/);
  });
});

describe('where it is not', () => {
  it('is not listed, and who asks for it is told what to install', async () => {
    const table = createModelTable(config());
    expect((await table.list()).some(({ id }) => id.startsWith('tiny'))).toBe(false);
    expect(() => table.find('tiny')).toThrow(/npm install @dragoman\/tiny/);
    expect(() => table.find('other')).toThrow(/^(?!.*npm install)/);
  });
});
