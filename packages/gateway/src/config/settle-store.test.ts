// The store and the key of seals, where a configuration says nothing about them, and where it does.

import { describe, expect, it } from 'vitest';
import { LOCAL_STORE } from './defaults.js';
import { parseConfig } from './parse-config.js';

const base = 'upstream: http://localhost:11434/v1\n';

function storeOf(more: string) {
  const result = parseConfig(base + more);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config.store;
}

describe('a gateway without a store in its configuration', () => {
  it.each(['', 'host: localhost', 'host: "::1"', 'keys: [{ key: key-of-alice }]'])(
    'keeps responses in bounded memory on loopback: %s',
    (more) => {
      expect(storeOf(more)).toEqual(LOCAL_STORE);
      expect(LOCAL_STORE.url).toMatch(/^memory:\?entries=\d+&bytes=\d+$/);
    },
  );

  it.each([
    'host: 0.0.0.0\nkeys: [{ key: key-of-alice }]',
    'hosts: gateway.example',
    'store: none',
    'store: { url: none }',
  ])('keeps nothing where others reach it, or it is told so: %s', (more) =>
    expect(storeOf(more)).toBeUndefined(),
  );
});

it('takes no key of seals that is too short', () => {
  expect(parseConfig(`${base}sealKey: short`)).toMatchObject({
    ok: false,
    problems: [{ path: 'sealKey', message: 'expected at least 16 characters' }],
  });
  expect(parseConfig(`${base}sealKey: sixteen letters.`)).toMatchObject({
    config: { sealKey: 'sixteen letters.' },
  });
});
