// A stretch of work in a trace, whoever carries it away.

export type AttributeValue = string | number | boolean | string[];
export type Attributes = Record<string, AttributeValue | undefined>;

export interface Span {
  rename(name: string): void;
  set(attributes: Attributes): void;
  event(name: string): void;
  /** A request that was made for this one. */
  child(name: string, attributes: Attributes): Span;
  /** `failed`: it did not do what it was for. */
  end(failed?: boolean): void;
}

/** Undefined where nobody wants it. */
export type StartSpan = (name: string, traceparent: string | undefined) => Span | undefined;

const MAX_TEXT = 256;

/** What is there, with texts of a sane length. */
export function definedAttributes(attributes: Attributes): [string, AttributeValue][] {
  const entries: [string, AttributeValue][] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) continue;
    entries.push([key, Array.isArray(value) ? value.slice(0, 64).map(cut) : cut(value)]);
  }
  return entries;
}

function cut<T>(value: T): T | string {
  return typeof value === 'string' && value.length > MAX_TEXT
    ? value.slice(0, MAX_TEXT).toWellFormed()
    : value;
}
