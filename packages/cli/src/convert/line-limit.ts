// How long a line may be, and what is kept of one that is longer.

export const LINE_LIMIT = 64 * 1024 * 1024;

/** Bytes of a line that is too long, for whoever looks for it. */
export function keptOfLongLine(limit: number): number {
  return Math.min(1024, limit);
}

export const LINE_BREAK = 0x0a;
