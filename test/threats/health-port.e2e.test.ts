// `healthPort`: health checks on a port of their own, of one process and of several.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type { SecretLog } from '../../packages/gateway/src/observability/index.js';
import type { HealthStart } from '../../packages/gateway/src/server/health-port.js';
import { listen } from '../scripted/text-model.js';
import { healthPortOf, openServedStage, post } from './served-process.js';
import { apis } from './three-apis.js';

const stage = openServedStage();

interface Checked {
  status: number;
  text: string;
}

async function get(port: string, path: string, method = 'GET'): Promise<Checked> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { status: response.status, text: await response.text() };
}

it.each([1, 2])('answers /healthz and nothing else, with workers: %i', async (workers) => {
  stage.write('health.yaml', `upstream: demo\nhealthPort: 0\nworkers: ${workers}\nshutdown: 1s\n`);
  const gateway = await stage.serve('health.yaml');
  const port = healthPortOf(gateway.stdout);
  expect(port).not.toBe(new URL(gateway.url).port);
  expect(await get(port, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(port, '/healthz', 'HEAD')).toEqual({ status: 200, text: '' });
  for (const path of ['/', '/metrics', '/v1/models']) expect((await get(port, path)).status).toBe(404);
  expect((await get(port, '/healthz', 'POST')).status).toBe(404);
  expect((await post(`${gateway.url}${apis.chat.path}`, { ...apis.chat.body, model: 'demo' })).status).toBe(
    200,
  );
  expect(await gateway.stop('SIGTERM')).toBe(0);
  await expect(get(port, '/healthz')).rejects.toThrow();
});

it('says 503 while the gateway stops, and streams may end', async () => {
  const silent = createHttpServer();
  const url = `http://127.0.0.1:${await listen(silent)}`;
  stage.write('stops.yaml', `upstream: ${url}/v1\nhealthPort: 0\nshutdown: 60s\n`);
  const gateway = await stage.serve('stops.yaml');
  const port = healthPortOf(gateway.stdout);
  const asked = new Promise((tell) =>
    silent.on('request', ({ url: path }) => path?.includes('chat') && tell(true)),
  );
  void post(`${gateway.url}${apis.chat.path}`, apis.chat.body).catch(() => {});
  await asked;
  gateway.child.kill('SIGTERM');
  await expect.poll(() => get(port, '/healthz')).toEqual({ status: 503, text: 'closing\n' });
  silent.closeAllConnections();
  silent.close();
});

it('is refused with its name where the port is taken', async () => {
  const taken = createHttpServer();
  const port = await listen(taken);
  stage.write('taken.yaml', `upstream: demo\nhealthPort: ${port}\n`);
  const gateway = stage.start(['--config', 'taken.yaml', '--port', '0']);
  expect(await gateway.ended).not.toBe(0);
  expect(gateway.stderr).toContain(`cannot listen on the healthPort ${port}`);
  taken.close();
});

it('lets go of thousands of silent connections, and answers then', async () => {
  stage.write('strangers.yaml', 'upstream: demo\nhealthPort: 0\n');
  const gateway = await stage.serve('strangers.yaml');
  const port = healthPortOf(gateway.stdout);
  const sockets: Socket[] = [];
  // Fewer at once than the queue of the port holds. A connection that comes while it is full may be open for its client
  // alone: with SYN cookies the system forgets it, and no server can close it. The queue is in order, so where the check
  // has ended, answered or not, all before it were taken from there.
  for (let wave = 0; wave < 8; wave++) {
    const opened = Array.from({ length: 250 }, () =>
      connect(Number(port), '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    await Promise.all(opened.map((socket) => once(socket, 'connect').catch(() => {})));
    await get(port, '/healthz').catch(() => {});
    sockets.push(...opened);
  }
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
  expect(await get(port, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(gateway.stdout).not.toContain('another takes its place');
});

it('says that the main thread is stuck where its count stands still', async () => {
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const script = new URL('../../packages/gateway/dist/server/health-thread.js', import.meta.url);
  const workerData: HealthStart = { host: '127.0.0.1', port: 0, beats, stuck: 1500 };
  const thread = new Worker(script, { workerData });
  const [{ port }] = (await once(thread, 'message')) as [{ port: number }];
  expect((await get(`${port}`, '/healthz')).text).toBe('ok\n');
  await expect
    .poll(() => get(`${port}`, '/healthz'), { interval: 500 })
    .toEqual({ status: 503, text: 'stuck\n' });
  Atomics.add(beats, 0, 1);
  expect((await get(`${port}`, '/healthz')).text).toBe('ok\n');
  await thread.terminate();
});

it('has another thread where one ends', async () => {
  const script = new URL('../../packages/gateway/dist/server/health-port.js', import.meta.url).href;
  const { openHealthPort }: typeof import('../../packages/gateway/src/server/health-port.js') = await import(
    script
  );
  const threads: Worker[] = [];
  process.on('worker', (thread) => threads.push(thread));
  let port = 0;
  const log = { info: (fields: { port: number }) => (port = fields.port), warn: () => {}, error: () => {} };
  const health = await openHealthPort({ host: '127.0.0.1', healthPort: 0 }, log as unknown as SecretLog);
  await threads[0]?.terminate();
  await expect
    .poll(() => get(`${port}`, '/healthz').catch(() => undefined))
    .toEqual({ status: 200, text: 'ok\n' });
  expect(threads).toHaveLength(2);
  await health?.close();
});
