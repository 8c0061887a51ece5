import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openFileSink } from './file-sink.js';
import { identityRows, identitySettings } from './identity-rows.fixture.js';
import { runJob } from './job.js';
import { identityOf } from './journal.js';
import { createSharedPool } from './pool.js';
import { NOTHING_YET, type Sink } from './sink.js';
import { findSources } from './source.js';

const root = mkdtempSync(join(tmpdir(), 'dragoman-resume-'));
afterAll(() => rmSync(root, { recursive: true }));

let tests = 0;
let folder = root;
beforeEach(() => {
  folder = join(root, String(tests++));
  mkdirSync(folder);
});

const input = join(root, 'in.jsonl');
writeFileSync(input, Array.from({ length: 40 }, (_, n) => (n % 7 === 3 ? `x${n}` : `l${n}`)).join('\n'));

interface How {
  name?: string;
  resume?: boolean;
  force?: boolean;
  blockSize?: number;
  /** Called when a part of the work is on the disk, or half of it. */
  moment?(): void;
}

/** Runs as `dragoman convert` does, with a journal for each block. */
async function convertInto(place: string, { name = 'out.jsonl', moment = () => {}, ...how }: How = {}) {
  const { resume = false, force = false, blockSize = 16 } = how;
  const { sources } = await findSources([input]);
  const compression = name.endsWith('.gz') ? ('gzip' as const) : ('none' as const);
  const opened = await openFileSink({
    output: join(place, name),
    bad: join(place, `${name}.bad.jsonl`),
    format: name.endsWith('.parquet') ? 'parquet' : 'lines',
    compression,
    resume,
    force,
    identity: { options: { blockSize }, sources: sources.map(identityOf) },
  });
  if ('finished' in opened) return opened.finished;
  // Each journal is written while the block behind it is, and none is left out.
  let underway: Promise<void> = Promise.resolve();
  const sink: Sink = {
    async write(output, bad) {
      await opened.sink.write(output, bad);
      moment();
      await underway;
    },
    checkpoint(standing) {
      underway = opened.sink.checkpoint(standing).then(moment);
      return underway;
    },
    finish: (standing) => opened.sink.finish(standing),
    close: () => opened.sink.close(),
  };
  const { standing } = await runJob({
    sources,
    plan: { blockSize, lineLimit: 64 },
    pool: createSharedPool({ ...identitySettings, compression }, [], identityRows),
    sink,
    standing: opened.standing ?? NOTHING_YET,
    strict: false,
    stop: new AbortController().signal,
    checkpointMs: 0,
    onSkipped: () => {},
    onBlock: () => {},
  });
  return standing;
}

const filesOf = (place: string) =>
  Object.fromEntries(readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'latin1')]));

/** What is there without the journals, which a whole run removes at its end. */
function resultOf(place: string) {
  return Object.fromEntries(Object.entries(filesOf(place)).filter(([name]) => !name.endsWith('.journal')));
}

