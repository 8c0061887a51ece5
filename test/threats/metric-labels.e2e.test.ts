// Labels of metrics: whatever clients, strangers and models choose, no label has it, and no series is added by it. A
// gateway gets the same kinds of requests again and again, each time with other names, values and headers.

import { afterAll, describe, expect, it } from 'vitest';
import { readMetrics } from '../../packages/gateway/src/observability/prometheus.fixture.js';
import { type ScriptedReply, startTextModel } from '../scripted/text-model.js';
import { rawRequest } from './running-gateway.js';
import { openServedStage } from './served-process.js';
import { apiNames, apis } from './three-apis.js';

const stage = openServedStage();
const model = await startTextModel();
afterAll(() => model.close());

const KEY = 'a-key-of-an-admin';

/** In these rounds every kind of request comes for the first time, and with what is known since. */
const FIRST = 2;
const ROUNDS = 5;

interface Sent {
  method?: string;
  path: string;
  body?: string;
  key?: string;
  headers?: Record<string, string>;
}

/** One request of each kind; `at` is in all that the client may choose. */
function requestsOf(at: number): Sent[] {
  const mark = `forged"} 1\nforged{a="${at}`;
  const name = `forged_${at}`;
  const asked = apiNames.flatMap((api) => {
    const { path, body } = apis[api];
    const tool = {
      chat: { type: 'function', function: { name, parameters: {} } },
      messages: { name, input_schema: { type: 'object' } },
      responses: { type: 'function', name, parameters: {} },
    }[api];
    const own = { tools: [tool], user: mark, metadata: { forged: mark }, stop: [name] };
    const bodies = ['known', mark].flatMap((model) =>
      [false, true].map((stream) => ({ ...body, ...own, model, stream, store: false })),
    );
    return [
      ...bodies.map((one) => ({ path: `${path}?forged=${at}`, body: JSON.stringify(one) })),
      { path, body: `{"model": "${name}"` },
      { path, body: JSON.stringify({ [name]: mark }) },
      { path, body: JSON.stringify({ ...body, model: 'known' }), key: `a-stranger-${name}` },
      { method: 'PUT', path, body: name },
      { method: 'GET', path: `${path}/${name}` },
    ];
  });
  const others = ['DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND'].map((method) => ({
    method,
    path: `/v1/${name}`,
  }));
  const known = { path: apis.chat.path, body: JSON.stringify({ ...apis.chat.body, model: 'known' }) };
  const counted = { ...apis.messages.body, model: mark };
  return [
    ...asked,
    ...others,
    { path: '/v1/messages/count_tokens', body: JSON.stringify(counted) },
    { method: 'GET', path: '/v1/models' },
    { method: 'GET', path: `/v1/models/${name}` },
    { method: 'DELETE', path: `/v1/responses/${name}` },
    { method: 'GET', path: `/${name}/${name}?${name}=${name}` },
    // Refused before they are read.
    { ...known, headers: { origin: `http://forged-${at}.example` } },
    { ...known, headers: { 'content-type': `forged/${at}` } },
  ];
}

/** What a model may choose: names of tools and arguments, and the codes of errors. */
const repliesOf = (at: number): ScriptedReply[] => [
  `<tool_call>\n{"name": "forged_${at}", "arguments": {"forged_${at}": 1}}\n</tool_call>`,
  `<tool_call>\n{"name": "forged_tool_${at}", "arguments": {"a": `,
  'Hello.',
  { fault: { type: 'status', status: 400, body: `{"error": {"code": "forged_${at}"}}` } },
];

describe.each([
  ['with configured models', { models: ['known'] }],
  ['with models of any name', {}],
])('a gateway %s', (title, config) => {
  it('has no label that clients or models choose, and not one series more for them', async () => {
    stage.write('labels.json', {
      upstream: { url: model.url, kind: 'chat' },
      dialect: 'hermes',
      keys: [{ key: KEY, name: 'one', admin: true }],
      limits: { wrongKeysPerMinute: 10_000, openGetsPerMinute: 10_000 },
      ...config,
    });
    const gateway = await stage.serve('labels.json');
    const ask = (at: number, { method = 'POST', path, body, key = KEY, headers }: Sent) =>
      rawRequest(gateway.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'user-agent': `forged/${at}`,
          'x-request-id': `forged-${at}`,
          'x-forwarded-for': `1.2.3.${at}`,
          'x-forwarded-host': `forged-${at}.example`,
          'openai-organization': `forged-${at}`,
          'anthropic-version': `forged-${at}`,
          'anthropic-beta': `forged-${at}`,
          'content-type': 'application/json',
          accept: `forged/${at}`,
          traceparent: `00-${String(at).padStart(32, '1')}-${'1'.repeat(16)}-01`,
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
    // Not those of the process: nine series appear with every kind of collection that Node happens to make.
    const series = async () => {
      const headers = { authorization: `Bearer ${KEY}` };
      const metrics = readMetrics((await rawRequest(`${gateway.url}/metrics`, { headers })).text);
      return [...metrics.values()]
        .filter(({ name }) => name.startsWith('dragoman_'))
        .flatMap(({ samples }) => samples.map(({ name, labels }) => JSON.stringify([name, labels])))
        .sort();
    };
    let known: string[] = [];
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      model.script(...Array<ScriptedReply[]>(50).fill(repliesOf(round)).flat());
      for (const sent of requestsOf(round)) statuses.add((await ask(round, sent)).status);
      if (round === FIRST - 1) known = await series();
    }
    // All kinds came through: answers, wrong requests, strangers, unknown paths and methods.
    for (const status of [200, 400, 401, 404, 405]) expect([...statuses], title).toContain(status);
    expect(known.length).toBeGreaterThan(50);
    expect(await series()).toEqual(known);
    expect(known.filter((one) => /forged/i.test(one))).toEqual([]);
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });
});
