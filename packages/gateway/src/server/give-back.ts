// Gives memory back after a peak of connections. A process that has nothing to do collects no garbage, so it would keep
// what thousands of streams left behind until it is busy again.

import type { Server } from 'node:http';

/** A peak has at least so many connections, and is over when an eighth of them is left. */
const PEAK = 256;
const LEFT = 8;

/**
 * Milliseconds after the peak: most of what ended has been let go of by the first, the rest by the last. Not at once, since
 * a collection with no stream open takes hundreds of optimized functions with it, whose objects are all gone: the next
 * peak then costs half as much again. Peaks that follow each other find them as they were.
 */
const PAUSES = [30_000, 35_000];

/** `release` is called after a peak, before garbage is collected. */
export function giveBackAfterPeaks(server: Server, release: () => void): void {
  let open = 0;
  let most = 0;
  let timers: NodeJS.Timeout[] = [];
  const giveBack = (left: number) => {
    // Another peak has begun: the end of that is the better time.
    if (open - left >= PEAK) return;
    release();
    void collectGarbage();
  };
  const ended = () => {
    open--;
    if (most < PEAK || open > most / LEFT) return;
    most = open;
    for (const timer of timers) clearTimeout(timer);
    timers = PAUSES.map((pause) => setTimeout(giveBack, pause, open).unref());
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
