// Draws samples that a grammar holds, in a process of its own.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LocalSetup } from './gguf-gateway.js';

export interface HeldSamples {
  dialect: string;
  samples: number;
  valid: number;
  /** Calls that were read. */
  calls: number;
  /** Free answers that a grammar held and from which no call was read. */
  unread: number;
  /** Answers that were read: of a tree, equal ones are read once. */
  distinct: number;
  tokens: number;
  seconds: number;
  faults: string[];
}

/** `by`: see sample-held.mjs. */
export async function sampleHeld(
  { llama, model, template }: LocalSetup,
  dialects: readonly string[],
  count: number,
  by: 'engine' | 'tree' | 'free' = 'engine',
): Promise<HeldSamples[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sample-held.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DRAGOMAN_NODE_LLAMA_CPP: llama },
  });
  child.stdin.end(JSON.stringify({ model, template, dialects, count, temperature: 1.5, by }));
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as HeldSamples);
}
