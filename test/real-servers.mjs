// Redis and PostgreSQL, as Debian ships them, each on a free port, in a folder of its own, with a password. A missing
// server is installed where installs.mjs allows it.

import { execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOrInstall, postgresFolders } from './debian.mjs';

/** Stands in every URL, and must stand in no error and no log. */
export const CANARY = 'canary-7f3e/pass word';

const run = promisify(execFile);

/** How long an installation may take, in milliseconds, all attempts together. */
const START_TIME = 40_000;

// --- the two -------------------------------------------------------------------------------------------------

export async function startRedis() {
  const binary = await findOrInstall('redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-redis-'));
  const port = await freePort();
  const config = join(folder, 'redis.conf');
  // Appended to a file without waiting for the disk: what was written outlives the process. With the default, everysec,
  // writes wait up to two seconds for a slow disk while clients have their answer already.
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir "${folder}"`,
    'save ""',
    'appendonly yes',
    'appendfsync no',
    `requirepass "${CANARY}"`,
  ];
  writeFileSync(config, lines.join('\n'), { mode: 0o600 });
  const url = `redis://:${encodeURIComponent(CANARY)}@127.0.0.1:${port}/3`;
  return serve({ folder, port, url, start: () => spawn(binary, [config], { stdio: 'ignore' }) });
}

export async function startPostgres() {
  // What belongs to it lies where it really is.
  const binary = realpathSync(await findOrInstall('postgres', 'postgresql', postgresFolders));
  const initdb = binary.replace(/postgres$/, 'initdb');
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-postgres-'));
  const port = await freePort();
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  const password = join(folder, 'password');
  writeFileSync(password, CANARY, { mode: 0o644 });
  const options = { ...owner, cwd: folder };
  const auth = ['-U', 'dragoman', '-A', 'scram-sha-256', `--pwfile=${password}`];
  await run(initdb, ['-D', data, ...auth, '--no-sync', '--locale=C', '-E', 'UTF8'], {
    ...options,
    timeout: START_TIME,
  });
  const settings = [
    '-F',
    '-c',
    'shared_buffers=16MB',
    '-c',
    'max_connections=60',
    '-c',
    'logging_collector=off',
  ];
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, ...settings];
  const url = `postgres://dragoman:${encodeURIComponent(CANARY)}@127.0.0.1:${port}/postgres`;
  return serve({
    folder,
    port,
    url,
    start: () => spawn(binary, args, { ...options, stdio: 'ignore' }),
    // It lets connections in before it takes them.
    ready: () =>
      run(binary.replace(/postgres$/, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]),
  });
}

async function serve({ folder, port, url, start, ready }) {
  let child;
  const each = (name) => {
    for (const pid of child?.pid === undefined ? [] : familyOf(child.pid)) signal(pid, name);
  };
  const kill = async () => {
    const gone = child && isRunning(child) ? ended(child) : undefined;
    each('SIGKILL');
    await gone;
    child = undefined;
  };
  const restart = async () => {
    child = start();
    const failed = ended(child).then(() => Promise.reject(new Error('the server ended while it started')));
    failed.catch(() => {});
    await Promise.race([failed, waitFor(port, ready)]);
  };
  const onExit = () => each('SIGKILL');
  process.once('exit', onExit);
  const stop = async () => {
    // PostgreSQL gives its shared memory back only if it may go by itself.
    if (child && isRunning(child)) {
      const gone = ended(child);
      child.kill('SIGINT');
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
    }
    await kill();
    process.off('exit', onExit);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await restart();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, kill, restart, stop, pause: () => each('SIGSTOP'), resume: () => each('SIGCONT') };
}

function isRunning(child) {
  return child.exitCode === null && child.signalCode === null;
}

/** A process and its children: PostgreSQL has one for each connection. */
function familyOf(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [pid, ...children.map(Number)];
  } catch {
    return [pid];
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has gone already.
  }
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

// --- where they are ------------------------------------------------------------------------------------------

/** PostgreSQL does not run as root: as its own user then, who also gets the folder. */
function ownerOf(folder) {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres to run it as');
  chownSync(folder, Number(uid), Number(gid));
  return { uid: Number(uid), gid: Number(gid) };
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function waitFor(port, ready = async () => {}) {
  const until = Date.now() + START_TIME;
  for (;;) {
    try {
      await connects(port);
      await ready();
      return;
    } catch {
      if (Date.now() > until) throw new Error(`the server did not start within ${START_TIME / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

function connects(port) {
  return new Promise((resolve, reject) => {
    const socket = dial(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
