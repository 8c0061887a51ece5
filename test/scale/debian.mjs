// Programs as Debian ships them. What is missing is installed, if we may.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Throws where it is not there and cannot be installed. */
export async function findOrInstall(program, debianPackage = program) {
  if (isThere(program)) return program;
  if (process.getuid?.() !== 0) throw new Error(`${program} is not installed, and only root can install it`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const lock = ['-F', '-w', '120', join(tmpdir(), 'dragoman-apt.lock'), 'apt-get', '-qq'];
  const install = () =>
    run('flock', [...lock, 'install', '-y', '--no-install-recommends', debianPackage], options);
  await install().catch(() => run('flock', [...lock, 'update'], options).then(install));
  if (!isThere(program)) throw new Error(`${debianPackage} was installed, but brought no ${program}`);
  return program;
}

function isThere(program) {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

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
