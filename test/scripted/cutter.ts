// A TCP proxy that passes answers on in small writes of odd sizes, from a seed.

import { connect, createServer, type Server, type Socket } from 'node:net';
import { createRandom, type Random } from '@dragoman/core/testing';

export interface Cutter {
  readonly url: string;
  /** The most bytes of a write. At first 17. */
  most: number;
  /** Writes so far, and the bytes in them. */
  readonly writes: number;
  readonly bytes: number;
  close(): Promise<void>;
}

export async function startCutter(port: number, seed: number): Promise<Cutter> {
  const random = createRandom(seed);
  const counted = { most: 17, writes: 0, bytes: 0 };
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) open.add(socket.on('error', () => {}));
    near.pipe(far);
    near.on('close', () => far.destroy() && open.delete(near));
    far.on('close', () => open.delete(far));
    void cut(far, near, random, counted);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    get most() {
      return counted.most;
    },
    set most(bytes) {
      counted.most = bytes;
    },
    get writes() {
      return counted.writes;
    },
    get bytes() {
      return counted.bytes;
    },
    close: () => closeAll(server, open),
  };
}

async function cut(
  from: Socket,
  to: Socket,
  random: Random,
  counted: { most: number; writes: number; bytes: number },
): Promise<void> {
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length && !to.destroyed; ) {
        const size = 1 + random.int(counted.most);
        to.write(chunk.subarray(at, at + size));
        counted.writes++;
        counted.bytes += Math.min(size, chunk.length - at);
        at += size;
        // Else the pieces would leave the socket together.
        await new Promise((next) => setImmediate(next));
      }
    }
    to.end();
  } catch {
    to.destroy();
  }
}

function closeAll(server: Server, open: Set<Socket>): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  for (const socket of open) socket.destroy();
  return closed;
}
