// Writes JSON with a space after commas and colons, as Python wrote the published rows. Numbers keep their original
// spelling, unlike in Python.

import { ExactNumber, type ExactValue, exactEntries } from '@dragoman/core/internal';

/** `step`: the indentation of each level, for JSON of several lines. */
export function writeSpaced(value: ExactValue, step = '', margin = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  const inner = margin + step;
  if (Array.isArray(value)) {
    return bracket(
      '[',
      value.map((item) => writeSpaced(item, step, inner)),
      ']',
      step,
      margin,
    );
  }
  const members = exactEntries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${writeSpaced(member, step, inner)}`,
  );
  return bracket('{', members, '}', step, margin);
}

function bracket(
  open: string,
  items: readonly string[],
  close: string,
  step: string,
  margin: string,
): string {
  if (step === '' || items.length === 0) return `${open}${items.join(', ')}${close}`;
  const line = `\n${margin}${step}`;
  return `${open}${line}${items.join(`,${line}`)}\n${margin}${close}`;
}
