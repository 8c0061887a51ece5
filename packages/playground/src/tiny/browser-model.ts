// The tiny model in this browser: whether its weights can be had here, how far they are loaded, and the worker that runs
// them, which is asked as a gateway is.

import { createSignal } from 'solid-js';
import { createGateway, type GatewayClient } from '../gateway/gateway.js';
import type { TinyReply, TinyRequest } from './tiny-messages.js';

/** Beside the page, where a gateway has the package of the model. */
const weights = () => new URL('tiny.gguf', new URL('.', document.baseURI)).href;

export type TinyState =
  | { step: 'unknown' }
  /** The weights can be loaded. */
  | { step: 'offered'; size: number }
  | { step: 'loading'; size: number; loaded: number }
  | { step: 'ready' }
  | { step: 'failed'; size: number; message: string };

const [tinyState, setState] = createSignal<TinyState>({ step: 'unknown' });

export { tinyState };

/** Looks whether the weights are here, and how large. A server without them says so without an error. */
export async function lookForTiny(): Promise<void> {
  if (tinyState().step !== 'unknown') return;
  const response = await fetch(weights(), { method: 'HEAD' }).catch(() => undefined);
  // Read to its end, which is at once: otherwise it counts as broken off.
  await response?.arrayBuffer().catch(() => undefined);
  const size = Number(response?.headers.get('content-length'));
  const isFile = response?.headers.get('content-type') === 'application/octet-stream';
  if (response?.ok && isFile && size > 0 && tinyState().step === 'unknown')
    setState({ step: 'offered', size });
}

let client: { gateway: GatewayClient; ready: Promise<void> } | undefined;

/** Loads the weights, once. */
export function loadTinyHere(): Promise<void> {
  client ??= start();
  return client.ready;
}

/** Gives the model as a gateway: what it is asked waits for the weights. */
export function gatewayHere(): GatewayClient {
  client ??= start();
  return client.gateway;
}

function start(): NonNullable<typeof client> {
  const worker = new Worker(new URL('./tiny-worker.ts', import.meta.url), { type: 'module' });
  const send = (request: TinyRequest) => worker.postMessage(request);
  // Loaded by the click, as the worker is.
  const server = import('./tiny-fetch.js').then(({ WorkerFetch }) => new WorkerFetch(send));
  const known = tinyState();
  const size = 'size' in known ? known.size : 0;
  setState({ step: 'loading', size, loaded: 0 });
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (message: string) => {
      setState({ step: 'failed', size, message });
      // Another click loads them again.
      client = undefined;
      worker.terminate();
      reject(new Error(message));
    };
    worker.onerror = () => fail('The worker could not be started.');
    server.catch(() => fail('A part of the page could not be loaded.'));
    worker.onmessage = ({ data }: MessageEvent<TinyReply>) => {
      if (data.type === 'progress') setState({ step: 'loading', size, loaded: data.loaded });
      else if (data.type === 'failed') fail(data.message);
      else if (data.type === 'ready') {
        setState({ step: 'ready' });
        resolve();
      } else void server.then((from) => from.take(data));
    };
  });
  ready.catch(() => undefined);
  send({ type: 'load', url: weights() });
  const fetchHere: typeof fetch = async (input, init) => {
    await ready;
    return (await server).fetch(input as URL, init);
  };
  return { gateway: createGateway({ base: location.href, key: () => '', fetch: fetchHere }), ready };
}
