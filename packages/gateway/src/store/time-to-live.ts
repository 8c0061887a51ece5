/** Ten years: more than servers can count must not become an error. */
const MOST_SECONDS = 10 * 366 * 24 * 3600;

/** Seconds, as whole milliseconds that every server takes. */
export function milliseconds(seconds: number): number {
  return Math.max(1, Math.ceil(Math.min(seconds, MOST_SECONDS) * 1000)) || 1;
}
