// A request as the app takes it, from a Node server or a worker.

import { type Incoming, incomingOf } from '@dragoman/core/bridge';
import type { DecodeBody } from './request-body.js';

export interface AppRequest extends Omit<Incoming, 'text'> {
  /** The query with its question mark; empty where there is none. */
  readonly search: string;
  /** The address of the client; undefined where it is not known. */
  readonly address?: string | undefined;
  readonly decode: DecodeBody;
  /** Gives `take` the body, piece by piece. Rejects with what `take` throws, and reads no more then. */
  pieces(take: (piece: Uint8Array) => void): Promise<void>;
  /** Ends when the work of this request may go on; undefined where nobody counts its time. */
  pause?(): Promise<void>;
  /** All headers, by their lower-case names. */
  headers(): Record<string, string>;
  /** Calls `leave` once, when the client disconnects before its answer is over; at once if it already has. */
  onLeave(leave: (reason: unknown) => void): void;
}

const addresses = new WeakMap<Request, string>();

/** Notes the client's address, which a web `Request` does not have. */
export function noteAddress(request: Request, address: string | undefined): void {
  if (address !== undefined) addresses.set(request, address);
}

/** Wraps a web `Request`. Where it has no host header, the host is taken from its URL. */
export function appRequestOf(request: Request): AppRequest {
  const { method, path, header } = incomingOf(request);
  const { signal } = request;
  return {
    method,
    path,
    search: new URL(request.url).search,
    address: addresses.get(request),
    decode: (bytes) => utf8.decode(bytes),
    header: (name) => header(name) ?? (name === 'host' ? new URL(request.url).host : null),
    headers: () => Object.fromEntries(request.headers),
    pieces: (take) => readPieces(request, take),
    onLeave(leave) {
      if (signal.aborted) leave(signal.reason);
      else signal.addEventListener('abort', () => leave(signal.reason), { once: true });
    },
  };
}

const utf8 = new TextDecoder();

async function readPieces(request: Request, take: (piece: Uint8Array) => void): Promise<void> {
  const reader = request.body?.getReader();
  try {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      take(piece.value);
  } catch (error) {
    await reader?.cancel().catch(() => {});
    throw error;
  }
}
