// Reads in a thread of its own, so that a page with a long text still answers.

import { Desk } from './desk.js';
import type { Ask, Said } from './protocol.js';

const channel = new MessageChannel();
let rested: (() => void) | undefined;
channel.port1.onmessage = () => rested?.();

/** A message to itself, behind those that have arrived: faster than a timer, which browsers slow down. */
const rest = () =>
  new Promise<void>((go) => {
    rested = go;
    channel.port2.postMessage(undefined);
  });

const desk = new Desk((said: Said) => postMessage(said), rest);
addEventListener('message', (event) => desk.take((event as MessageEvent<Ask>).data));
