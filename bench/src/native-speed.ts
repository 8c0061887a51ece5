// How fast llama.cpp runs a GGUF file on one thread, measured in a process of its own (local-speed-process.ts).

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface NativeSpeed {
  what: 'prompt' | 'free' | 'held to any text' | 'held to a call';
  tokens: number;
  /** Tokens a second by the clock, and of the time of the processor. */
  wall: number;
  processor: number;
}

/** Where the tests install it. */
const ofTests = fileURLToPath(new URL('../../test/llama/node_modules/node-llama-cpp', import.meta.url));

/** `failed`: why there are none, such as a missing node-llama-cpp. */
export async function nativeSpeeds(gguf: string): Promise<{ speeds: NativeSpeed[] } | { failed: string }> {
  const { DRAGOMAN_NODE_LLAMA_CPP: named = existsSync(ofTests) ? ofTests : undefined } = process.env;
  const env = {
    ...process.env,
    DRAGOMAN_GGUF: gguf,
    ...(named !== undefined && { DRAGOMAN_NODE_LLAMA_CPP: named }),
  };
  const child = fork(fileURLToPath(new URL('local-speed-process.js', import.meta.url)), { env });
  const told = once(child, 'message').then(([message]) => message);
  const ended = once(child, 'exit').then(([code]) => ({ failed: `it ended with the code ${code}` }));
  return Promise.race([told, ended]);
}
