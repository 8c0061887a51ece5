// Gives memory back after a peak of connections. A process that has nothing to do collects no garbage, so it would keep
// what thousands of streams left behind until it is busy again.

import type { Server } from 'node:http';

/** A peak has at least so many connections, and is over when an eighth of them is left. */
const PEAK = 256;
const LEFT = 8;

/**
 * Milliseconds of quiet after a peak. A collection with no stream open takes hundreds of optimized functions with it,
 * whose objects are all gone, and the next peak costs half as much again: peaks that follow each other put it off.
 */
const QUIET = 30_000;
/** Milliseconds after which they put it off no longer. */
const LATEST = 300_000;
/** Milliseconds after that: most of what ended has been let go of by the first, the rest by the last. */
const PAUSES = [1000, 6000];

/** `release` is called after a peak, before garbage is collected. */
export function giveBackAfterPeaks(server: Server, release: () => void): void {
  let open = 0;
  let most = 0;
  let timers: NodeJS.Timeout[] = [];
  /** When the first peak ended whose memory is still kept. */
  let since: number | undefined;
  const giveBack = (left: number) => {
    // Another peak has begun: the end of that is the better time.
    if (open - left >= PEAK) return;
    since = undefined;
    release();
    void collectGarbage();
  };
  const ended = () => {
    open--;
    if (most < PEAK || open > most / LEFT) return;
    most = open;
    since ??= Date.now();
    const quiet = Date.now() - since > LATEST ? 0 : QUIET;
    for (const timer of timers) clearTimeout(timer);
    timers = PAUSES.map((pause) => setTimeout(giveBack, quiet + pause, open).unref());
  };
  server.on('connection', (socket) => {
    most = Math.max(most, ++open);
    socket.once('close', ended);
  });
}

/** By the inspector of this process, to which nothing can connect. A Node that was built without one collects later. */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector').catch(() => ({ Session: undefined }));
  if (!Session) return;
  const session = new Session();
  session.connect();
  // To disconnect in the callback itself would never return.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
}
