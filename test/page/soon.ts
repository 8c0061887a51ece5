import { expect } from 'vitest';

/** What a page shows a moment later: looked at again and again, for as long as a loaded machine may need. */
export const soon = <T>(look: () => T) => expect.poll(look, { timeout: 15_000, interval: 25 });
