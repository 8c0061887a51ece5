import { expect, it } from 'vitest';
import type { GatewayConfig } from './config.js';
import { waitingForRestart, withFixedParts } from './fixed-at-start.js';
import { parseConfig } from './parse-config.js';

function configOf(text: string): GatewayConfig {
  const result = parseConfig(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

const first = configOf('upstream: demo\nstore: none\nworkers: 2\n');
const next = configOf(
  'upstream: demo\nmodels: [m]\nport: 1\nworkers: auto\nstore: "memory:"\nsealKey: sixteen letters.\ninspect: 3\nlimits: { headerBytes: 2KB, requests: 5 }\nreport: false\n',
);

it('a restart is needed for what is made at the start', () => {
  const waiting = ['port', 'workers', 'store', 'sealKey', 'inspect', 'headerBytes'];
  expect(waitingForRestart(first, next)).toEqual(waiting);
  expect(waitingForRestart(first, first)).toEqual([]);
});

it('a process that joins others has their fixed parts, and the rest of the new configuration', () => {
  const joined = withFixedParts(next, first);
  expect(waitingForRestart(first, joined)).toEqual([]);
  expect(Object.keys(joined)).not.toContain('store');
  expect(joined).toMatchObject({ models: [{ name: 'm' }], report: false, limits: { requests: 5 } });
  expect(withFixedParts(first, first)).toEqual(first);
});
