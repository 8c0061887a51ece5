import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { all, defineDialect } from '@dragoman/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDeclaration } from '../config/dialect-file.js';
import { configFromFlags, type Flags, loadConfig } from '../config/index.js';
import { configOfWorker, fromPlainConfig, partOf, toPlainConfig } from './plain-config.js';

function configOf(flags: Flags) {
  const result = configFromFlags(flags, {});
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

const beam =
  'name: beam\nabout: JSON in beams.\ncalls: { family: json, shape: object, keys: { name: name, arguments: arguments }, open: <beam>, close: </beam> }\n';

describe('a configuration on its way to a worker', () => {
  it('arrives as it was', () => {
    const config = configOf({ upstream: 'http://localhost:1/v1', model: ['a', 'b'], key: 'a-key-of-length' });
    expect(fromPlainConfig(deserialize(serialize(toPlainConfig(config))))).toEqual(config);
  });

  it('takes dialects from files along', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-plain-'));
    writeFileSync(join(folder, 'beam.yaml'), beam);
    const file = join(folder, 'dragoman.config.yaml');
    writeFileSync(file, 'upstream: demo\ndialects: beam.yaml\nmodels: [{ name: m, dialect: beam }]\n');
    const result = await loadConfig(file, { env: {} });
    rmSync(folder, { recursive: true });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { dialects, models } = fromPlainConfig(deserialize(serialize(toPlainConfig(result.config))));
    expect(dialects?.find('beam').markers.literals).toEqual(
      result.config.dialects?.find('beam').markers.literals,
    );
    expect(models).toEqual(result.config.models);
  });

  it('refuses a dialect that is a program, and says what to do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-plain-'));
    writeFileSync(join(folder, 'beam.yaml'), beam);
    const dialects = all.with(defineDialect(readDeclaration(join(folder, 'beam.yaml'))));
    rmSync(folder, { recursive: true });
    expect(() => toPlainConfig({ ...configOf({ demo: true }), dialects })).toThrow(
      'the dialect beam was made by a program',
    );
  });
});

describe('the parts of workers', () => {
  it('add up to the whole, are nearly equal, and at least one', () => {
    const count = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(count, fc.integer({ min: 1, max: 64 }), (whole, workers) => {
        const parts = Array.from({ length: workers }, (_, at) => partOf(whole, at + 1, workers));
        expect(parts.reduce((a, b) => a + b)).toBe(Math.max(whole, workers));
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are those of connections that are bounded', () => {
    const connectionsOf = (connections: number) => {
      const config = configOf({ upstream: 'http://localhost:1/v1' });
      const upstreams = new Map([...config.upstreams].map(([name, one]) => [name, { ...one, connections }]));
      return [1, 2, 3].map((worker) => {
        const [upstream] = configOfWorker({ ...config, upstreams }, worker, 3).upstreams.values();
        return upstream?.connections;
      });
    };
    expect(connectionsOf(8)).toEqual([3, 3, 2]);
    expect(connectionsOf(4096)).toEqual([4096, 4096, 4096]);
  });
});
