// A `fetch` whose server is the worker of the tiny model: answers, and what the inspector tells of them.

import type { TinyReply, TinyRequest } from './tiny-messages.js';

/** One response that is being written. */
interface Writing {
  head?: (response: Response) => void;
  body: ReadableStreamDefaultController<Uint8Array>;
}

const encoder = new TextEncoder();

export class WorkerFetch {
  readonly #answers = new Map<string, Writing>();
  readonly #watched = new Map<string, ReadableStreamDefaultController<Uint8Array>>();

  constructor(readonly send: (request: TinyRequest) => void) {}

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    if (init.method === 'POST') return this.#ask(url, init);
    const id = url.searchParams.get('id');
    if (id === null) return new Response('{"error":{"message":"It is not kept."}}', { status: 404 });
    const { stream, controller } = openStream(() => this.#watched.delete(id));
    this.#watched.set(id, controller);
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };

  /** Takes what the worker tells. */
  take(reply: TinyReply): void {
    if (reply.type === 'event')
      this.#watched.get(reply.id)?.enqueue(eventText({ ...reply.event, id: reply.id }));
    else if (reply.type === 'head') {
      const { status, contentType } = reply;
      const answer = this.#answers.get(reply.id);
      answer?.head?.(
        new Response(streamOf.get(answer.body), { status, headers: { 'content-type': contentType } }),
      );
    } else if (reply.type === 'piece') this.#answers.get(reply.id)?.body.enqueue(encoder.encode(reply.text));
    else if (reply.type === 'end') this.#end(reply.id, reply.error);
  }

  #ask(url: URL, { headers, body, signal }: RequestInit): Promise<Response> {
    const id = new Headers(headers).get('x-request-id') ?? '';
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.send({ type: 'stop', id });
        const { body: open } = this.#answers.get(id) ?? {};
        this.#answers.delete(id);
        const reason = signal?.reason ?? new DOMException('Stopped.', 'AbortError');
        reject(reason);
        open?.error(reason);
        this.#endWatch(id);
      };
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop, { once: true });
      const { controller } = openStream(() => this.send({ type: 'stop', id }));
      this.#answers.set(id, { head: resolve, body: controller });
      this.send({ type: 'ask', id, url: url.href, body: String(body) });
    });
  }

  #end(id: string, error: string | undefined): void {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    if (error === undefined) answer?.body.close();
    else answer?.body.error(new Error(error));
    this.#endWatch(id);
  }

  #endWatch(id: string): void {
    const watched = this.#watched.get(id);
    this.#watched.delete(id);
    watched?.enqueue(eventText({ type: 'exchange-end', id }));
    watched?.close();
  }
}

/** The stream of a controller, which does not tell it. */
const streamOf = new WeakMap<
  ReadableStreamDefaultController<Uint8Array>,
  ReadableStream<Uint8Array<ArrayBuffer>>
>();

function openStream(cancel: () => void) {
  let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(opened) {
      controller = opened;
    },
    cancel,
  });
  streamOf.set(controller as ReadableStreamDefaultController<Uint8Array>, stream);
  return { stream, controller: controller as ReadableStreamDefaultController<Uint8Array> };
}

function eventText(event: object): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
}
