// Keeps exchanges in a folder, one file each, so that a run can be resumed, and judged again without the endpoint.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineName } from '@dragoman/core/bridge';
import type { Exchange, ExchangeStore } from '@dragoman/verify';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT } from '../exit-codes.js';

/** What the exchanges of a folder belong to. */
export interface SavedRun {
  url: string;
  api: string;
  model: string;
  suite: string;
  /** A hash of the file of the suite. */
  cases?: string;
  seed: number;
  runs: number;
  compare: boolean;
  temperature: number | null;
  /** The address of the endpoint to compare with, and the name of its model. */
  reference?: string;
  referenceModel?: string;
  /** When it began, as ISO 8601. */
  date?: string;
  /** What serves the endpoint, as it was found out. */
  engine?: EngineName;
  /** Why the endpoint stopped answering, where it did and the run did not go on. */
  lost?: string;
}

/** What a run that goes on has from the one before. */
const KEPT: readonly (keyof SavedRun)[] = ['date', 'engine', 'lost'];

const RUN = 'verify.json';

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export interface ExchangeFolder {
  run: SavedRun;
  store: ExchangeStore;
}

/** Makes the folder, or goes on with the run it holds. A folder of another run is refused. */
export async function openFolder(folder: string, run: SavedRun): Promise<ExchangeFolder> {
  const known = await readRun(folder);
  if (known !== undefined) {
    const other = (Object.keys({ ...run, ...known }) as (keyof SavedRun)[]).find(
      (key) => !KEPT.includes(key) && run[key] !== known[key],
    );
    if (other !== undefined)
      throw new CommandError(
        `--save: ${folder} holds a run with another ${other} (${known[other] ?? 'none'}); take another folder`,
      );
  } else {
    try {
      await mkdir(folder, { recursive: true });
      await writeRun(folder, run);
    } catch (error) {
      throw new CommandError(`--save: cannot write to ${folder}: ${messageOf(error)}`, EXIT.input);
    }
  }
  return { run: known ?? run, store: storeIn(folder) };
}

export async function writeRun(folder: string, run: SavedRun): Promise<void> {
  await writeFile(join(folder, RUN), `${JSON.stringify(run, null, 2)}\n`);
}

/** Reads a folder for `--replay`. */
export async function replayFolder(folder: string): Promise<ExchangeFolder> {
  const run = await readRun(folder);
  if (run === undefined)
    throw new CommandError(`--replay: ${folder} holds no saved run (${RUN} is missing)`, EXIT.input);
  return { run, store: storeIn(folder) };
}

async function readRun(folder: string): Promise<SavedRun | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, RUN), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`cannot read ${join(folder, RUN)}: ${messageOf(error)}`, EXIT.input);
  }
  try {
    return JSON.parse(text) as SavedRun;
  } catch (error) {
    throw new CommandError(`${join(folder, RUN)} is no JSON: ${messageOf(error)}`, EXIT.input);
  }
}

function storeIn(folder: string): ExchangeStore {
  const fileOf = (key: string) => join(folder, `${key.replace(/[^\w.-]/g, '_')}.json`);
  return {
    async load(key) {
      try {
        return toExchange(JSON.parse(await readFile(fileOf(key), 'utf8')));
      } catch {
        // Missing, or broken: it is sent again.
        return undefined;
      }
    },
    async save(key, exchange) {
      // Renamed when it is whole: a stop in the middle leaves no half file.
      const path = fileOf(key);
      await writeFile(`${path}.part`, `${JSON.stringify(exchange)}\n`);
      await rename(`${path}.part`, path);
    },
  };
}

/** Checks the members that are used: the file may have been edited. */
function toExchange(value: Exchange): Exchange | undefined {
  const isWhole =
    typeof value.body === 'string' &&
    typeof value.status === 'number' &&
    typeof value.type === 'string' &&
    Array.isArray(value.pieces) &&
    value.pieces.every(([time, text]) => typeof time === 'number' && typeof text === 'string');
  return isWhole ? value : undefined;
}
