// The body of an upstream's response as text, piece by piece, as fast as the consumer asks for it.

import type { Patience } from './timeouts.js';

/** Of a response what is needed of it: a web `Response` is one. */
export interface Fetched {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): ByteReader } | null;
}

/** Reads on when it is asked to. `cancel` may come at any time, also while a read waits, and ends it. */
interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

export class ResponseText {
  readonly #utf8 = new TextDecoder();
  readonly #reader: ByteReader | undefined;
  // A fetch that does not listen to the signal would be waited for without end.
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
   * The next piece; undefined at the end. Throws what the body or the signal throws. The clock runs only while the
   * upstream is waited for, not while the reader takes its time: until the first piece it is the one that began with
   * the request, then a new one each time.
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

/** What there is, up to so many characters; also of a body that fails. For what is only told to people. */
export async function startOfText(pieces: ResponseText, most: number): Promise<string> {
  let text = '';
  try {
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
      text += piece;
      if (text.length >= most) break;
    }
  } catch {
    // The status says enough.
  }
  pieces.close();
  return text.slice(0, most);
}
