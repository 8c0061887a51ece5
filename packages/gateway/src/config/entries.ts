// Turns a list of entries, or a map of them by name, into one shape with the path of each.

import type { Path } from './problem.js';

export interface Entry<Body> {
  path: Path;
  /** Absent for an entry of a list without a name. */
  name?: string;
  /** The path of the name. */
  namePath: Path;
  /** Whether it was written in its short form, as one text. */
  short: boolean;
  body: Body;
}

/** `spread` turns the short form into a body. */
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

/** Turns one text, or a list of them, into a list with the path of each. */
export function listOf(
  written: string | readonly string[] | undefined,
  path: Path,
): { value: string; path: Path }[] {
  if (typeof written === 'string') return [{ value: written, path }];
  return (written ?? []).map((value, at) => ({ value, path: [...path, at] }));
}

/** Gives names as words; of many, the first. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(', ');
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
}

/** Removes undefined members. */
export function defined<T extends object>(
  object: T,
): { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
} {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof defined<T>>;
}
