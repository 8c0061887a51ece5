// Spans of the OpenTelemetry tracer that the host program has registered, if any.

import {
  type Context,
  context,
  type Span as HostSpan,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type Attributes, definedAttributes, parseTraceParent, type Span } from './span.js';

export function startHostSpan(name: string, traceparent: string | undefined): Span | undefined {
  if (!hasProvider()) return undefined;
  const tracer = trace.getTracer('@dragoman/gateway');
  return started(tracer, name, SpanKind.SERVER, parentOf(traceparent), {});
}

/** The no-op tracer behind the proxy until a program registers its own. */
const stub = new ProxyTracerProvider().getDelegate();

function hasProvider(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== stub;
}

/** Instrumentation of the host program may have created a span for this request already. */
function parentOf(traceparent: string | undefined): Context {
  const active = context.active();
  const parent = trace.getSpan(active) ? undefined : parseTraceParent(traceparent);
  if (!parent) return active;
  const { traceId, spanId, sampled } = parent;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function started(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  parent: Context,
  attributes: Attributes,
): Span {
  const span: HostSpan = tracer.startSpan(name, { kind }, parent);
  const set = (more: Attributes) => void span.setAttributes(Object.fromEntries(definedAttributes(more)));
  set(attributes);
  return {
    set,
    rename: (next) => void span.updateName(next),
    event: (what) => void span.addEvent(what),
    child: (what, more) => started(tracer, what, SpanKind.CLIENT, trace.setSpan(parent, span), more),
    end: (failed) => {
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
