// The gateways of a soak with faults: the command, in processes of its own.

import { fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { KEYS } from './asking.mjs';

const checking = fileURLToPath(new URL('../threats/health-checks.mjs', import.meta.url));
const measured = new URL('measured.mjs', import.meta.url).href;
const bin = fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));
/** Milliseconds in which a gateway must be ready, know a configuration, or have its workers again. */
const PATIENCE = 30_000;

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Gives whether it held in time. */
export async function until(holds, time = PATIENCE) {
  for (const end = Date.now() + time; Date.now() < end; await wait(50)) if (await holds()) return true;
  return false;
}

export class Gateway {
  /** `isMeasured`: it can tell what it holds. */
  constructor(name, config, isMeasured = false) {
    this.name = name;
    this.config = config;
    this.isMeasured = isMeasured;
  }

  async start() {
    const flags = this.isMeasured ? ['--expose-gc', '--import', measured] : [];
    const argv = [...flags, bin, 'serve', '--config', this.config, '--port', '0', '--log', 'error'];
    // As in the Dockerfile and the unit of systemd: otherwise glibc keeps what was freed.
    const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '8192' };
    const stdio = ['ignore', 'pipe', 'inherit', ...(this.isMeasured ? ['ipc'] : [])];
    const child = spawn(process.execPath, argv, { stdio, env });
    running.add(child);
    this.child = child;
    this.ended = new Promise((tell) =>
      child.once('exit', (code, signal) => {
        running.delete(child);
        tell(code ?? signal);
      }),
    );
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
    if (!(await until(() => said.includes('Stop with Ctrl-C.'), 60_000)))
      throw new Error(`${this.name} does not start: ${said}`);
    this.url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)[0];
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** The other port on which it listens: the log that names it is not written here. */
  get healthPort() {
    const folder = `/proc/${this.child.pid}/fd`;
    const links = new Set(readdirSync(folder).map((name) => linkOf(`${folder}/${name}`)));
    const isIts = ({ isListening, inode, local }) =>
      isListening && links.has(`socket:[${inode}]`) && local !== this.port;
    const found = sockets().find(isIts);
    if (!found) throw new Error(`${this.name} has no healthPort`);
    return found.local;
  }

  /** Checks its health on a kept connection until the function is called that it gives; that gives the checks. */
  async checkHealth(port) {
    const child = fork(checking, [port, 'kept']);
    running.add(child);
    const heard = () => new Promise((tell) => child.once('message', tell));
    await heard();
    return async () => {
      const told = heard();
      child.send('stop');
      running.delete(child);
      // In the time of this process.
      const { timeOrigin } = performance;
      return (await told).kept.map(([from, to, status]) => [from - timeOrigin, to - timeOrigin, status]);
    };
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Over a connection of its own, so that with several workers each has its turn. */
  get(path, key = 'alice') {
    return new Promise((tell) => {
      const headers = { authorization: `Bearer ${KEYS[key]}` };
      const sent = request(this.url + path, { agent: false, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        response.on('error', () => tell({ status: 0, text }));
        response.on('end', () => tell({ status: response.statusCode, text }));
      });
      sent.on('error', () => tell({ status: 0, text: '' })).end();
    });
  }

  async isReady() {
    return (await this.get('/readyz')).status === 200;
  }

  /** Whether all workers have this configuration, as far as several requests can show it. */
  async uses(configuration) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => this.get('/v1/models')));
    return answers.every(({ text }) => text.includes(`"of-${configuration}"`));
  }

  /** The processes that the gateway has started. */
  get workers() {
    const { pid } = this.child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  async measure() {
    const told = new Promise((tell) => this.child.once('message', tell));
    this.child.send('measure');
    return told;
  }

  /** Open descriptors by their kind; the most of all workers, if there are some. `ports`: names of what is reached. */
  descriptors(ports) {
    const counts = descriptorsOf(this.child.pid, ports);
    for (const worker of this.workers) {
      for (const [kind, count] of Object.entries(descriptorsOf(worker, ports)))
        counts[`${kind} of a worker`] = Math.max(counts[`${kind} of a worker`] ?? 0, count);
    }
    return counts;
  }
}

function descriptorsOf(pid, ports) {
  const kinds = socketKinds(ports);
  const counts = {};
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    const kind = kindOf(`/proc/${pid}/fd/${descriptor}`, kinds);
    if (kind) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Undefined if it was closed meanwhile. */
function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** `pipe` of `pipe:[1234]`; undefined if it was closed meanwhile. */
function kindOf(path, kinds) {
  const [kind, inode] = linkOf(path)?.split(/:\[(?=\d)|\]/) ?? [];
  return kind === 'socket' ? (kinds.get(inode) ?? kind) : kind;
}

const LISTENS = '0A';

/** The sockets of TCP on this machine. */
function sockets() {
  const rows = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1),
  );
  const portOf = (address) => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
  return rows.map((row) => {
    const [, local = '', remote = '', state, , , , , , inode] = row.trim().split(/\s+/);
    return { inode, local: portOf(local), remote: portOf(remote), isListening: state === LISTENS };
  });
}

/** Their kinds by their inodes: `socket to Redis`. */
function socketKinds(ports) {
  return new Map(
    sockets().map(({ inode, remote, isListening }) => [
      inode,
      isListening ? 'listening socket' : `socket to ${ports.get(remote) ?? 'a client'}`,
    ]),
  );
}
