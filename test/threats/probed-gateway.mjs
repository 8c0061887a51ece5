// The built gateway in a process of its own, which reports the longest stretch that its main thread worked without a
// pause, and its memory. Arguments: the upstream's address, its kind, and options of the gateway as JSON.

import { readFileSync } from 'node:fs';
import { configFromFlags, serve } from '../../packages/gateway/dist/index.js';

const [upstream, kind, more = '{}'] = process.argv.slice(2);
const flags = { upstream, kind, dialect: 'hermes', port: 0, log: 'silent' };
const { config } = configFromFlags(flags, {});
const { limits, ...rest } = JSON.parse(more);
const gateway = await serve({ ...config, ...rest, limits: { ...config.limits, ...limits } });

/** Milliseconds of processor time of the main thread; Linux counts them in tens. */
function workedUntilNow() {
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Milliseconds of processor time of all threads, exactly. */
function workedInAll() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const TICK = 10;
const look = () => ({ at: performance.now(), worked: workedUntilNow(), inAll: workedInAll() });
let seen = look();
let stretch = 0;
let peak = 0;
setInterval(() => {
  const now = look();
  // What another process took of the machine is no work of this one. Each of the three is an upper bound.
  const worked = Math.min(now.worked - seen.worked + TICK, now.inAll - seen.inAll);
  stretch = Math.max(stretch, Math.min(now.at - seen.at, worked));
  seen = now;
  peak = Math.max(peak, process.memoryUsage.rss());
}, 1);

process.on('message', (asked) => {
  if (asked === 'reset') {
    seen = look();
    stretch = 0;
    peak = 0;
  }
  if (asked === 'collect') globalThis.gc?.();
  process.send({ stretch, peak, ...process.memoryUsage(), open: gateway.app.open });
});
process.send({ url: gateway.url });
