// One process of the gateway's bench: an HTTP server that reports its CPU and memory to its parent and follows its
// commands. Each server is a process of its own, so that CPU and memory are measured alone.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Use {
  /** Microseconds, of all threads. */
  cpu: number;
  rss: number;
  heap: number;
}

type Actions = Record<string, (value: never) => unknown>;

/** In the child: reports where it listens, then answers its parent. */
export function answerParent(url: string, actions: Actions = {}): void {
  const known: Actions = { use, collect, ...actions };
  process.on('message', async ({ id, action, value }: { id: number; action: string; value: never }) => {
    process.send?.({ id, result: await known[action]?.(value) });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ url });
}

/** In the child: a bare server on any port of loopback. */
export async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function use(): Use {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpu: user + system, rss, heap: heapUsed };
}

/** Twice, with a pause: what is only freed when a finalizer has run goes, too. */
async function collect(): Promise<Use> {
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return use();
}

/** In the parent. */
export class Process {
  #asked = 0;
  readonly #waiting = new Map<number, (result: never) => void>();

  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', ({ id, result }: { id: number; result: never }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** `flags` are Node's own, such as --cpu-prof. */
  static async start(script: string, args: string[] = [], flags: string[] = []): Promise<Process> {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const execArgv = ['--expose-gc', ...flags];
    const child = fork(path, args, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    return new Process(child, url);
  }

  ask<T>(action: string, value?: unknown): Promise<T> {
    const id = ++this.#asked;
    this.child.send({ id, action, value });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async cpu(): Promise<number> {
    return (await this.ask<Use>('use')).cpu;
  }

  async stop(): Promise<void> {
    const over = once(this.child, 'exit');
    this.child.disconnect();
    await over;
  }
}
