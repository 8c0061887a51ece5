// How much of what has many cases a run tries: `DRAGOMAN_EFFORT=1`, the full measure, tries all of them, every night.

export const isFull = Number(process.env.DRAGOMAN_EFFORT ?? 1) >= 1;

/** All cases in the full measure, else one of so many. */
export function oneOf<T>(step: number, cases: readonly T[]): T[] {
  return isFull ? [...cases] : cases.filter((_, at) => at % step === 0);
}
