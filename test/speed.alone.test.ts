import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BridgeSpeeds } from '../bench/src/bridge-probe.js';
import {
  ARGUMENT_TO_FLOOR,
  BRIDGE_TO_FLOOR,
  DECODE_TO_FLOOR,
  DOUBLING,
  ENCODE_TO_OBJECTS,
  LAST_TO_FIRST_TENTH,
  PIECES_TO_ARGUMENT,
  PIECES_TO_TEXT,
  PROSE_TO_FLOOR,
} from '../bench/src/limits.js';
import type { Speeds } from '../bench/src/speed-probe.js';
import { root } from './sources.js';

// Ratios of one run, never milliseconds. The probe measures again before it says that something is slow.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-speed-'));

type Probe = 'speed-probe' | 'bridge-probe';

const bundled = new Map<Probe, Promise<string>>();

/** The file of a probe with the sources it measures. */
async function bundle(probe: Probe): Promise<string> {
  const build = await rolldown({
    input: `${root}bench/src/${probe}.ts`,
    platform: 'node',
    resolve: {
      alias: {
        '@dragoman/core/bridge': `${root}packages/core/src/bridge/index.ts`,
        '@dragoman/core/wire': `${root}packages/core/src/wire/index.ts`,
        '@dragoman/core': `${root}packages/core/src/index.ts`,
      },
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    logLevel: 'silent',
  });
  const file = `${probe}.mjs`;
  await build.write({ dir: folder, format: 'esm', entryFileNames: file, chunkFileNames: '[name].mjs' });
  await build.close();
  return join(folder, file);
}

/** Runs one of the bench's probes in a process of its own. */
async function measure<T>(probe: Probe, ...asked: string[]): Promise<T> {
  const file = bundled.get(probe) ?? bundle(probe);
  bundled.set(probe, file);
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: 170_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [await file, ...asked], options);
  return JSON.parse(stdout) as T;
}

/** What is over its limit in one run, a line each. */
function faults(speeds: Speeds): Record<Held, string[]> {
  const over = <T extends { dialect: string }>(
    list: readonly T[],
    ratioOf: (one: T) => number,
    limit: number,
  ) => list.filter((one) => ratioOf(one) > limit).map(({ dialect }) => dialect);
  return {
    argument: over(speeds.argument, ({ ratio }) => ratio, ARGUMENT_TO_FLOOR),
    flat: over(speeds.argument, ({ lastToFirst }) => lastToFirst, LAST_TO_FIRST_TENTH),
    prose: over(speeds.prose, ({ ratio }) => ratio, PROSE_TO_FLOOR),
    floods: speeds.steep.map(
      ({ dialect, place, unit, delta }) =>
        `${dialect}: ${JSON.stringify(unit)} in ${place}, ${delta ? `by ${delta}` : 'whole'}`,
    ),
  };
}

type Held = 'argument' | 'flat' | 'prose' | 'floods';

/**
 * How often what looks slow is measured again, by itself: a busy machine makes anything look slow once. With three tries
 * in each of two runs an argument is read twelve times before it counts as slow, as in `npm run bench -- promises`; two
 * runs more are for a busy machine. Floods are over a thousand measurements of less than a millisecond.
 */
const AGAIN: Record<Held, number> = { argument: 3, flat: 3, prose: 3, floods: 10 };

/** One kind of measurement, and what of it stays slow. */
async function measureUntilClear(
  kind: 'argument' | 'prose' | 'floods',
): Promise<{ speeds: Speeds; slow: Record<Held, string[]> }> {
  const speeds = await measure<Speeds>('speed-probe', kind);
  const slow = faults(speeds);
  for (const held of Object.keys(slow) as Held[]) {
    for (let again = 0; again < AGAIN[held] && slow[held].length > 0; again++) {
      const names = [...new Set(slow[held].map((line) => line.split(':')[0]))].join(',');
      const now = faults(await measure<Speeds>('speed-probe', kind, names));
      slow[held] = slow[held].filter((line) => now[held].includes(line));
    }
  }
  return { speeds, slow };
}

