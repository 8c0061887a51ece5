// The client of the herds, on bare sockets: it writes bytes that were made before, and looks only for where an answer
// begins and ends. undici would take a third of the two cores that it shares with the gateway.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export const END_OF_HEAD = '\r\n\r\n';
export const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');
const OK = 'HTTP/1.1 200';

/** The bytes of a request. */
export function requestOf(url: string, body: string): Buffer {
  const length = Buffer.byteLength(body);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  return Buffer.from(head + body);
}

function socketTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), noDelay: true });
}

/** Opens streams, each on a connection of its own, and leaves them all. */
export class OpenStreams {
  begun = 0;
  errors = 0;
  readonly #sockets = new Set<Socket>();

  /** Tells of the first byte of the stream's events. */
  open(url: string, request: Buffer, tell: () => void): void {
    const socket = socketTo(url);
    this.#sockets.add(socket);
    socket.on('connect', () => socket.write(request));
    let head = '';
    let isBegun = false;
    socket.on('data', (bytes) => {
      if (isBegun) return;
      head += bytes.toString('latin1');
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0 || head.length === end + END_OF_HEAD.length) return;
      isBegun = true;
      if (head.startsWith(OK)) this.begun++;
      else this.errors++;
      tell();
    });
    const lost = () => {
      if (this.#sockets.delete(socket)) this.errors++;
      socket.destroy();
    };
    socket.on('error', lost);
    socket.on('close', lost);
  }

  leave(): void {
    const sockets = [...this.#sockets];
    this.#sockets.clear();
    for (const socket of sockets) socket.destroy();
  }
}

/** One connection that asks for whole streams, one after the other. */
export class WholeStreams {
  readonly #socket: Socket;
  #answered: (fault?: Error) => void = () => {};
  #isFirst = true;

  constructor(url: string) {
    this.#socket = socketTo(url);
    this.#socket.on('data', (bytes) => this.#read(bytes));
    this.#socket.on('error', (fault) => this.#answered(fault));
    this.#socket.on('close', () => this.#answered(new Error('the connection was closed')));
  }

  async connected(): Promise<this> {
    await once(this.#socket, 'connect');
    return this;
  }

  ask(request: Buffer): Promise<void> {
    this.#isFirst = true;
    return new Promise((resolve, reject) => {
      this.#answered = (fault) => (fault ? reject(fault) : resolve());
      this.#socket.write(request);
    });
  }

  #read(bytes: Buffer): void {
    const isRefused = this.#isFirst && bytes.toString('latin1', 0, OK.length) !== OK;
    this.#isFirst = false;
    if (isRefused) this.#answered(new Error(bytes.toString()));
    else if (bytes.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)) this.#answered();
  }

  leave(): void {
    this.#answered = () => {};
    this.#socket.destroy();
  }
}
