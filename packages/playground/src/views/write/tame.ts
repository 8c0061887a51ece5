// A conversation made harmless: wherever a marker could begin, another character stands. What it renders to has the
// frames that the conversation ought to have, and is what the real one is held against.

const HARMLESS = '·';

/** A copy in which no string, key or JSON text holds one of `firsts`. `value` is what `toRequest` gives. */
export function tame(value: unknown, firsts: string): unknown {
  if (typeof value === 'string') return tameText(value, firsts);
  if (Array.isArray(value)) return value.map((item) => tame(item, firsts));
  if (value instanceof Map)
    return new Map([...value].map(([key, member]) => [tame(key, firsts), tame(member, firsts)]));
  if (typeof value !== 'object' || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  // Numbers that keep their digits are objects of a class of their own.
  if (prototype !== Object.prototype && prototype !== null) return value;
  return new Map(Object.entries(value).map((entry) => tameMember(entry, value, firsts)));
}

/** The arguments of a call are JSON text, in which `[` may be where a list begins. */
function tameMember([key, member]: [string, unknown], owner: object, firsts: string): [string, unknown] {
  const isInput = key === 'input' && (owner as { type?: unknown }).type === 'tool-call';
  if (isInput && typeof member === 'string') return [key, tame(readInput(member), firsts)];
  return [tameText(key, firsts), tame(member, firsts)];
}

function readInput(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return {};
  }
}

function tameText(text: string, firsts: string): string {
  let tamed = text;
  for (const first of firsts) tamed = tamed.replaceAll(first, HARMLESS);
  return tamed;
}
