import type { VerifyReport } from '@dragoman/verify';
import { describe, expect, it } from 'vitest';
import { configFromFlags } from '../config/index.js';
import { serve } from '../server/serve.js';

async function withDemo<T>(flags: object, use: (url: string) => Promise<T>): Promise<T> {
  const result = configFromFlags({ demo: true, port: 0, log: 'silent', ...flags }, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const gateway = await serve({ ...result.config, shutdownSeconds: 0.2 });
  return use(gateway.url).finally(() => gateway.close());
}

const post = (url: string, body: unknown, init: RequestInit = {}) =>
  fetch(`${url}/verify`, { method: 'POST', body: JSON.stringify(body), ...init });

describe('POST /verify', () => {
  it('streams the events of a verification, and the report at the end', async () => {
    await withDemo({}, async (url) => {
      const response = await post(url, { model: 'demo/hermes' });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const text = await response.text();
      const events = text
        .split('\n\n')
        .filter((block) => block !== '')
        .map((block) => JSON.parse(block.slice('data: '.length)));
      expect(events[0]).toMatchObject({ type: 'start', endpoint: { model: 'demo/hermes' } });
      const { report }: { report: VerifyReport } = events.at(-1);
      expect(report.checks.filter(({ status }) => status === 'fail')).toEqual([]);
      expect(events.filter(({ type }) => type === 'answer')).toHaveLength(report.requests.planned);
    });
  });

  it('needs a key where the gateway does, and sends it with its requests', async () => {
    await withDemo({ key: ['the-key-of-a-client'] }, async (url) => {
      const refused = await post(url, { model: 'demo' });
      expect(refused.status).toBe(401);
      const leaving = new AbortController();
      const headers = { authorization: 'Bearer the-key-of-a-client' };
      const response = await post(url, { model: 'demo' }, { headers, signal: leaving.signal });
      const reader = response.body?.getReader();
      const first = new TextDecoder().decode((await reader?.read())?.value);
      expect(first).toContain('"type":"start"');
      leaving.abort();
    });
  });

  it.each([
    [{}, /'model' is the name of a model/],
    [{ model: 'demo', suite: 'huge' }, /suite: expected 'quick' or 'full'/],
    [{ model: 'demo', api: 'telex' }, /api: expected one of '/],
  ])('refuses %j', async (body, message) => {
    await withDemo({}, async (url) => {
      const response = await post(url, body);
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(message);
    });
  });

  it('tells what the gateway says about a model it does not have', async () => {
    await withDemo({}, async (url) => {
      const text = await (await post(url, { model: 'nobody' })).text();
      expect(text).toMatch(/"type":"failed","message":".*HTTP 404.*nobody/);
    });
  });
});
