// Traces: one span for each exchange, with a child span for each request to the upstream. Attributes follow the
// OpenTelemetry conventions for generative AI, with a few of our own. Message content is never included.

import type { ModelRequest, Report } from '@dragoman/core';
import type { BridgeEvent } from '@dragoman/core/bridge';
import type { ExchangeInfo, ExchangeWatch, Watcher } from '../services.js';
import { startHostSpan } from './host-spans.js';
import { OtlpExporter, type OtlpOptions } from './otlp-exporter.js';
import { startOtlpSpan } from './otlp-span.js';
import type { Attributes, Span, StartSpan } from './span.js';

export interface TracesOptions extends Partial<OtlpOptions> {
  /** Uses the tracer of the host program, too, if one is registered. Default true. */
  host?: boolean;
}

/** Continues the trace of the `traceparent` header. */
type TracedInfo = ExchangeInfo & { traceparent?: string };

export interface Traces extends Watcher {
  begin(exchange: TracedInfo): ExchangeWatch | undefined;
  /** The numbers of exported and dropped spans. */
  readonly counts: { sent: number; dropped: number };
  flush(): Promise<void>;
  /** Exports the queued spans and accepts no more. */
  close(): Promise<void>;
}

export function createTraces({ endpoint, host = true, ...more }: TracesOptions): Traces {
  const exporter = endpoint === undefined ? undefined : new OtlpExporter({ endpoint, ...more });
  const starts: StartSpan[] = [];
  if (host) starts.push(startHostSpan);
  if (exporter) starts.push((name, traceparent) => startOtlpSpan(name, traceparent, exporter.add));
  return {
    begin: (exchange) => {
      const name = operationOf(exchange);
      const spans = starts.map((start) => start(name, exchange.traceparent));
      const started = spans.filter((span) => span !== undefined);
      return started.length > 0 ? new TracedExchange(exchange, started) : undefined;
    },
    get counts() {
      return { sent: exporter?.sent ?? 0, dropped: exporter?.dropped ?? 0 };
    },
    flush: async () => exporter?.flush(),
    close: async () => exporter?.close(),
  };
}

function operationOf({ api }: ExchangeInfo): string {
  return api === 'count-tokens' ? 'count_tokens' : 'chat';
}

class TracedExchange implements ExchangeWatch {
  readonly #operation: string;
  /** The latest request to the upstream, by choice. */
  readonly #attempts = new Map<number, Span[]>();
  readonly #finishes: string[] = [];
  #upstream: string | undefined;
  #calls = 0;
  #reasks = 0;

  constructor(
    exchange: ExchangeInfo,
    readonly spans: readonly Span[],
  ) {
    this.#operation = operationOf(exchange);
    this.#set({
      'gen_ai.operation.name': this.#operation,
      'dragoman.request_id': exchange.id,
      'dragoman.api': exchange.api,
      'dragoman.key': exchange.key,
    });
  }

  model({ name, upstream, dialect }: { name: string; upstream: string; dialect?: string }): void {
    this.#upstream = upstream;
    for (const span of this.spans) span.rename(`${this.#operation} ${name.slice(0, 128)}`);
    this.#set({
      'gen_ai.request.model': name,
      'gen_ai.provider.name': upstream,
      'dragoman.dialect': dialect,
    });
  }

  event(event: BridgeEvent): void {
    if (event.type === 'answer') this.#answer(event.event);
    else if (event.type === 'upstream-request') this.#ask(event);
    else if (event.type === 'request') this.#set(requestAttributes(event.request));
    else if (event.type === 'reask') {
      this.#reasks++;
      this.#endAttempt(event.reask.choice, { 'dragoman.asked_again': true });
    } else if (event.type === 'endpoint') {
      this.#upstream = event.name;
      this.#set({ 'gen_ai.provider.name': event.name });
    } else if (event.type === 'tools-refused') {
      this.#endAttempt(0, { 'error.type': 'tools-refused' }, true);
      for (const span of this.spans) span.event('tools refused');
    }
  }

  firstByte(): void {
    for (const span of this.spans) span.event('first byte');
  }

  end({ status, error, left }: Parameters<NonNullable<ExchangeWatch['end']>>[0]): void {
    const failed = status >= 500 || (error !== undefined && status < 400);
    for (const choice of this.#attempts.keys())
      this.#endAttempt(choice, { 'error.type': error?.code }, failed);
    this.#set({
      'http.response.status_code': status,
      'error.type': error?.code ?? (status >= 400 ? String(status) : undefined),
      'gen_ai.response.finish_reasons': this.#finishes.length > 0 ? this.#finishes : undefined,
      'dragoman.client_left': left ? true : undefined,
      'dragoman.calls': this.#calls,
      'dragoman.reasks': this.#reasks,
    });
    for (const span of this.spans) span.end(failed);
  }

  #set(attributes: Attributes): void {
    for (const span of this.spans) span.set(attributes);
  }

  #ask({ choice, attempt, request }: Extract<BridgeEvent, { type: 'upstream-request' }>): void {
    this.#endAttempt(choice, {});
    const attributes = {
      'gen_ai.operation.name': this.#operation,
      'gen_ai.provider.name': this.#upstream,
      'gen_ai.request.model': request.model,
      'dragoman.choice': choice,
      'dragoman.attempt': attempt,
      'dragoman.prompt': request.prompt !== undefined,
    };
    const name = `ask ${request.model.slice(0, 128)}`;
    this.#attempts.set(
      choice,
      this.spans.map((span) => span.child(name, attributes)),
    );
  }

  #endAttempt(choice: number, attributes: Attributes, failed = false): void {
    for (const span of this.#attempts.get(choice) ?? []) {
      span.set(attributes);
      span.end(failed);
    }
    this.#attempts.delete(choice);
  }

  #answer(event: Extract<BridgeEvent, { type: 'answer' }>['event']): void {
    if (event.type === 'call-end') this.#calls++;
    else if (event.type === 'finish') {
      // As the conventions spell them.
      this.#finishes.push(event.reason.replace('-', '_'));
      // A native upstream answers all choices in one request.
      if (this.#attempts.has(event.choice ?? 0)) this.#endAttempt(event.choice ?? 0, {});
    } else if (event.type === 'answer-start') {
      this.#set({ 'gen_ai.response.id': event.id, 'gen_ai.response.model': event.model });
    } else if (event.type === 'usage') {
      const { inputTokens, outputTokens, cachedTokens, estimated } = event.usage;
      this.#set({
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        'gen_ai.usage.cache_read.input_tokens': cachedTokens,
        'dragoman.usage_estimated': estimated,
      });
    } else if (event.type === 'report') this.#set(reportAttributes(event.report));
  }
}

function requestAttributes({ settings, stream, conversation }: ModelRequest): Attributes {
  return {
    'gen_ai.request.max_tokens': settings.maxTokens,
    'gen_ai.request.temperature': settings.temperature,
    'gen_ai.request.top_p': settings.topP,
    'gen_ai.request.top_k': settings.topK,
    'gen_ai.request.seed': settings.seed,
    'gen_ai.request.choice.count': settings.choices,
    'dragoman.stream': stream,
    'dragoman.messages': conversation.messages.length,
    'dragoman.tools': conversation.tools.length,
  };
}

/** Codes only: messages quote the conversation. */
function reportAttributes({ mode, dialect, issues, repairs }: Report): Attributes {
  return {
    'dragoman.mode': mode,
    'dragoman.dialect': dialect,
    'dragoman.issues': [...new Set(issues.map(({ code }) => code))],
    'dragoman.repairs': [...new Set(repairs.map(({ code }) => code))],
  };
}
