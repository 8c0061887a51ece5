// Server-sent events as the gateway writes them: lines of `event:` and `data:`, an empty line after each event.

export interface ServerEvent {
  event: string | undefined;
  data: string;
}

/** Takes text in any pieces, and gives the events that are complete. Comments are ignored. */
export class EventReader {
  #rest = '';
  #event: string | undefined;
  #data: string[] = [];

  feed(piece: string): ServerEvent[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #line(line: string): ServerEvent[] {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    return [];
  }

  #end(): ServerEvent[] {
    const made = this.#data.length > 0 ? [{ event: this.#event, data: this.#data.join('\n') }] : [];
    this.#event = undefined;
    this.#data = [];
    return made;
  }
}

/** Gives the events of a response while it arrives. Leaving the loop ends the request. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  const events = new EventReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield* events.feed(utf8.decode(value, { stream: true }));
    }
  } finally {
    // Fails if the request was aborted before.
    await reader.cancel().catch(() => undefined);
  }
}
