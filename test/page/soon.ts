// What a page shows a moment later. Not vitest's own poll: that asks which test runs, and here several do at once.

import { type Assertion, expect } from 'vitest';

/** Milliseconds: as long as a loaded machine may need. */
const PATIENCE = 120_000;
/** Milliseconds between two looks: at first, and at most. Each look costs the browser and this process some. */
const FIRST_PAUSE = 40;
const LONGEST_PAUSE = 320;

type Matcher = (...expected: unknown[]) => void;

/** Looked at again and again, until it is so. */
export const soon = <T>(look: () => T) =>
  eventually(look, (value) => expect(value)) as ReturnType<typeof expect.poll<T>>;

function eventually(look: () => unknown, assertionOf: (value: unknown) => Assertion<unknown>): object {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'not') return eventually(look, (value) => assertionOf(value).not);
        return (...expected: unknown[]) =>
          untilItHolds(async () => {
            const assertion = assertionOf(await look());
            (Reflect.get(assertion, name) as Matcher).apply(assertion, expected);
          });
      },
    },
  );
}

async function untilItHolds(check: () => Promise<void>): Promise<void> {
  const until = Date.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 1.5)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await new Promise((wait) => setTimeout(wait, pause));
  }
}
