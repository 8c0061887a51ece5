// What the numbers are held to, here and in test/speed.test.ts and test/bundle.test.ts.

/** A doubled input, against the time of the single one. */
export const DOUBLING = 2.5;
/** 1 MB of one string argument in single characters, against the floor. */
export const ARGUMENT_TO_FLOOR = 10;
/** The last tenth of that argument, against the first. */
export const LAST_TO_FIRST_TENTH = 1.3;
/** Prose in deltas of four characters, against the floor. */
export const PROSE_TO_FLOOR = 3;
/** Bytes of the browser bundle as servers send it today (brotli), without the template engine. */
export const BUNDLE_BYTES = 60_000;
/** Bytes by which the heap may grow over 64 MB of text or reasoning. */
export const HEAP_GROWTH = 4 * 1024 * 1024;
