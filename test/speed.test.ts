import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARGUMENT_TO_FLOOR, DOUBLING, LAST_TO_FIRST_TENTH, PROSE_TO_FLOOR } from '../bench/src/limits.js';
import type { Speeds } from '../bench/src/speed-probe.js';
import { root } from './sources.js';

// Ratios of one run, never milliseconds. The probe measures again before it says that something is slow.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-speed-'));

/** Runs the bench's probe on the sources, in a process of its own. */
async function measure(): Promise<Speeds> {
  const build = await rolldown({
    input: `${root}bench/src/speed-probe.ts`,
    platform: 'node',
    resolve: {
      alias: { '@dragoman/core': `${root}packages/core/src/index.ts` },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    logLevel: 'silent',
  });
  await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'probe.mjs',
    chunkFileNames: '[name].mjs',
  });
  await build.close();
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'probe.mjs')], {
    maxBuffer: 64 * 1024 * 1024,
    timeout: 170_000,
  });
  return JSON.parse(stdout) as Speeds;
}

describe('reading as text arrives', () => {
  let speeds: Speeds;

  beforeAll(async () => {
    speeds = await measure();
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** `name ratio` of each dialect over the limit: what a failure should show. */
  const over = <T extends { dialect: string }>(
    list: readonly T[],
    ratioOf: (one: T) => number,
    limit: number,
  ) => list.filter((one) => ratioOf(one) > limit).map((one) => `${one.dialect} ${ratioOf(one).toFixed(2)}`);

  it(`costs at most ${ARGUMENT_TO_FLOOR} times the floor, for 1 MB of argument in single characters`, () => {
    expect(speeds.argument.length).toBeGreaterThan(0);
    expect(over(speeds.argument, ({ ratio }) => ratio, ARGUMENT_TO_FLOOR)).toEqual([]);
  });

  it('costs the same at the end of that argument as at its start', () => {
    expect(over(speeds.argument, ({ lastToFirst }) => lastToFirst, LAST_TO_FIRST_TENTH)).toEqual([]);
  });

  it(`costs at most ${PROSE_TO_FLOOR} times the floor, for prose in deltas of four characters`, () => {
    expect(speeds.prose.length).toBeGreaterThan(0);
    expect(over(speeds.prose, ({ ratio }) => ratio, PROSE_TO_FLOOR)).toEqual([]);
  });

  it(`costs at most ${DOUBLING} times as much for twice the flood, of any marker`, () => {
    expect(speeds.floods).toBeGreaterThan(1000);
    const steep = speeds.steep.map(
      ({ dialect, place, unit, delta, ratio }) =>
        `${dialect}: ${JSON.stringify(unit)} in ${place}, ${delta ? `by ${delta}` : 'whole'}: ${ratio.toFixed(1)}`,
    );
    expect(steep).toEqual([]);
  });
});
