// Exports spans to a collector by OTLP over HTTP, in JSON: in batches, from a bounded queue, one request at a time.
// It never blocks a request and never throws. Spans that cannot be delivered are dropped and counted.

import type { Log } from '../services.js';
import type { OtlpSpan } from './otlp-span.js';

export interface OtlpOptions {
  /** The URL of the collector. `/v1/traces` is appended unless it ends so. */
  endpoint: string;
  headers?: Readonly<Record<string, string>>;
  /** The service name in traces. Default `dragoman`. */
  service?: string;
  fetch?: typeof fetch;
  log?: Log;
  /** Spans in one request. Default 512. */
  batch?: number;
  /** Spans that wait. Default 2,048. */
  queue?: number;
  /** Milliseconds until a batch that is not full is sent, and between tries. Default 5,000. */
  interval?: number;
  /** Milliseconds that a request may take. Default 10,000. */
  timeout?: number;
}

const TRIES = 3;
const MAX_RETRY_AFTER = 30_000;
const MAX_ANSWER = 64 * 1024;

export class OtlpExporter {
  sent = 0;
  dropped = 0;
  readonly #options: OtlpOptions;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #queue: OtlpSpan[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;
  #wake: (() => void) | undefined;
  #warned = false;

  constructor(options: OtlpOptions) {
    this.#options = options;
    const { url, headers } = addressOf(options.endpoint);
    this.#url = url;
    this.#headers = { 'content-type': 'application/json', ...headers, ...options.headers };
  }

  readonly add = (span: OtlpSpan): void => {
    const { queue = 2048, batch = 512 } = this.#options;
    if (this.#closed || this.#queue.length >= queue) {
      this.#drop(1, 'the queue is full');
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= batch) this.#start();
    else this.#schedule();
  };

  /** Resolves when all spans that are queued now have been sent or dropped. */
  async flush(): Promise<void> {
    while (this.#queue.length > 0 || this.#sending) {
      this.#start();
      await this.#sending;
    }
  }

  /** Sends the queue, each batch once. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake?.();
    await this.flush();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#sending) return;
    this.#timer = setTimeout(() => this.#start(), this.#options.interval ?? 5000);
    // Waiting spans do not keep a process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #start(): void {
    if (this.#sending) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#queue.splice(0, this.#options.batch ?? 512);
    if (spans.length === 0) return;
    this.#sending = this.#deliver(spans).finally(() => {
      this.#sending = undefined;
      if (this.#queue.length >= (this.#options.batch ?? 512)) this.#start();
      else if (this.#queue.length > 0) this.#schedule();
    });
  }

  async #deliver(spans: OtlpSpan[]): Promise<void> {
    const body = JSON.stringify(this.#envelope(spans));
    for (let tries = 1; ; tries++) {
      const result = await this.#post(body);
      if (result.ok) {
        this.sent += spans.length - result.rejected;
        if (result.rejected > 0) this.#drop(result.rejected, 'the collector rejected them');
        return;
      }
      if (!result.again || tries === TRIES || this.#closed) {
        this.#drop(spans.length, result.reason);
        return;
      }
      await this.#pause(result.after ?? this.#options.interval ?? 5000);
    }
  }

  async #post(body: string): Promise<Result> {
    try {
      const response = await (this.#options.fetch ?? fetch)(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body,
        // Redirects are not followed: they could lead anywhere.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#options.timeout ?? 10_000),
      });
      const text = await beginningOf(response);
      if (response.ok) return { ok: true, rejected: rejectedIn(text) };
      return refusal(response);
    } catch (error) {
      return { ok: false, again: true, reason: error instanceof Error ? error.name : 'unknown' };
    }
  }

  /** A pause between tries that `close` ends early. */
  #pause(time: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      (timer as { unref?: () => void }).unref?.();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #envelope(spans: OtlpSpan[]): object {
    const name = this.#options.service ?? 'dragoman';
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: name } }] };
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: '@dragoman/gateway' }, spans }] }] };
  }

  #drop(count: number, reason: string): void {
    this.dropped += count;
    if (this.#warned) return;
    this.#warned = true;
    this.#options.log?.warn({ reason }, 'Traces could not be sent to the collector. This is logged once.');
  }
}

type Result = { ok: true; rejected: number } | { ok: false; again: boolean; reason: string; after?: number };

function refusal(response: Response): Result {
  const again = [429, 502, 503, 504].includes(response.status);
  const after = Number(response.headers.get('retry-after')) * 1000;
  const wait = after > 0 ? { after: Math.min(after, MAX_RETRY_AFTER) } : {};
  return { ok: false, again, reason: `status ${response.status}`, ...wait };
}

/** Credentials in the address go where fetch takes them. */
function addressOf(endpoint: string): { url: string; headers: Record<string, string> } {
  const url = new URL(endpoint);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  url.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`;
  if (username === '' && password === '') return { url: url.href, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: url.href, headers: { authorization: `Basic ${btoa(pair)}` } };
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const utf8 = new TextDecoder();
  let text = '';
  while (reader && text.length < MAX_ANSWER) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += utf8.decode(value, { stream: true });
  }
  await reader?.cancel().catch(() => {});
  return text;
}

/** A collector may take a part only, and says so in a good answer. */
function rejectedIn(text: string): number {
  try {
    const rejected = Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}
