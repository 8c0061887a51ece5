// A Redis that can be killed and comes back empty.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findOrInstall } from '../debian.mjs';

/** A Redis that keeps nothing on the disk: when it comes back, it knows nothing. */
export async function startForgetfulRedis() {
  const binary = await findOrInstall('redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-scale-redis-'));
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  let child;
  const start = async () => {
    child = spawn(binary, args, { stdio: 'ignore' });
    while (!(await answers(port))) await delay(20);
  };
  const kill = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return { url: `redis://127.0.0.1:${port}`, kill, start };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end('PING\r\n'));
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
}
