// What the calls of an output should have been.

import type { ExactObject, ExactValue } from '@dragoman/core/internal';
import { wrongRow } from '../forms/form.js';
import { isRow, keysOf, memberAt, memberOf } from '../forms/members.js';
import { listOf, readCalls } from './calls.js';
import { differenceOf, isSame, shown } from './values.js';

export interface ExpectedCall {
  name: string;
  /** Undefined: any arguments. */
  input?: ExactObject | undefined;
  /** In place of `input`: for each parameter a list of values, one of which is right. `""` in a list: it may be absent. */
  accepted?: ExactObject;
}

export interface Expected {
  calls: ExpectedCall[];
  /** At least one call, whichever. */
  anyCall?: boolean;
  /** A dot and an underscore in a name are the same: APIs allow no dots. */
  looseNames?: boolean;
}

/** Reads a list of calls, or `{"calls": […]}`. */
export function readExpected(value: ExactValue, path: string): Expected {
  const calls = isRow(value) ? memberOf(value, 'calls') : undefined;
  const read = readCalls(calls ?? value, calls === undefined ? path : `${path}.calls`);
  return { calls: read.map(({ name, input }) => ({ name, input })) };
}

/** Reads calls with lists of accepted values: `[{"name": {"parameter": [values]}}]`. */
export function readAccepted(value: ExactValue, path: string): Expected {
  const list = listOf(value);
  if (list === undefined) throw wrongRow(path, 'a list of accepted calls', value);
  const calls = list.map((one, at): ExpectedCall => {
    const [name, ...others] = isRow(one) ? keysOf(one) : [];
    const accepted = name === undefined ? undefined : memberAt(one as ExactObject, name);
    if (name === undefined || others.length > 0 || !isRow(accepted))
      throw wrongRow(`${path}[${at}]`, 'an object with the name of the function and its parameters', one);
    return { name, accepted };
  });
  return { calls, looseNames: true };
}

export function isSameName(found: string, wanted: string, loose: boolean): boolean {
  return found === wanted || (loose && found.replaceAll('.', '_') === wanted.replaceAll('.', '_'));
}

/** Describes why the arguments are wrong; undefined if they are right. */
export function argumentFault(found: ExactObject, { input, accepted }: ExpectedCall): string | undefined {
  if (accepted) return acceptedFault(found, accepted, '');
  return input === undefined ? undefined : differenceOf(found, input);
}

function acceptedFault(found: ExactObject, accepted: ExactObject, path: string): string | undefined {
  for (const key of keysOf(found)) {
    const options = memberAt(accepted, key);
    const at = path + key;
    const value = memberAt(found, key) as ExactValue;
    if (options === undefined) return `${at} is not expected`;
    if (!optionsOf(options).some((option) => isAccepted(value, option)))
      return `${at}: expected ${shown(options)}, found ${shown(value)}`;
  }
  const missing = keysOf(accepted).find(
    (key) =>
      memberAt(found, key) === undefined && !optionsOf(memberAt(accepted, key) as ExactValue).includes(''),
  );
  return missing === undefined ? undefined : `${path}${missing} is missing`;
}

function optionsOf(value: ExactValue): ExactValue[] {
  return Array.isArray(value) ? value : [value];
}

/** Texts are the same without regard to case, spaces and the marks of dates and units, as the leaderboard has it. */
function isAccepted(value: ExactValue, option: ExactValue): boolean {
  if (typeof value === 'string' && typeof option === 'string') return folded(value) === folded(option);
  if (Array.isArray(value) && Array.isArray(option))
    return (
      value.length === option.length && value.every((one, at) => isAccepted(one, option[at] as ExactValue))
    );
  if (isRow(value) && isRow(option)) return acceptedFault(value, option, '') === undefined;
  return isSame(value, option);
}

function folded(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}
