// A request and its reply in a form that any server can provide. Web objects are made of them only for callers that want
// them: making and reading web objects costs more than a small answer.

import { ApiError } from '../../model/index.js';

export interface Incoming {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** Gives a header by its lower-case name. */
  header(name: string): string | null;
  /** Reads the whole body. Throws an ApiError if it is longer than so many bytes, or cannot be read. */
  text(most: number): Promise<string>;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | ReplyStream;
}

/** The body of a streamed reply, encoded when the server asks for the next piece. */
export interface ReplyStream {
  /** Gives the next piece; undefined at the end. Never throws: errors are sent in the stream. */
  next(): Promise<string | undefined>;
  /** Characters behind the last piece that are in memory already. Default: none. */
  readonly held?: number;
  /** Ends the stream: the client has disconnected. */
  cancel(reason: unknown): void;
}

export function incomingOf(request: Request): Incoming {
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    header: (name) => request.headers.get(name),
    text: (most) => readText(request, most),
  };
}

/** `over` is called when the reply has been read to its end or cancelled. */
export function toResponse({ status, headers, body }: Reply, over = () => {}): Response {
  if (typeof body !== 'string') return new Response(toWeb(body, over), { status, headers });
  over();
  return new Response(body, { status, headers });
}

function toWeb(stream: ReplyStream, over: () => void): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await stream.next();
        if (text !== undefined) return controller.enqueue(utf8.encode(text));
        over();
        controller.close();
      },
      cancel(reason) {
        over();
        stream.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

async function readText(request: Request, most: number): Promise<string> {
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  const utf8 = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return text + utf8.decode();
    bytes += piece.value.byteLength;
    if (bytes > most) {
      await reader?.cancel().catch(() => {});
      throw tooLarge(most);
    }
    text += utf8.decode(piece.value, { stream: true });
  }
}

export function tooLarge(most: number): ApiError {
  return new ApiError('too-large', `The body is longer than ${most} bytes.`);
}
