// The body of a response, watched from its first byte to its end, whoever ends it.

export interface BodyWatch {
  firstByte?(): void;
  /** Called once. `left`: the reader went away before the end. */
  end(outcome: { left: boolean }): void;
}

/** `gone`: aborted when the client has left, also if it left before anyone began to read for it. */
export function watchBody(response: Response, gone: AbortSignal, watch: BodyWatch): Response {
  if (!response.body) {
    watch.end({ left: false });
    return response;
  }
  const watched = new WatchedBody(response.body.getReader(), gone, watch);
  return new Response(new ReadableStream(watched, { highWaterMark: 0 }), response);
}

class WatchedBody {
  #begun = false;
  #over = false;
  readonly #leave = () => void this.cancel(this.gone.reason).catch(() => {});

  constructor(
    readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    readonly gone: AbortSignal,
    readonly watch: BodyWatch,
  ) {
    if (gone.aborted) this.#leave();
    else gone.addEventListener('abort', this.#leave, { once: true });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await this.reader.read();
      if (done) {
        this.#end(false);
        controller.close();
        return;
      }
      if (!this.#begun) this.watch.firstByte?.();
      this.#begun = true;
      controller.enqueue(value);
    } catch (error) {
      this.#end(false);
      controller.error(error);
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#end(true);
    await this.reader.cancel(reason);
  }

  #end(left: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.gone.removeEventListener('abort', this.#leave);
    this.watch.end({ left });
  }
}
