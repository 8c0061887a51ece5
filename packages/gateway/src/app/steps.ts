// Work in small steps. What a configuration decides is made of thousands of models and keys: others wait for the whole of
// it where it is done at once, and for a slice of it where it pauses.

export type Steps<T = void> = Generator<undefined, T>;

/** How work is divided: it goes on when this settles. */
export type Pause = () => Promise<void>;

/** Steps that are taken at once: a configuration of usual size has fewer. */
const AT_ONCE = 500;

/** Milliseconds of a slice. */
const SLICE = 2;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Takes the first steps at once, and if those were not all, the others in slices: then a promise is given. The work is
 * left undone where `goesOn` says so after a pause.
 */
export function inSlices(steps: Steps, pause: Pause, goesOn: () => boolean): Promise<void> | undefined {
  for (let step = 0; step < AT_ONCE; step++) if (steps.next().done) return undefined;
  return goOn(steps, pause, goesOn);
}

async function goOn(steps: Steps, pause: Pause, goesOn: () => boolean): Promise<void> {
  for (;;) {
    await pause();
    if (!goesOn()) return;
    const end = performance.now() + SLICE;
    while (performance.now() < end) if (steps.next().done) return;
  }
}
