import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { GatewayConfig, UpstreamConfig } from '../config/config.js';
import { parseConfig } from '../config/index.js';
import { createGgufModels } from './gguf-models.js';

const file = fileURLToPath(new URL('../../../tiny/model/tiny.gguf', import.meta.url));
const log = { debug() {}, info() {}, warn() {}, error() {} };

function configWith(context: number): { config: GatewayConfig; upstream: UpstreamConfig } {
  const result = parseConfig(JSON.stringify({ upstream: { kind: 'gguf', file, context } }));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const [upstream] = result.config.upstreams.values();
  return { config: result.config, upstream: upstream as UpstreamConfig };
}

it('keeps the models of an upstream that a later reload brings', async () => {
  const models = createGgufModels(log);
  const options = { dialect: 'hermes', dialects: undefined };
  models.keepOnly(configWith(512).config);
  const { config, upstream } = configWith(1024);
  models.expect(config);
  // As the routes of the new configuration are made, and as a request finds them.
  const made = models.find(upstream, 'tiny', options);
  models.keepOnly(config);
  expect(models.find(upstream, 'tiny', options)).toBe(made);
  await models.close();
});

it('keeps those of the configuration that is used while routes of another one are made', async () => {
  const models = createGgufModels(log);
  const options = { dialect: 'hermes', dialects: undefined };
  const { config, upstream } = configWith(512);
  const made = models.find(upstream, 'tiny', options);
  const next = configWith(1024);
  models.expect(config, next.config);
  const later = models.find(next.upstream, 'tiny', options);
  // As a request finds them meanwhile.
  expect(models.find(upstream, 'tiny', options)).toBe(made);
  models.keepOnly(next.config);
  expect(models.find(next.upstream, 'tiny', options)).toBe(later);
  await models.close();
});
