// The header `traceparent` of W3C Trace Context: which trace a request belongs to.

export interface TraceParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const MAX_LENGTH = 256;
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined if there is none, or one that must be ignored. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function isZero(id: string): boolean {
  return !/[^0]/.test(id);
}
