// The thread that loads a large configuration. Runs when it is imported, and ends with its answer.

import { parentPort, workerData } from 'node:worker_threads';
import { loadConfig } from '../config/load-config.js';
import { Channel } from './channel.js';
import { type ConfigQuestion, RESULT, withoutConfig } from './load-in-thread.js';
import { registryOf, toPlainConfig } from './plain-config.js';
import { sendConfig } from './sent-config.js';
import { ThreadPeer } from './thread-peer.js';

if (!parentPort) throw new Error('config-thread.js runs in a thread of the gateway');

const { configPath, options, declarations } = workerData as ConfigQuestion;

const port = parentPort;

async function answer(): Promise<void> {
  const channel = new Channel(new ThreadPeer(port), {});
  const result = await loadConfig(configPath, { ...options, dialects: registryOf(declarations) });
  if (result.ok) await sendConfig(channel, toPlainConfig(result.config), async () => {});
  await channel.ask(RESULT, withoutConfig(result));
}

// An error ends the thread, and the other one hears of it.
await answer().finally(() => port.close());
