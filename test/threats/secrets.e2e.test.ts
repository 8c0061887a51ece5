// Canaries in every place where a key can enter a gateway that is a process, and everything that comes out of it: its log
// at debug, errors, metrics, traces, the inspector, headers and bodies.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startTextModel } from '../scripted/text-model.js';
import { canariesIn, type Shown } from './canaries.js';
import { rawRequest } from './running-gateway.js';
import { openServedStage } from './served-process.js';
import { apiNames, apis } from './three-apis.js';
import { startTraceCollector } from './trace-collector.js';

const stage = openServedStage();
const model = await startTextModel();
const collector = await startTraceCollector();
const { spans } = collector;
afterAll(() => Promise.all([model.close(), collector.close()]));

/** Where a key enters, and the key. */
const canaries = {
  client: 'canary-client-5b1f9c7e21',
  other: 'canary-other-client-3c9e',
  stranger: 'canary-stranger-77aa01c9',
  upstream: 'canary-upstream-90d2ee41',
  header: 'canary-header-1182ab55',
  member: 'canary-member-66c0d1aa',
  store: 'canary-store-ee4f0b12',
  traces: 'canary-traces-0aa1b2c3',
  seal: 'canary-seal-key-9988aabb',
  query: 'canary-query-44d1ee09',
  cookie: 'canary-cookie-b0b1c2d3',
  next: 'canary-next-key-71c2d3e4',
};

const configured = (more: object = {}) => ({
  upstream: {
    url: model.url,
    kind: 'chat',
    key: `\${CANARY_UPSTREAM}`,
    headers: { 'x-team': canaries.header },
    body: { user: canaries.member },
  },
  dialect: 'hermes',
  keys: [
    { key: canaries.client, name: 'one', admin: true },
    { key: canaries.other, requestsPerMinute: 2 },
  ],
  store: `redis://:${canaries.store}@127.0.0.1:1/0`,
  traces: `http://collector:${canaries.traces}@127.0.0.1:${collector.port}/?token=${canaries.traces}`,
  sealKey: canaries.seal,
  inspect: 100,
  log: { level: 'debug', form: 'json' },
  ...more,
});

describe('a key', () => {
  it('that enters anywhere comes out nowhere', async () => {
    stage.write('secret.json', configured());
    const gateway = await stage.serve('secret.json', [], { CANARY_UPSTREAM: canaries.upstream });
    const seen: Shown[] = [];
    const ask = async (path: string, headers: Record<string, string>, body?: string) => {
      const sent = {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body !== undefined && { body }),
      };
      const answer = await rawRequest(gateway.url + path, sent);
      seen.push([path, `${JSON.stringify(answer.headers)}${answer.text}`]);
      return answer.status;
    };
    const own = { authorization: `Bearer ${canaries.client}` };
    const { upstream, header, member, client } = canaries;
    const echo = `Bearer ${upstream}, ${header}, ${member} and ${client} are wrong.`;
    const refusal = JSON.stringify({ error: { message: echo, code: upstream } });
    for (const api of apiNames) {
      // Only Responses has a store, which cannot be reached: it is asked for once, below.
      const asked = api === 'responses' ? { ...apis[api].body, store: false } : apis[api].body;
      const body = JSON.stringify(asked);
      const streamed = JSON.stringify({ ...asked, stream: true });
      const post = (text: string, headers: Record<string, string> = own) =>
        ask(apis[api].path, headers, text);
      for (const text of [body, streamed]) {
        model.script({ fault: { type: 'status', status: 401, body: refusal } });
        await post(text);
        model.script({ text: 'x', fault: { type: 'error-event', after: 1, message: echo } });
        await post(text);
        model.script({ fault: { type: 'status', status: 400, body: `<p>${echo}` } });
        await post(text);
      }
      model.script('Hello.', 'Hello.', 'Hello.', 'Hello.');
      await post(body, { 'x-api-key': canaries.stranger });
      await post(body, {
        authorization: `Basic ${Buffer.from(`a:${canaries.stranger}`).toString('base64')}`,
      });
      await post(body, { 'x-api-key': canaries.other, cookie: `session=${canaries.cookie}` });
      await post('{"model":', { ...own, 'proxy-authorization': `Bearer ${canaries.cookie}` });
      await post(JSON.stringify({ ...apis[api].body, model: 5, messages: 5, input: 5 }));
      expect(await ask(`${apis[api].path}?key=${canaries.query}`, own, body)).toBeGreaterThan(0);
      await ask(`/v1/nothing/here?api_key=${canaries.query}`, own);
    }
    await ask('/v1/responses', own, JSON.stringify({ ...apis.responses.body, store: true }));
    // They did enter, and what the upstream said of them was passed on.
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${upstream}`);
    expect(seen.filter(([, text]) => text.includes('[hidden]')).length).toBeGreaterThan(5);
    for (const path of ['/metrics', '/v1/models', '/readyz', '/inspector/exchanges', '/'])
      await ask(path, own);
    const listed = JSON.parse(
      seen.find(([path]) => path === '/inspector/exchanges')?.[1].replace(/^{.*?}(?={)/, '') ?? '{}',
    );
    expect(listed.exchanges.length).toBeGreaterThan(10);
    for (const { id } of listed.exchanges) await ask(`/inspector/exchanges/${id}`, own);
    // A reload with a fault on the line of a key, one that is refused, and one that is taken.
    const broken = JSON.stringify(configured({ keys: [canaries.next, canaries.next, { key: 5 }] }), null, 2);
    stage.write('secret.json', broken);
    await gateway.says('so the old one stays');
    stage.write('secret.json', `${broken.slice(0, -40)}`);
    await wait(300);
    stage.write('secret.json', configured({ keys: [{ key: canaries.next, admin: true }] }));
    await gateway.says('was read again');
    expect(await ask('/metrics', { authorization: `Bearer ${canaries.next}` })).toBe(200);
    expect(await ask('/metrics', own)).toBe(401);
    expect(await gateway.stop('SIGTERM')).toBe(0);

    expect(gateway.stdout.split('\n').length).toBeGreaterThan(40);
    expect(spans.join('')).toContain('resourceSpans');
    const shown: Shown[] = [
      ...seen,
      ['log', gateway.stdout],
      ['stderr', gateway.stderr],
      ['traces', spans.join('')],
    ];
    expect(canariesIn(canaries, shown)).toEqual([]);
  });
});
