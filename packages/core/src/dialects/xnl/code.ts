// Writes a call as a line of JavaScript that means the same whether a program runs it or parses it.

import { inputOf } from '../../families/writing/exact-input.js';
import { ExactNumber, type ExactValue, exactEntries, type ToolCall } from '../../model/index.js';
import { isIdentifier, quote, toXnlPath } from './names.js';

export function codeOf(call: ToolCall): string {
  return `${toXnlPath(call.name)}(${valueCode(inputOf(call), '')})`;
}

function valueCode(value: ExactValue, margin: string): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    return bracket(
      '[',
      value.map((item) => valueCode(item, inner)),
      ']',
      margin,
    );
  }
  const members = exactEntries(value).map(([key, member]) => `${keyCode(key)}: ${valueCode(member, inner)}`);
  return bracket('{', members, '}', margin);
}

/** Writes a key. A plain `__proto__` would set the prototype; in brackets it is an ordinary key. */
function keyCode(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return isIdentifier(key) ? key : quote(key);
}

function bracket(open: string, items: readonly string[], close: string, margin: string): string {
  if (items.length === 0) return open + close;
  const line = `\n${margin}  `;
  return `${open}${line}${items.join(`,${line}`)}\n${margin}${close}`;
}
