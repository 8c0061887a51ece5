// One request to an upstream and its answer, read on demand: backpressure holds the rest on the connection. Undici's own
// streams and web streams cost several times as much.

import type { Socket } from 'node:net';
import type { Fetched } from '@dragoman/core/bridge';
import type { Dispatcher } from 'undici';
import { type EndListener, hearConnectionEnd } from './connection-ends.js';
import { inTurn } from './fair-turns.js';

/** Bytes that are given at once. What is made of them waits here if the client does not read. */
const MOST_TAKEN = 16 * 1024;

type Controller = Dispatcher.DispatchController;

interface BodyPiece {
  done: boolean;
  value?: Uint8Array;
}

interface Reader {
  resolve(piece: BodyPiece): void;
  reject(error: unknown): void;
}

export class UpstreamExchange implements Dispatcher.DispatchHandler, EndListener {
  /** Nothing more comes. */
  over = false;
  #controller: Controller | undefined;
  #socket: Socket | undefined;
  #connectionEnded = false;
  #waiting: Buffer[] = [];
  #reader: Reader | undefined;
  #error: unknown;
  readonly #abort = () => this.#leave(this.signal?.reason);

  constructor(
    readonly signal: AbortSignal | undefined,
    readonly begun: (response: Fetched) => void,
    readonly failed: (error: unknown) => void,
  ) {
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort);
  }

  // --- callbacks of undici ---------------------------------------------------------------------------------

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The request was aborted while it waited for a connection.
    if (this.over) controller.abort(LEFT);
    else hearConnectionEnd(this);
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    // Views of what was read, which would be kept as long as the exchange: 64 KB if the answer begins at once.
    controller.rawHeaders = null;
    // An informational response (1xx): the answer follows.
    if (status < 200) return;
    this.begun({
      ok: status < 300,
      status,
      type: 'default',
      headers: { get: (name) => [headers[name] ?? []].flat().join(', ') || null },
      body: { getReader: () => ({ read: () => this.#read(), cancel: async () => this.#leave(LEFT) }) },
    });
  }

  onResponseData(controller: Controller, bytes: Buffer): void {
    if (this.over || bytes.length === 0) return;
    this.#waiting.push(bytes);
    if (this.#reader && this.#waiting.length === 1) inTurn(this.#deliver);
    // Nobody takes it now: the rest stays on the connection.
    if (this.#waiting.length > 0 && !this.#connectionEnded) controller.pause();
  }

  connected(socket: Socket): void {
    this.#socket = socket;
  }

  connectionEnded(): void {
    this.#connectionEnded = true;
    if (this.#controller?.paused) this.#controller.resume();
  }

  onResponseEnd(): void {
    this.#end();
    if (this.#reader && this.#waiting.length === 0) this.#take(this.#reader, { done: true });
  }

  onResponseError(_: Controller, error: Error): void {
    this.#fail(error);
  }

  // --- the side of the bridge ------------------------------------------------------------------------------

  #read(): Promise<BodyPiece> {
    if (this.#waiting.length > 0)
      return new Promise((resolve, reject) => {
        this.#reader = { resolve, reject };
        inTurn(this.#deliver);
      });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.over) return Promise.resolve({ done: true });
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      // Resuming delivers buffered data synchronously, so the waiting reader has to be set first.
      if (this.#controller?.paused) this.#controller.resume();
    });
  }

  /** Gives the reader what waits for it. The exchange may be over by now. */
  readonly #deliver = () => {
    const reader = this.#reader;
    if (!reader) return;
    if (this.#waiting.length > 0) this.#take(reader, { done: false, value: this.#takeWaiting() });
    else if (this.#error === undefined) this.#take(reader, { done: true });
  };

  #takeWaiting(): Buffer {
    const [first] = this.#waiting;
    const all = this.#waiting.length === 1 && first ? first : Buffer.concat(this.#waiting);
    const rest = all.subarray(MOST_TAKEN);
    this.#waiting = rest.length > 0 ? [rest] : [];
    return all.subarray(0, MOST_TAKEN);
  }

  #take(reader: Reader, piece: BodyPiece): void {
    this.#reader = undefined;
    reader.resolve(piece);
  }

  /** Data received before the error is still delivered. */
  #fail(error: unknown): void {
    if (this.over) return;
    this.#end();
    this.#error = error;
    this.failed(error);
    // What waits is given first.
    if (this.#waiting.length > 0) return;
    this.#reader?.reject(error);
    this.#reader = undefined;
  }

  #leave(reason: unknown): void {
    if (this.over) return;
    const socket = this.#socket;
    this.#waiting = [];
    this.#fail(reason);
    // Undici's own abort opens another connection at once, which nobody uses (7.30).
    if (socket) socket.destroy(LEFT);
    else this.#controller?.abort(LEFT);
  }

  #end(): void {
    this.over = true;
    this.#socket = undefined;
    this.signal?.removeEventListener('abort', this.#abort);
  }
}

type Headers = Record<string, string | string[] | undefined>;

/** Shared, because creating an error costs a stack trace. */
const LEFT = new DOMException('Nobody waits for this answer any more.', 'AbortError');
