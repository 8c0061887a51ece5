// The built gateway in a process of its own, which reports the longest stretch that its main thread worked without a
// pause, how long it worked while requests waited, and its memory. Arguments: the upstream's address, its kind, options of
// the gateway as JSON, and a configuration instead of them, which is read again when it changes.

import { readFileSync } from 'node:fs';
import { loadConfig, watchConfig } from '../../packages/gateway/dist/config/index.js';
import { configFromFlags, serve } from '../../packages/gateway/dist/index.js';

const [upstream, kind, more = '{}', path] = process.argv.slice(2);
const own = { port: 0, log: 'silent' };
const { limits, ...rest } = JSON.parse(more);
const { config } = path
  ? await loadConfig(path, { flags: own })
  : configFromFlags({ upstream, kind, dialect: 'hermes', ...own }, {});
const gateway = await serve({ ...config, ...rest, limits: { ...config.limits, ...limits } });
if (path) {
  const read = (result) => {
    if (result.ok) gateway.reload(result.config);
  };
  watchConfig(path, read, { flags: own });
}

/** Milliseconds of processor time of the main thread, which Linux counts at each tick and each pause. */
function workedUntilNow() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Milliseconds of processor time of all threads, exactly. */
function workedInAll() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds from one tick to the next, as most kernels are built. */
const TICK = 4;
const look = () => ({
  at: performance.timeOrigin + performance.now(),
  worked: workedUntilNow(),
  inAll: workedInAll(),
});
let seen = look();
/** Everything seen since the last reset, in order. */
let looks = [seen];
let stretch = 0;
let peak = 0;
setInterval(() => {
  const now = look();
  stretch = Math.max(stretch, Math.min(now.at - seen.at, workedBetween(seen, now)));
  seen = now;
  looks.push(now);
  peak = Math.max(peak, process.memoryUsage.rss());
}, 1);

/** What another process took of the machine is no work of this one. Both are upper bounds. */
function workedBetween(from, to) {
  return Math.min(to.worked - from.worked + TICK, to.inAll - from.inAll);
}

/** The longest of these waits in processor time: what was worked between the looks around it. */
function longestOf(waits) {
  looks.push(look());
  let longest = 0;
  let at = 0;
  for (const [from, to] of waits) {
    while (at + 1 < looks.length && looks[at + 1].at <= from) at++;
    let end = at;
    while (end + 1 < looks.length && looks[end].at < to) end++;
    longest = Math.max(longest, Math.min(to - from, workedBetween(looks[at], looks[end])));
  }
  return longest;
}

process.on('message', (asked) => {
  if (asked === 'reset') {
    seen = look();
    looks = [seen];
    stretch = 0;
    peak = 0;
  }
  if (asked === 'collect') globalThis.gc?.();
  const wait = asked.waits ? longestOf(asked.waits) : 0;
  process.send({ stretch, wait, peak, ...process.memoryUsage(), open: gateway.app.open });
});
process.send({ url: gateway.url });
