import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fetched } from '@dragoman/core/bridge';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_UPSTREAM_TIMEOUTS } from '../config/defaults.js';
import { createUpstreamPool, type UpstreamPool } from './undici-fetch.js';

// What an upstream writes is made by hand here, so that each byte is where a test wants it.

const servers: { server: Server; sockets: Set<Socket> }[] = [];
const pools: UpstreamPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  }
});

interface Upstream {
  url: string;
  /** How many connections there have been. */
  connections(): number;
  /** Those that were asked something and are open. */
  asked: Set<Socket>;
}

/** Calls back for each request, which is over with the first piece that ends in a brace. */
async function upstream(answer: (socket: Socket, sent: string) => void): Promise<Upstream> {
  const asked = new Set<Socket>();
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      asked.delete(socket);
    });
    socket.on('data', (data) => {
      const sent = data.toString('latin1');
      if (!sent.endsWith('}')) return;
      asked.add(socket);
      answer(socket, sent);
    });
  });
  servers.push({ server, sockets });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, asked, connections: () => connections };
}

function poolOf(url: string, connections = 1): UpstreamPool {
  const pool = createUpstreamPool({
    name: 'u',
    kind: 'chat',
    url,
    connections,
    headers: {},
    retries: 0,
    passKey: false,
    stream: true,
    timeouts: DEFAULT_UPSTREAM_TIMEOUTS,
  } as never);
  pools.push(pool);
  return pool;
}

const ask = (pool: UpstreamPool, url: string, signal?: AbortSignal): Promise<Fetched> =>
  pool.fetch(`${url}/chat/completions`, { method: 'POST', body: '{}', ...(signal && { signal }) });

/** All bytes, with a pause before each read where one is wanted. */
async function readAll({ body }: Fetched, pause?: (n: number) => Promise<unknown>): Promise<Buffer> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  for (let n = 0; ; n++) {
    await pause?.(n);
    const piece = await reader?.read();
    if (!piece || piece.done) return Buffer.concat(pieces);
    pieces.push(piece.value as Uint8Array);
  }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Cut anywhere, as chunks of HTTP. */
function chunked(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return [...pieces, Buffer.from('0\r\n\r\n')];
}

const flood = randomBytes(6 * 1024 * 1024);

const forms: Record<string, (socket: Socket) => void> = {
  'with a length': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${flood.length}\r\n\r\n`);
    socket.write(flood);
  },
  'with a length, and then the end of the connection': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${flood.length}\r\n\r\n`);
    socket.end(flood);
  },
  'in chunks': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    for (const piece of chunked(flood, 7001)) socket.write(piece);
  },
  'up to the end of the connection': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
    socket.end(flood);
  },
  'up to the end of the connection, in chunks': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n');
    for (const piece of chunked(flood, 70_001)) socket.write(piece);
    socket.end();
  },
};

const readers: Record<string, ((n: number) => Promise<unknown>) | undefined> = {
  'that reads at once': undefined,
  'that falls behind now and then': (n) => (n % 8 === 0 ? wait(3) : Promise.resolve()),
  'that begins late': (n) => (n === 0 ? wait(100) : Promise.resolve()),
};

describe.each(Object.entries(forms))('an upstream that floods, %s', (_, answer) => {
  it.each(Object.entries(readers))('loses and doubles nothing for a reader %s', async (_name, pause) => {
    const { url } = await upstream(answer);
    const response = await ask(poolOf(url), url);
    const bytes = await readAll(response, pause);
    expect(bytes.length).toBe(flood.length);
    expect(digest(bytes)).toBe(digest(flood));
  });
});

describe('an upstream that closes its connection before it is read', () => {
  it.each([
    ['without a length', ''],
    ['with a length', 'content-length: 1000\r\n'],
  ])('ends its answer, and not the process (%s)', async (_, header) => {
    const { url } = await upstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${header}\r\n`);
      socket.end(flood.subarray(0, 1000));
    });
    const response = await ask(poolOf(url), url);
    await wait(100);
    expect(await readAll(response)).toEqual(flood.subarray(0, 1000));
  });
});

describe('an upstream that is not read', () => {
  it('is held back on its connection', async () => {
    let written: Socket | undefined;
    const { url } = await upstream((socket) => {
      written = socket;
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      for (let n = 0; n < 8; n++) for (const piece of chunked(flood, 64_000)) socket.write(piece);
    });
    const response = await ask(poolOf(url), url);
    await wait(200);
    expect(written?.writableLength).toBeGreaterThan(flood.length);
    await response.body?.getReader().cancel();
  });
});

describe('an error behind data', () => {
  it.each([[100], [300_000]])('is told behind it (%i bytes)', async (size) => {
    const { url } = await upstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size * 2}\r\n\r\n`);
      socket.end(flood.subarray(0, size));
    });
    const response = await ask(poolOf(url), url);
    await wait(50);
    const reader = response.body?.getReader();
    let bytes = 0;
    const read = async () => {
      for (;;) bytes += (await reader?.read())?.value?.byteLength ?? Number.NaN;
    };
    await expect(read()).rejects.toThrow();
    expect(bytes).toBe(size);
    // Still the same when asked again.
    await expect(reader?.read()).rejects.toThrow();
  });
});

