import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import { createCatalogs } from './upstream-catalog.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** The catalog of an upstream, with the paths that it was asked for. */
function catalogOf(answer: (path: string) => Response) {
  const read = parseConfig('upstream: http://model.invalid/v1');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const [upstream] = read.config.upstreams.values();
  if (!upstream) throw new Error('no upstream');
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(new URL(url).pathname);
    return answer(new URL(url).pathname);
  };
  return { catalog: createCatalogs({ detect: true, transport: () => ({ fetch }) }).of(upstream), asked };
}

const models = () => Response.json({ object: 'list', data: [{ id: 'm', owned_by: 'vllm' }] });
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
/** Gives a look time to begin. */
const settled = () => new Promise(setImmediate);

it.each([503, 500])('looks for the engine again that answered %s while it loaded', async (status) => {
  let loading = true;
  const { catalog, asked } = catalogOf(() =>
    loading ? new Response('Loading model', { status }) : models(),
  );
  expect(await catalog.detect()).toBeUndefined();
  const first = asked.length;
  loading = false;
  later(29);
  // A request does not wait for it, and does not look before its time.
  expect(catalog.engine()).toBeUndefined();
  await settled();
  expect(asked).toHaveLength(first);
  later(2);
  expect(catalog.engine()).toBeUndefined();
  await settled();
  expect(asked.slice(first)).toEqual(['/v1/models']);
  await catalog.detect();
  expect(catalog.engine()).toBe('vllm');
});

it('does not look again for the engine of an upstream that has none', async () => {
  const { catalog, asked } = catalogOf(() => Response.json({ error: 'no' }, { status: 404 }));
  expect(await catalog.detect()).toBeUndefined();
  const first = asked.length;
  later(3600);
  expect(catalog.engine()).toBeUndefined();
  await settled();
  expect(asked).toHaveLength(first);
});
