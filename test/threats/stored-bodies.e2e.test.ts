// What the store keeps is held to the limits of bodies: a request of a hundred bytes may ask for thousands of messages.

import type { Gateway } from '@dragoman/gateway';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configOf, type Settings, until } from './running-gateway.js';
import { openStage } from './stage.js';
import { apis } from './three-apis.js';

/** Types are checked beside the build, before this is there. */
const built = new URL('../../packages/gateway/dist/index.js', import.meta.url).href;
const { serve }: typeof import('@dragoman/gateway') = await import(built);

const { model } = await openStage();
const running: Gateway[] = [];
let threads = 0;
process.on('worker', () => threads++);

/** The lengths of stored responses that this thread parsed. The lane has a JSON of its own. */
let parsedHere: number[] = [];
beforeEach(() => {
  threads = 0;
  parsedHere = [];
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, ...rest) => {
    if (String(text).startsWith('{"response":')) parsedHere.push(text.length);
    return parse(text, ...rest);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0).map((one) => one.close()));
});

async function start(settings: Settings = {}) {
  const gateway = await serve(configOf(model.url, settings), { write: () => {} });
  running.push(gateway);
  const post = (more: object, init: RequestInit = {}) =>
    fetch(`${gateway.url}${apis.responses.path}`, {
      method: 'POST',
      body: JSON.stringify({ ...apis.responses.body, store: true, ...more }),
      ...init,
    });
  const get = async (path: string) => {
    const response = await fetch(`${gateway.url}/v1/responses/${path}`);
    return { status: response.status, text: await response.text() };
  };
  /** Stores a response with this input, and gives its id. */
  const kept = async (more: object): Promise<string> => {
    model.script('Hello.');
    const response = await post(more);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return /"id":"(resp_[^"]+)"/.exec(text)?.[1] ?? '';
  };
  return { gateway, post, get, kept };
}

const messages = (count: number, content = 'x') =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));

/** A request to the model that does not end. */
async function hold(post: (more: object, init?: RequestInit) => Promise<Response>, input: unknown) {
  const leaving = new AbortController();
  model.script({ text: 'Hello.', fault: { type: 'silence', after: 1 } });
  const answered = post({ input, store: false, stream: true }, { signal: leaving.signal });
  await model.arrived(0);
  return async () => {
    leaving.abort();
    await answered.catch(() => {});
  };
}

describe('a small request for a large stored response', () => {
  it('is answered by the lane, as is a GET of it, and nothing large is parsed here', async () => {
    const { gateway, get, kept } = await start();
    const first = await kept({ input: messages(1000) });
    const small = parsedHere.length;
    expect(threads).toBe(0);
    const second = await kept({ input: messages(1000), previous_response_id: first });
    expect(threads).toBe(1);
    const third = await kept({ input: 'And now?', previous_response_id: second });
    expect(JSON.stringify(model.requests.at(-1)?.body).length).toBeGreaterThan(2000 * 3);
    expect((await get(third)).text).toContain('"status":"completed"');
    const items = await get(`${third}/input_items?limit=2&order=asc`);
    expect(items.status).toBe(200);
    expect(items.text).toContain('"has_more":true');
    expect(items.text.match(/"role":/g)).toHaveLength(2);
    expect((await get(`${third}/input_items?limit=0`)).status).toBe(400);
    expect(parsedHere.length).toBe(small);
    // Each request to the model is measured once.
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics.match(/^dragoman_requests_total.*$/gm)).toEqual([
      expect.stringMatching(/status="200"[^}]*\} 3$/),
    ]);
    await until(() => gateway.app.open === 0, 'a request is still open');
  });

  it('goes to the lane as a copy: the body that is kept for counting stays', async () => {
    const { kept } = await start({ limits: { elements: 3000 } });
    const first = await kept({ input: 'y'.repeat(450_000) });
    // It comes in several pieces.
    const input = [...messages(600), { role: 'user', content: 'x'.repeat(150_000) }];
    expect(threads).toBe(0);
    await kept({ input, previous_response_id: first });
    expect(threads).toBe(1);
    // Counted with a body that is gone, it would have twice its elements.
    await kept({ input });
    await kept({ input });
  });

  it.each([
    ['limits.elements', { elements: 2000 }, messages(500), messages(300)],
    [
      'limits.bodyBytes',
      { bodyBytes: 100_000 },
      messages(1, 'x'.repeat(70_000)),
      messages(1, 'x'.repeat(40_000)),
    ],
  ])('is refused beyond %s with what is stored', async (name, limits, before, input) => {
    const { post, kept } = await start({ limits });
    const first = await kept({ input: before });
    const refused = await post({ input, previous_response_id: first });
    expect(await refused.text()).toContain(name);
    expect(refused.status).toBe(413);
    // The requests of the last script.
    expect(model.requests).toHaveLength(1);
    // The stored part alone is within the limit.
    await kept({ input: 'And now?', previous_response_id: first });
  });

  it('shares limits.workBytes with bodies that are sent, and so does a GET', async () => {
    const { post, get, kept } = await start({ limits: { workBytes: 150_000 } });
    const first = await kept({ input: 'x'.repeat(100_000) });
    const release = await hold(post, 'x'.repeat(100_000));
    const refused = await post({ input: 'And now?', previous_response_id: first });
    expect(await refused.text()).toContain('limits.workBytes');
    expect(refused.status).toBe(503);
    expect(await get(first)).toMatchObject({
      status: 503,
      text: expect.stringContaining('limits.workBytes'),
    });
    await release();
    await until(() => running.every(({ app }) => app.open === 0), 'a request is still open');
    expect((await get(first)).status).toBe(200);
  });

  it('counts among limits.requests as a GET', async () => {
    const { post, get, kept } = await start({ limits: { requests: 1 } });
    const first = await kept({ input: 'Hello?' });
    const release = await hold(post, 'Hello?');
    expect((await get(first)).status).toBe(503);
    await release();
    await until(() => running.every(({ app }) => app.open === 0), 'a request is still open');
    expect((await get(first)).status).toBe(200);
  });
});
