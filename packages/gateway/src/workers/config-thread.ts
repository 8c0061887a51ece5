// The thread that loads a large configuration. Runs when it is imported, and ends with its answer.

import { parentPort, workerData } from 'node:worker_threads';
import { loadConfig } from '../config/load-config.js';
import type { ConfigQuestion, PlainResult } from './load-in-thread.js';
import { registryOf, toPlainConfig } from './plain-config.js';

const { configPath, options, declarations } = workerData as ConfigQuestion;

async function answer(): Promise<PlainResult> {
  const result = await loadConfig(configPath, { ...options, dialects: registryOf(declarations) });
  return result.ok ? { ...result, config: toPlainConfig(result.config) } : result;
}

void answer().then((result) => parentPort?.postMessage(result));
