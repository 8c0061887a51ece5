// The body of an upstream's response as text, piece by piece, read only when the consumer asks (backpressure).

import type { Patience } from './timeouts.js';

/** The members of a response that are used; a web `Response` has them. */
export interface Fetched {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): ByteReader } | null;
}

/** Reads bytes on demand. `cancel` may be called at any time; it ends a read that waits. */
interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

export class ResponseText {
  readonly #utf8 = new TextDecoder();
  readonly #reader: ByteReader | undefined;
  // A custom fetch may ignore the signal; without this its body would be waited for without end.
  readonly #leave = () => void this.#reader?.cancel().catch(() => {});
  #begun = false;
  #over = false;

  constructor(
    { body }: Fetched,
    readonly patience: Patience,
  ) {
    this.#reader = body?.getReader();
    if (patience.signal.aborted) this.#leave();
    else patience.signal.addEventListener('abort', this.#leave);
  }

  /**
   * Gives the next piece; undefined at the end. Throws what the body or the signal throws. The timeout runs only while
   * the upstream is waited for, not while the consumer is busy. The one of the first piece began with the request; each
   * later piece has its own.
   */
  async next(): Promise<string | undefined> {
    while (this.#reader && !this.#over) {
      if (this.#begun) this.patience.await('idle');
      const { done, value } = await this.#reader.read();
      this.patience.signal.throwIfAborted();
      this.patience.pause();
      this.#begun = true;
      this.#over = done;
      const text = done ? this.#utf8.decode() : this.#utf8.decode(value, { stream: true });
      if (text !== '') return text;
    }
    return undefined;
  }

  close(): void {
    this.patience.signal.removeEventListener('abort', this.#leave);
    this.#leave();
  }
}

/** Reads up to so many characters, also of a body that fails in between. For messages that people read. */
export async function startOfText(pieces: ResponseText, most: number): Promise<string> {
  let text = '';
  try {
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
      text += piece;
      if (text.length >= most) break;
    }
  } catch {
    // The status is enough for a message.
  }
  pieces.close();
  return text.slice(0, most);
}
