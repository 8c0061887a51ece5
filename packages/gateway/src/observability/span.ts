// One span of a trace, independent of the exporter.

export type AttributeValue = string | number | boolean | string[];
export type Attributes = Record<string, AttributeValue | undefined>;

export interface Span {
  rename(name: string): void;
  set(attributes: Attributes): void;
  event(name: string): void;
  /** Starts a child span for a request to an upstream. */
  child(name: string, attributes: Attributes): Span;
  /** Ends the span. `failed`: the work did not succeed. */
  end(failed?: boolean): void;
}

/** Undefined where no exporter samples it. */
export type StartSpan = (name: string, traceparent: string | undefined) => Span | undefined;

const MAX_TEXT = 256;

/** The attributes that are defined, with long texts cut. */
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
