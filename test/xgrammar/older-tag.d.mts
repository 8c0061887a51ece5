/** A structural tag as xgrammar 0.1.27 takes it. `most`: how often a repetition without an end is repeated. */
export function olderTag(tag: object, most: number): object;
