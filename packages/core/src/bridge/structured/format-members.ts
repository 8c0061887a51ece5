// The members in which clients ask for a form of the answer's text, in the APIs that have them.

import { isObject, type ModelRequest } from '../../model/index.js';

/** Members that are a format, and those that have one beside other settings. */
const whole = ['response_format', 'output_format'];
const holders = ['text', 'output_config'];

export function saysFormat(key: string): boolean {
  return whole.includes(key) || holders.includes(key);
}

/** A member beside the format, which emulate/thinking.ts reads. */
const EFFORT = 'effort';

/** Gives what of such a member has no effect: all but a format that was read, or that asks for any text. */
export function ignoredFormats({ format }: ModelRequest, key: string, value: unknown): string[] {
  const isRead = (given: unknown) => format !== undefined || (isObject(given) && given.type === 'text');
  if (whole.includes(key)) return isRead(value) ? [] : [key];
  if (!isObject(value)) return [key];
  const rest = Object.entries(value).filter(
    ([name, member]) =>
      member !== null && member !== undefined && name !== EFFORT && !(name === 'format' && isRead(member)),
  );
  return rest.map(([name]) => `${key}.${name}`);
}
