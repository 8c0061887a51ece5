// A span of our own, and how OTLP writes it in JSON: ids in hex, times in nanoseconds as text, integers as text.

import {
  type Attributes,
  type AttributeValue,
  definedAttributes,
  parseTraceParent,
  type Span,
  type TraceParent,
} from './span.js';

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 2 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: object }[];
  events: { timeUnixNano: string; name: string }[];
  status: { code?: 2 };
}

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

/** Undefined if the trace of the caller is not sampled. */
export function startOtlpSpan(
  name: string,
  traceparent: string | undefined,
  onEnd: (span: OtlpSpan) => void,
): Span | undefined {
  const parent = parseTraceParent(traceparent);
  if (parent && !parent.sampled) return undefined;
  return new Recording(name, SERVER, parent ?? { traceId: randomHex(16) }, newClock(), onEnd);
}

class Recording implements Span {
  readonly #spanId = randomHex(8);
  readonly #attributes = new Map<string, AttributeValue>();
  readonly #events: OtlpSpan['events'] = [];
  readonly #start: string;
  #ended = false;

  constructor(
    public name: string,
    readonly kind: 2 | 3,
    readonly parent: Pick<TraceParent, 'traceId'> & Partial<TraceParent>,
    readonly now: () => string,
    readonly onEnd: (span: OtlpSpan) => void,
  ) {
    this.#start = now();
  }

  rename(name: string): void {
    this.name = name;
  }

  set(attributes: Attributes): void {
    for (const [key, value] of definedAttributes(attributes)) this.#attributes.set(key, value);
  }

  event(name: string): void {
    if (this.#events.length < 64) this.#events.push({ timeUnixNano: this.now(), name });
  }

  child(name: string, attributes: Attributes): Span {
    const parent = { traceId: this.parent.traceId, spanId: this.#spanId };
    const span = new Recording(name, CLIENT, parent, this.now, this.onEnd);
    span.set(attributes);
    return span;
  }

  end(failed = false): void {
    if (this.#ended) return;
    this.#ended = true;
    const { traceId, spanId: parentSpanId } = this.parent;
    this.onEnd({
      traceId,
      spanId: this.#spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      name: this.name,
      kind: this.kind,
      startTimeUnixNano: this.#start,
      endTimeUnixNano: this.now(),
      attributes: [...this.#attributes].map(([key, value]) => ({ key, value: toAnyValue(value) })),
      events: this.#events,
      status: failed ? { code: ERROR } : {},
    });
  }
}

function toAnyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map(toAnyValue) } };
}

/** Wall-clock time at the start, then a monotonic clock. */
function newClock(): () => string {
  const wall = Date.now();
  const began = performance.now();
  return () => {
    const passed = Math.round((performance.now() - began) * 1e6);
    return String(BigInt(wall) * 1_000_000n + BigInt(passed));
  };
}

/** Never all zeros, which would be an invalid id. */
function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  if (random.every((byte) => byte === 0)) random[0] = 1;
  return [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
