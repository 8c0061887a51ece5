// A list of entries, or a map of them by name: one form for both, and the place of each.

import type { Path } from './problem.js';

export interface Entry<Body> {
  path: Path;
  /** Absent in a list where the entry does not name itself. */
  name?: string;
  /** Where the name stands. */
  namePath: Path;
  /** Written as one text. */
  short: boolean;
  body: Body;
}

/** `spread` makes a body of the short form. */
export function entriesOf<Short, Body extends { name?: string | undefined }>(
  written: readonly (Short | Body)[] | Readonly<Record<string, Short | Body>> | undefined,
  root: string,
  spread: (short: Short) => Body,
): Entry<Body>[] {
  if (written === undefined) return [];
  const isList = Array.isArray(written);
  return Object.entries(written).map(([key, value]: [string, Short | Body]) => {
    const path = [root, isList ? Number(key) : key];
    const short = typeof value !== 'object' || value === null;
    const body = short ? spread(value as Short) : (value as Body);
    const name = body.name ?? (isList ? undefined : key);
    const namePath = short || body.name === undefined ? path : [...path, 'name'];
    return { path, namePath, short, body, ...(name !== undefined && { name }) };
  });
}

/** Without the members that are undefined. */
export function defined<T extends object>(
  object: T,
): { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
} {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof defined<T>>;
}
