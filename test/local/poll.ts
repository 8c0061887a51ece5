// Looks again and again until something is as it should be.

import { setTimeout as wait } from 'node:timers/promises';

export async function poll<Found>(
  look: () => Promise<Found>,
  isRight: (found: Found) => boolean,
  time = 120_000,
): Promise<Found> {
  const end = Date.now() + time;
  for (;;) {
    const found = await look();
    if (isRight(found)) return found;
    if (Date.now() > end) throw new Error(`waited in vain: ${JSON.stringify(found).slice(0, 300)}`);
    await wait(20);
  }
}
