// The routes that tell of models, before a stand-in of an upstream.

import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { type Answer, gatewayFor, json, read, standIn } from './stand-in.fixture.js';

describe('models', () => {
  const data = [
    { id: 'zai-org/GLM-4.5-Air', object: 'model', created: 1_700_000_000, owned_by: 'vllm' },
    { id: '', object: 'model' },
    'nonsense',
    { id: 'coder', object: 'model', created: 'soon' },
  ];
  const catalog: Answer = ({ path }, response) => {
    if (path === '/v1/models') json(response, { object: 'list', data });
    else if (path === '/v1/models/qwen3')
      json(response, { id: 'qwen3', object: 'model', created: 5, owned_by: 'library' });
    else json(response, { error: { message: 'no' } }, 404);
  };
  const anthropic = { 'anthropic-version': '2023-06-01', 'x-api-key': 'none' };

  it('are those of the upstream, and those of the configuration', async () => {
    const upstream = await standIn(catalog);
    const gateway = await gatewayFor(
      { url: upstream.url },
      { models: ['*', { name: 'mine', model: 'coder' }] },
    );
    for (const path of ['/models', '/v1/models']) {
      const body = await read(await fetch(gateway.url + path, { headers: anthropic }));
      expect(body).toMatchObject({ object: 'list', has_more: false, first_id: 'mine', last_id: 'coder' });
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['mine', 'zai-org/GLM-4.5-Air', 'coder']);
      expect(body.data[1]).toEqual({
        id: 'zai-org/GLM-4.5-Air',
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'vllm',
        type: 'model',
        display_name: 'zai-org/GLM-4.5-Air',
        created_at: '2023-11-14T22:13:20.000Z',
      });
    }
    // The list is kept for a while.
    expect(upstream.asked).toHaveLength(1);
  });

  it.each(['zai-org/GLM-4.5-Air', 'zai-org%2FGLM-4.5-Air', 'qwen3'])(
    'are found by name: %s',
    async (name) => {
      const gateway = await gatewayFor({ url: (await standIn(catalog)).url });
      const found = await fetch(`${gateway.url}/v1/models/${name}`);
      expect([found.status, (await read(found)).id]).toEqual([200, decodeURIComponent(name)]);
    },
  );

  it('are what the official clients take them for', async () => {
    const gateway = await gatewayFor({ url: (await standIn(catalog)).url });
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'none', maxRetries: 0 });
    const ids: string[] = [];
    for await (const { id } of openai.models.list()) ids.push(id);
    for await (const { id } of anthropic.models.list()) ids.push(id);
    expect(ids).toEqual(['zai-org/GLM-4.5-Air', 'coder', 'zai-org/GLM-4.5-Air', 'coder']);
    expect((await openai.models.retrieve('zai-org/GLM-4.5-Air')).id).toBe('zai-org/GLM-4.5-Air');
    expect((await anthropic.models.retrieve('zai-org/GLM-4.5-Air')).type).toBe('model');
    await expect(openai.models.retrieve('nobody')).rejects.toThrow(OpenAI.NotFoundError);
    await expect(anthropic.models.retrieve('nobody')).rejects.toThrow(Anthropic.NotFoundError);
  });

  it('that do not exist are not found, in the words of the client’s API', async () => {
    const gateway = await gatewayFor({ url: (await standIn(catalog)).url });
    const path = `${gateway.url}/v1/models/nobody`;
    const openai = await fetch(path);
    expect([openai.status, (await read(openai)).error.code]).toEqual([404, 'model_not_found']);
    const messages = await fetch(path, { headers: anthropic });
    const above = await fetch(`${gateway.url}/v1/models/%252e%252e`);
    expect(above.status).toBe(404);
    expect([messages.status, (await read(messages)).error.type]).toEqual([404, 'not_found_error']);
  });

  it('of an upstream that gives no list: any name will do', async () => {
    const upstream = await standIn((_, response) => json(response, {}, 500));
    const gateway = await gatewayFor({ url: upstream.url });
    expect(await read(await fetch(`${gateway.url}/v1/models`))).toMatchObject({
      data: [],
      first_id: null,
    });
    expect((await fetch(`${gateway.url}/v1/models/anything`)).status).toBe(200);
  });

  it('that a key may use are listed and found by each of their names', async () => {
    const keys = {
      alice: { key: 'key-of-alice', models: ['mine'] },
      bob: { key: 'key-of-bob', models: ['gpt'] },
    };
    const models = [{ name: 'mine', alias: ['gpt', 'claude'] }, 'other'];
    const gateway = await gatewayFor({ url: (await standIn(catalog)).url }, { keys, models });
    const seen = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const { data } = await read(await fetch(`${gateway.url}/v1/models`, { headers }));
      const statuses = ['mine', 'gpt', 'claude', 'other'].map(
        async (name) => (await fetch(`${gateway.url}/v1/models/${name}`, { headers })).status,
      );
      return [data.map(({ id }: { id: string }) => id), await Promise.all(statuses)];
    };
    expect(await seen('key-of-alice')).toEqual([
      ['mine', 'gpt', 'claude'],
      [200, 200, 200, 404],
    ]);
    // A key for one of the names is for that name alone.
    expect(await seen('key-of-bob')).toEqual([['gpt'], [404, 200, 404, 404]]);
  });

  it('that a key may not use are neither listed nor found', async () => {
    const keys = { alice: { key: 'key-of-alice', models: ['coder'] } };
    const gateway = await gatewayFor({ url: (await standIn(catalog)).url }, { keys });
    const headers = { authorization: 'Bearer key-of-alice' };
    const { data: listed } = await read(await fetch(`${gateway.url}/v1/models`, { headers }));
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(['coder']);
    expect((await fetch(`${gateway.url}/v1/models/qwen3`, { headers })).status).toBe(404);
    expect((await fetch(`${gateway.url}/v1/models/coder`)).status).toBe(401);
  });
});

it('an unknown route names those that there are', async () => {
  const gateway = await gatewayFor({ kind: 'demo' });
  const response = await fetch(`${gateway.url}/v1/embeddings`, { method: 'POST', body: '{}' });
  const { error } = await read(response);
  expect([response.status, error.code, error.type]).toEqual([404, 'not_found', 'invalid_request_error']);
  expect(error.message).toContain('POST /v1/responses');
  expect(error.message).toContain('GET /v1/models');
});
