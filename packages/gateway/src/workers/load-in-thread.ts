// Loads a large configuration in a thread: to check a file of a megabyte takes most of a second, and a gateway that reads
// it again answers meanwhile.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { all, type DialectDeclaration } from '@dragoman/core';
import { type LoadOptions, type LoadResult, loadConfig } from '../config/load-config.js';
import { laterTurn } from '../server/fair-turns.js';
import { Channel } from './channel.js';
import { declarationsOf, fromPlainConfig, type PlainConfig } from './plain-config.js';
import { configAnswers, JoinedConfig } from './sent-config.js';
import { ThreadPeer } from './thread-peer.js';

/** What the thread has to know. */
export interface ConfigQuestion {
  configPath: string;
  options: Pick<LoadOptions, 'env' | 'flags'>;
  declarations: readonly DialectDeclaration[];
}

type Loaded = Extract<LoadResult, { ok: true }>;

/** What it gives behind the configuration, if there is one. */
type BareResult = Exclude<LoadResult, { ok: true }> | Omit<Loaded, 'config'>;

export function withoutConfig(result: LoadResult): BareResult {
  if (!result.ok) return result;
  const { config: _, ...bare } = result;
  return bare;
}

/** The name of its last question. */
export const RESULT = 'result';

const THREAD = fileURLToPath(new URL('./config-thread.js', import.meta.url));

/** As `loadConfig`, for a file of YAML or JSON. Loads it in this thread where it cannot be sent what it has to know. */
export async function loadInThread(path: string, options: LoadOptions): Promise<LoadResult> {
  const question = questionOf(path, options);
  if (!question || !existsSync(THREAD)) return loadConfig(path, options);
  try {
    return await answerOf(question);
  } catch (error) {
    const message = `this file could not be checked (${error instanceof Error ? error.message : error})`;
    return { ok: false, problems: [{ file: path, path: '', message }], path, dialectFiles: [] };
  }
}

function questionOf(path: string, options: LoadOptions): ConfigQuestion | undefined {
  const { env = process.env, flags = {}, dialects = all } = options;
  try {
    return { configPath: path, options: { env: { ...env }, flags }, declarations: declarationsOf(dialects) };
  } catch {
    // A dialect that is a program.
    return undefined;
  }
}

function answerOf(workerData: ConfigQuestion): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData });
    const joined = new JoinedConfig();
    let config: PlainConfig | undefined;
    new Channel(new ThreadPeer(thread), {
      ...configAnswers((part) => {
        config = joined.add(part);
        return laterTurn();
      }),
      [RESULT]: (bare: BareResult) => {
        if (!bare.ok) resolve(bare);
        else if (config) resolve({ ...bare, config: fromPlainConfig(config) });
        else reject(new Error('it has no configuration'));
      },
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('its thread ended')));
    thread.unref();
  });
}