describe('who is left', () => {
  it('waits for no connection: it ends at once, and what comes behind it is served', async () => {
    const waiting: Socket[] = [];
    const { url } = await upstream((socket) => waiting.push(socket));
    const pool = poolOf(url);
    const first = ask(pool, url);
    const aborter = new AbortController();
    const second = ask(pool, url, aborter.signal);
    const third = ask(pool, url);
    while (waiting.length < 1) await wait(5);
    aborter.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    expect(waiting).toHaveLength(1);
    waiting[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab');
    expect((await readAll(await first)).toString()).toBe('ab');
    while (waiting.length < 2) await wait(5);
    waiting[1]?.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\ncd');
    expect((await readAll(await third)).toString()).toBe('cd');
    expect(waiting).toHaveLength(2);
  });

  it.each([
    ['while the head is waited for', ''],
    ['while a piece is waited for', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'],
  ])('loses its connection %s, and nobody listens any more', async (_, head) => {
    const model = await upstream((socket) => socket.write(head));
    const { url } = model;
    const aborter = new AbortController();
    const { signal } = aborter;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const settled = ask(poolOf(url), url, signal)
      .then((response) => readAll(response))
      .catch((error: Error) => error.message);
    while (model.asked.size === 0) await wait(5);
    await wait(20);
    expect(listeners).toBe(1);
    aborter.abort(new Error('gone'));
    expect(await settled).toBe('gone');
    expect(listeners).toBe(0);
    while (model.asked.size > 0) await wait(5);
  });

  it('is not asked at all if it left before', async () => {
    let asked = 0;
    const { url } = await upstream(() => asked++);
    await expect(ask(poolOf(url), url, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    await wait(20);
    expect(asked).toBe(0);
  });

  it('by cancelling, ends the read that waits, and frees the connection', async () => {
    const { url, asked } = await upstream((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'),
    );
    const reader = (await ask(poolOf(url), url)).body?.getReader();
    const read = reader?.read();
    await reader?.cancel();
    await expect(read).rejects.toThrow('Nobody waits');
    while (asked.size > 0) await wait(5);
  });
});

describe('an upstream', () => {
  it.each(['by its signal', 'by cancelling'])('%s, opens no other connection', async (how) => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const { url, asked, connections } = await upstream((socket) => socket.write(`${head}2\r\nhi\r\n`));
    const pool = poolOf(url, 3);
    const leaving = new AbortController();
    const { body } = await ask(pool, url, leaving.signal);
    const reader = body?.getReader();
    await reader?.read();
    if (how === 'by cancelling') await reader?.cancel();
    else leaving.abort();
    await expect.poll(() => asked.size).toBe(0);
    // One that is opened for nobody comes before one of another pool.
    await wait(20);
    await (await ask(poolOf(url), url)).body?.getReader().read();
    expect(connections()).toBe(2);
  });

  it('is asked not to pack its answer, which nobody would unpack', async () => {
    const heads: string[] = [];
    const { url } = await upstream((socket, sent) => {
      heads.push(sent.toLowerCase());
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const response = await ask(poolOf(url), url);
    expect((await readAll(response)).length).toBe(0);
    expect(heads).toEqual([expect.stringContaining('accept-encoding: identity\r\n')]);
  });
});

describe('a connection that is kept', () => {
  it('carries many answers, one behind the other, and gathers no listeners', async () => {
    const warnings: string[] = [];
    const warn = (warning: Error) => warnings.push(`${warning}`);
    process.on('warning', warn);
    const used = new Set<Socket>();
    const { url } = await upstream((socket) => {
      used.add(socket);
      socket.setNoDelay().write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\nx-twice: a\r\nx-twice: b\r\ncontent-length: 2\r\n\r\nab');
    });
    const pool = poolOf(url);
    const { signal } = new AbortController();
    for (let n = 0; n < 30; n++) {
      const response = await ask(pool, url, signal);
      expect(response.headers.get('x-twice')).toBe('a, b');
      expect(response.headers.get('x-none')).toBeNull();
      expect((await readAll(response)).toString()).toBe('ab');
    }
    await wait(0);
    process.off('warning', warn);
    expect(used.size).toBe(1);
    expect(warnings).toEqual([]);
  });
});
