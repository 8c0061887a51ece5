import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '@dragoman/core';
import { expect, it } from 'vitest';
import type { GatewayConfig } from './config.js';
import { DEFAULT_STORE_SECONDS } from './defaults.js';
import { parseConfig } from './parse-config.js';
import { configShape } from './shape.js';

const text = readFileSync(new URL('../../dragoman.config.example.yaml', import.meta.url), 'utf8');

function configOf(written: string): GatewayConfig {
  const result = parseConfig(written);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('\n'));
  return result.config;
}

/** With the options that are commented out. */
const whole = text.replaceAll(/^( *)#(\w| {2})/gm, '$1$2');

it('says of every option what its default is', () => {
  const { models, upstreams, ...rest } = configOf(text);
  const plain = configOf('upstream: http://localhost:11434/v1');
  const { models: plainModels, upstreams: plainUpstreams, ...plainRest } = plain;
  expect(rest).toEqual(plainRest);
  expect(upstreams.get('local')).toEqual({ ...plainUpstreams.get('default'), name: 'local' });
  expect(models).toMatchObject([{ ...plainModels[0], upstream: 'local' }]);
  expect(models).toHaveLength(1);
});

it('says what the bridge does with a model of which nothing is said', () => {
  expect(configOf(text).models[0]?.bridge).toEqual({
    dialect: 'auto',
    inReasoning: false,
    reasks: 2,
    delivery: 'stream',
    nearKeys: false,
    echoes: 'mark',
    history: 'mend',
    roles: 'auto',
    render: { safety: 'escape', language: 'en', short: false, template: {} },
    policies: { coerceStrings: true, schemaBeatsAttribute: false, calls: 'read' },
    limits: { ...DEFAULT_LIMITS, members: 12_000, argumentLength: 1.5 * 1024 * 1024 },
  });
});

it('names every option that there is', () => {
  const missing = namesOf(configShape).filter((name) => !new RegExp(`^[ -]*${name}:`, 'm').test(whole));
  // `upstream` alone is told of in a sentence, `aliases` is another word for `alias`, `$schema` is for JSON.
  expect(missing).toEqual(['$schema', 'aliases', 'endpoint']);
});

it('stays right when what is commented out is taken in', () => {
  const env = {
    LOCAL_KEY: 'none',
    STORE_URL: 'redis://localhost',
    ALICE_KEY: 'key-of-alice',
    SEAL_KEY: 'sixteen letters.',
  };
  expect(parseConfig(whole, { env })).toMatchObject({
    ok: true,
    config: {
      keys: [{ name: 'alice', key: 'key-of-alice', requestsPerMinute: 60, models: ['glm-4.5'] }],
      store: { url: 'redis://localhost', seconds: DEFAULT_STORE_SECONDS },
      sealKey: 'sixteen letters.',
      traces: { endpoint: 'http://localhost:4318' },
      models: [{ model: 'glm-4.5-air', bridge: { watch: ['glm-4.5'], render: { thinking: true } } }],
    },
  });
});

/** The names of all members, from the shape itself. */
function namesOf(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema as { def?: Record<string, unknown> };
  if (!def) return [];
  const shape = (def.shape ?? {}) as Record<string, unknown>;
  const inner = [def.innerType, def.in, def.element, def.valueType, ...((def.options as unknown[]) ?? [])];
  const nested = [...Object.values(shape), ...inner].flatMap((one) => namesOf(one, seen));
  return [...new Set([...Object.keys(shape), ...nested])];
}