describe('a run that was killed', () => {
  it.each(['out.jsonl', 'out.jsonl.gz'])(
    'between any two writes of %s goes on to the same bytes',
    async (name) => {
      const whole = join(folder, 'whole');
      mkdirSync(whole);
      const snapshots: string[] = [];
      const moment = () => {
        const copy = join(folder, `snapshot-${snapshots.length}`);
        cpSync(whole, copy, { recursive: true });
        snapshots.push(copy);
      };
      const standing = await convertInto(whole, { name, moment });
      expect(snapshots.length).toBeGreaterThan(15);
      expect(Object.keys(resultOf(whole)).sort()).toEqual([name, `${name}.bad.jsonl`]);
      for (const snapshot of snapshots) {
        expect(existsSync(join(snapshot, name))).toBe(false);
        const resumed = await convertInto(snapshot, { name, resume: true });
        expect(resultOf(snapshot)).toEqual(resultOf(whole));
        expect(resumed).toMatchObject({ report: (standing as { report: unknown }).report });
      }
    },
  );

  it('in the middle of a write or of giving names goes on to the same bytes', async () => {
    const whole = join(folder, 'whole');
    mkdirSync(whole);
    let half: string | undefined;
    const moment = () => {
      if (half || readFileSync(join(whole, 'out.jsonl.partial')).length < 60) return;
      half = join(folder, 'half');
      cpSync(whole, half, { recursive: true });
    };
    await convertInto(whole, { moment });
    // Half a row behind what the journal knows, in both files.
    writeFileSync(join(half as unknown as string, 'out.jsonl.partial'), '{"half', { flag: 'a' });
    writeFileSync(join(half as unknown as string, 'out.jsonl.bad.jsonl.partial'), '{"line":', { flag: 'a' });
    await convertInto(half as unknown as string, { resume: true });
    expect(resultOf(half as unknown as string)).toEqual(resultOf(whole));

    const {
      'out.jsonl': output = '',
      'out.jsonl.bad.jsonl': bad = '',
      'out.jsonl.journal': journal = '',
    } = filesOf(whole);
    const names = [
      { 'out.jsonl.partial': output, 'out.jsonl.bad.jsonl.partial': bad },
      { 'out.jsonl.partial': output, 'out.jsonl.bad.jsonl': bad },
      { 'out.jsonl': output, 'out.jsonl.bad.jsonl': bad },
    ];
    for (const [n, files] of names.entries()) {
      const place = join(folder, `names-${n}`);
      mkdirSync(place);
      for (const [name, text] of Object.entries({ ...files, 'out.jsonl.journal': journal })) {
        writeFileSync(join(place, name), text, 'latin1');
      }
      expect(await convertInto(place, { resume: true })).toMatchObject({ done: true });
      expect(resultOf(place)).toEqual(resultOf(whole));
    }
  });
});

describe('what is there already', () => {
  const interrupted = async () => {
    let moments = 0;
    const kill = convertInto(folder, {
      moment: () => {
        if (moments++ === 6) throw new Error('killed');
      },
    });
    await expect(kill).rejects.toThrow('killed');
  };

  it('is not replaced without --force', async () => {
    await convertInto(folder);
    rmSync(join(folder, 'out.jsonl.journal'));
    const before = resultOf(folder);
    await expect(convertInto(folder)).rejects.toThrow(/out\.jsonl exists; --force replaces it/);
    expect(await convertInto(folder, { resume: true })).toBe('earlier');
    expect(resultOf(folder)).toEqual(before);
    await convertInto(folder, { force: true });
    expect(resultOf(folder)).toEqual(before);
  });

  it('of an interrupted run is an error that says what to do', async () => {
    await interrupted();
    await expect(convertInto(folder)).rejects.toThrow(/--resume goes on with it, --force starts over/);
    await expect(convertInto(folder, { resume: true, blockSize: 11 })).rejects.toThrow(
      /blockSize was 16 and is 11/,
    );
    await convertInto(folder, { force: true, blockSize: 11 });
    expect(Object.keys(resultOf(folder)).sort()).toEqual(['out.jsonl', 'out.jsonl.bad.jsonl']);
  });

  it('belongs to another input if that has changed', async () => {
    await interrupted();
    writeFileSync(input, readFileSync(input));
    await expect(convertInto(folder, { resume: true })).rejects.toThrow(/in\.jsonl has changed since/);
  });

  it('is empty, but a gzip file, where no row was converted', async () => {
    const { sources } = await findSources([input]);
    const opened = await openFileSink({
      output: join(folder, 'none.jsonl.gz'),
      bad: join(folder, 'none.bad.jsonl'),
      format: 'lines',
      compression: 'gzip',
      resume: false,
      force: false,
      identity: { options: {}, sources: sources.map(identityOf) },
    });
    if (!('sink' in opened)) throw new Error('expected a sink');
    await opened.sink.finish(NOTHING_YET);
    expect(gunzipSync(readFileSync(join(folder, 'none.jsonl.gz'))).length).toBe(0);
  });
});
