// Writes numbered stream events, and the events of one item from its announcement to its end.

import type { Extra } from '../../model/index.js';
import { jsonPieces } from '../../model/json-pieces.js';
import type { Coalescer } from '../coalesce.js';
import { FRAME_END, frame, frameStart } from '../sse.js';
import type { ItemShape, ItemStatus } from './output-items.js';

/** Writes events with sequence numbers from 0, without gaps. */
export class Frames {
  #next = 0;

  event(type: string, members: Extra): string {
    return frame(JSON.stringify({ type, ...members, sequence_number: this.#next++ }), type);
  }

  /** The same in pieces. The members must not change until all pieces are taken. */
  eventInPieces(type: string, members: Extra): Iterator<string, void> {
    return framePieces(type, { type, ...members, sequence_number: this.#next++ });
  }

  /** Gives a writer for events that differ in `delta` alone: everything else is written once. */
  deltas(type: string, members: Extra): (delta: string) => string {
    const start = `${frameStart(type)}${JSON.stringify({ type, ...members }).slice(0, -1)},"delta":`;
    return (delta) => `${start}${JSON.stringify(delta)},"sequence_number":${this.#next++}}${FRAME_END}`;
  }
}

function* framePieces(type: string, data: Extra): Generator<string, void> {
  yield frameStart(type);
  yield* jsonPieces(data);
  yield FRAME_END;
}

/** The length at which text is made one flat string. */
const FLAT = 4096;

export class StreamItem {
  /** The text so far: long flat pieces, and the recent deltas. Joined once, when the item is done. */
  readonly #pieces: string[] = [];
  #recent = '';
  readonly #at: Extra;
  readonly #delta: (delta: string) => string;

  constructor(
    private readonly frames: Frames,
    private readonly shape: ItemShape,
    private readonly index: number,
    private readonly coalescer?: Coalescer,
  ) {
    const part = shape.part === undefined ? {} : { [shape.part.index]: 0 };
    this.#at = { item_id: shape.id, output_index: index, ...part };
    this.#delta = frames.deltas(`${shape.event}.delta`, { ...this.#at, ...shape.delta });
  }

  open(): string {
    const item = this.shape.item('in_progress');
    return this.#item('added', item) + this.#part('added', '');
  }

  delta(text: string): string {
    this.#recent += text;
    if (this.#recent.length >= FLAT) this.#flatten();
    const now = this.coalescer === undefined ? text : this.coalescer.add(text);
    return now === '' ? '' : this.#delta(now);
  }

  close(status: ItemStatus): string {
    const text = this.#text();
    const done = { ...this.#at, ...this.shape.done(text) };
    return (
      this.flush() +
      this.frames.event(`${this.shape.event}.done`, done) +
      this.#part('done', text) +
      this.#item('done', this.item(status))
    );
  }

  /** Gives the delta for text that was held back. */
  flush(): string {
    const held = this.coalescer?.flush() ?? '';
    return held === '' ? '' : this.#delta(held);
  }

  item(status: ItemStatus): Extra {
    return this.shape.item(status, this.#text());
  }

  /** Makes the recent text one flat string: a million small strings take far more memory than their characters. */
  #flatten(): void {
    // Asking for a character makes the engine copy the tree into one piece.
    this.#recent.charCodeAt(0);
    this.#pieces.push(this.#recent);
    this.#recent = '';
  }

  #text(): string {
    this.#flatten();
    const text = this.#pieces.join('');
    this.#pieces.splice(0, this.#pieces.length, text);
    return text;
  }

  #part(what: 'added' | 'done', text: string): string {
    const { part } = this.shape;
    return part === undefined
      ? ''
      : this.frames.event(`${part.event}.${what}`, { ...this.#at, part: part.of(text) });
  }

  #item(what: 'added' | 'done', item: Extra): string {
    return this.frames.event(`response.output_item.${what}`, { output_index: this.index, item });
  }
}