async function measureBridgeUntilClear(): Promise<{ speeds: BridgeSpeeds; slow: string[] }> {
  const speeds = await measure<BridgeSpeeds>('bridge-probe');
  let slow = bridgeFaults(speeds);
  for (let again = 0; again < 2 && slow.length > 0; again++) {
    const now = bridgeFaults(await measure<BridgeSpeeds>('bridge-probe'));
    slow = slow.filter((line) => now.includes(line));
  }
  return { speeds, slow };
}

type Reading = Awaited<ReturnType<typeof measureUntilClear>>;
let argument: Reading;
let prose: Reading;
let floods: Reading;
let bridging: Awaited<ReturnType<typeof measureBridgeUntilClear>>;

beforeAll(async () => {
  // Each in its process, and by its processor time: there is a core for two at once. Floods take about as long as the rest.
  await Promise.all([
    (async () => {
      floods = await measureUntilClear('floods');
    })(),
    (async () => {
      bridging = await measureBridgeUntilClear();
      argument = await measureUntilClear('argument');
      prose = await measureUntilClear('prose');
    })(),
  ]);
}, 540_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe('reading as text arrives', () => {
  it(`costs at most ${ARGUMENT_TO_FLOOR} times the floor, for 1 MB of argument in single characters`, () => {
    expect(argument.speeds.argument.length).toBeGreaterThan(0);
    expect(argument.slow.argument).toEqual([]);
  });

  it('costs the same at the end of that argument as at its start', () => {
    expect(argument.slow.flat).toEqual([]);
  });

  it(`costs at most ${PROSE_TO_FLOOR} times the floor, for prose in deltas of four characters`, () => {
    expect(prose.speeds.prose.length).toBeGreaterThan(0);
    expect(prose.slow.prose).toEqual([]);
  });

  it(`costs at most ${DOUBLING} times as much for twice the flood, of any marker`, () => {
    expect(floods.speeds.floods).toBeGreaterThan(1000);
    expect(floods.slow.floods).toEqual([]);
  });
});

/** What is over its limit in one run of the bridge, a line each. */
function bridgeFaults({ bridge, decode, encode, first }: BridgeSpeeds): string[] {
  return [
    ...bridge.flatMap(({ api, mode, dialect, kind, ratio, lastToFirst }) => {
      const name = `${api}, ${mode}, ${dialect}, ${kind}`;
      return [
        ...(ratio > BRIDGE_TO_FLOOR ? [`dear: ${name}`] : []),
        ...(lastToFirst > LAST_TO_FIRST_TENTH ? [`steep: ${name}`] : []),
      ];
    }),
    ...decode.flatMap(({ api, ratio }) => (ratio > DECODE_TO_FLOOR ? [`read: ${api}`] : [])),
    ...encode.flatMap(({ api, ratio }) => (ratio > ENCODE_TO_OBJECTS ? [`written: ${api}`] : [])),
    ...first.flatMap(({ dialect, text, argument, streams }) => [
      ...(text > PIECES_TO_TEXT ? [`late text: ${dialect}`] : []),
      ...(streams && argument > PIECES_TO_ARGUMENT ? [`late argument: ${dialect}`] : []),
    ]),
  ];
}

describe('the bridge as text arrives', () => {
  const about = (...starts: string[]) =>
    bridging.slow.filter((line) => starts.some((start) => line.startsWith(start)));

  it(`costs at most ${BRIDGE_TO_FLOOR} times what a proxy costs that only passes on`, () => {
    expect(bridging.speeds.bridge.length).toBeGreaterThan(0);
    expect(about('dear:')).toEqual([]);
  });

  it('costs the same at the end of an answer as at its start', () => {
    expect(about('steep:')).toEqual([]);
  });

  it('reads and writes the events of every API at little more than the cost of their JSON', () => {
    expect(bridging.speeds.decode.length * bridging.speeds.encode.length).toBe(9);
    expect(about('read:', 'written:')).toEqual([]);
  });

  it('gives out a text with its first piece, and an argument with the piece that begins it', () => {
    expect(bridging.speeds.first.some(({ streams }) => streams)).toBe(true);
    expect(about('late')).toEqual([]);
  });
});
