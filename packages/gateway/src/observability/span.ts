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

/** The header `traceparent` of W3C Trace Context: which trace a request belongs to. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const MAX_HEADER = 256;
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined if there is none, or one that must be ignored. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  if (header === undefined || header.length > MAX_HEADER) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
