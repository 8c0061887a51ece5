// Turns zod's issues into problems that people can act on.

import type { z } from 'zod';
import { isPublic } from './hide-secrets.js';
import { nearest } from './nearest.js';
import type { Path } from './problem.js';
import { optionPlaces } from './shape.js';
import type { Fault, PlacedFault } from './source.js';

type Issue = z.core.$ZodIssue;

/** The names that other programs have for our members. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ...['baseurl', 'apibase', 'endpoint', 'address'].map((word) => [word, 'url'] as const),
  ...['apikey', 'token', 'secret'].map((word) => [word, 'key'] as const),
  ['type', 'kind'],
  ['provider', 'upstream'],
  ['providers', 'upstreams'],
  ['modelname', 'name'],
  ['modellist', 'models'],
  ['rpm', 'requestsPerMinute'],
  ['timeout', 'timeouts'],
  ['cors', 'origins'],
  ['loglevel', 'log'],
]);

/**
 * `root` is the value with its variables filled in; `variables` gives those that filled a path. One by one: of a file
 * with thousands of faults only the first are described.
 */
export function* shapeFaults(
  issues: readonly Issue[],
  root: unknown,
  variables: (path: Path) => readonly string[],
): Generator<PlacedFault> {
  for (const { issue, path } of issues.flatMap((issue) => leaves(issue, [], root))) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) yield unknownMember(path, key, issue.message);
    } else yield { path, fault: valueFault(issue, path, valueAt(root, path), variables(path)) };
  }
}

function valueFault(issue: Issue, path: Path, value: unknown, variables: readonly string[]): Fault {
  const hint = hintFor(issue, value, path);
  const message = `expected ${issue.message}, found ${describe(path, value, variables)}`;
  return { message, ...(hint !== undefined && { hint }) };
}

/** Of several allowed forms, picks the one that was meant: the only one with the right type of value. */
function leaves(issue: Issue, before: Path, root: unknown): { issue: Issue; path: Path }[] {
  const path = [...before, ...(issue.path as Path)];
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  const isText = typeof valueAt(root, path) === 'string';
  const meant = issue.errors.filter((branch) => !branch.some((inner) => isOtherKind(inner, isText)));
  const [only] = meant;
  if (meant.length !== 1 || !only) return [{ issue, path }];
  return only.flatMap((inner) => leaves(inner, path, root));
}

/** Whether the value has another type: a text that is none of the choices still has the right one. */
function isOtherKind(issue: Issue, isText: boolean): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union')
    return issue.errors.every((branch) => branch.some((inner) => isOtherKind(inner, isText)));
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && !isText);
}

function unknownMember(path: Path, key: string, message: string): PlacedFault {
  const known = message.split(', ').filter((name) => name !== '$schema');
  const plain = key.toLowerCase().replaceAll('_', '').replaceAll('-', '');
  const other = otherWords.get(plain);
  const meant = other !== undefined && known.includes(other) ? other : nearest(key, known);
  const hint =
    meant === undefined ? (placesOf(key) ?? `There are ${known.join(', ')}.`) : `Did you mean ${meant}?`;
  return { path: [...path, key], fault: { message: 'there is no such option here', hint, at: 'key' } };
}

function placesOf(key: string): string | undefined {
  const places = [...optionPlaces].filter(([, options]) => Object.hasOwn(options, key));
  if (places.length === 0) return undefined;
  return `It is an option of ${places.map(([place]) => place).join(' and of ')}.`;
}

/** Describes a value. It is repeated only if it cannot be a secret, and never if it came from a variable. */
function describe(path: Path, value: unknown, variables: readonly string[] = []): string {
  const [variable] = variables;
  if (variable !== undefined) return `what \${${variable}} holds`;
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'function') return 'a function';
  const quoted = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const shown = isPublic(path, String(value)) ? ` ${shortened(quoted)}` : '';
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : shown === '' ? 'another text' : shown.trim();
  if (typeof value === 'number') return shown === '' ? 'a number' : `the number${shown}`;
  return `${typeof value}${shown}`;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function hintFor(issue: Issue, value: unknown, path: Path): string | undefined {
  if (issue.code === 'invalid_value' && typeof value === 'string' && isPublic(path, value)) {
    const meant = nearest(value, issue.values.map(String));
    return meant === undefined ? undefined : `Did you mean ${meant}?`;
  }
  const wantsText = issue.code === 'invalid_type' && issue.expected === 'string';
  return wantsText && (typeof value === 'number' || typeof value === 'boolean')
    ? 'Put it in quotes.'
    : undefined;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
