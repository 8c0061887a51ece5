// Memory: what the bridge holds of an answer while it passes, in a process of its own with the collector at hand.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Path } from './bridge.js';
import type { BridgeMemory } from './bridge-memory-probe.js';

export async function bridgeMemory({ api, mode, dialect, kind }: Path): Promise<BridgeMemory> {
  const script = fileURLToPath(new URL('bridge-memory-probe.js', import.meta.url));
  const words = ['--expose-gc', script, api, mode, dialect, kind];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as BridgeMemory;
}
