// Settles the keys that clients must send.

import type { KeyConfig, ModelConfig } from './config.js';
import { type Entry, entriesOf } from './entries.js';
import type { Findings } from './findings.js';
import { ownKeyFault } from './key-faults.js';
import { nearest } from './nearest.js';
import type { ConfigShape, KeyShape } from './shape.js';
import type { Fault } from './source.js';

export function settleKeys(
  shape: ConfigShape,
  models: readonly ModelConfig[],
  findings: Findings,
): KeyConfig[] {
  const entries = entriesOf<string, KeyShape>(shape.keys, 'keys', (key) => ({ key }));
  const names = new Set<string>();
  const seen = new Set<string>();
  return entries.flatMap((entry, at) => {
    const name = entry.name ?? `key-${at + 1}`;
    const keyPath = entry.short ? entry.path : [...entry.path, 'key'];
    const { key, requestsPerMinute, models: allowed, admin = entries.length === 1 } = entry.body;
    if (names.has(name)) findings.add(entry.namePath, { message: 'there is another key of this name' });
    names.add(name);
    checkModels(entry, models, findings);
    const fault = keyFault(key, seen);
    if (fault) findings.add(keyPath, fault);
    if (key === undefined) return [];
    seen.add(key);
    const limits = { ...(requestsPerMinute !== undefined && { requestsPerMinute }) };
    const more = { ...(allowed !== undefined && { models: allowed }), ...(admin && { admin }) };
    return [{ name, key, ...limits, ...more }];
  });
}

function keyFault(key: string | undefined, seen: ReadonlySet<string>): Fault | undefined {
  if (key === undefined) return { message: 'expected the key that clients send as key', missing: true };
  return seen.has(key) ? { message: 'this key was given before' } : ownKeyFault(key);
}

function checkModels(
  { path, body }: Entry<KeyShape>,
  models: readonly ModelConfig[],
  findings: Findings,
): void {
  const known = models.flatMap(({ name, aliases }) => [name, ...aliases]);
  if (known.includes('*') || findings.touches('models')) return;
  body.models?.forEach((name, at) => {
    if (name === '*' || known.includes(name)) return;
    const place = [...path, 'models', at];
    const meant = nearest(name, known);
    const hint = meant === undefined ? 'Name a model of this file, or an alias.' : `Did you mean ${meant}?`;
    findings.add(place, { message: `no model is called ${findings.quote(place, name)}`, hint });
  });
}
