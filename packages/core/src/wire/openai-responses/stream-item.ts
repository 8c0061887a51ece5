// The events of a stream, numbered, and those of one item from its announcement to its end.

import type { Extra } from '../../model/index.js';
import type { Coalescer } from '../coalesce.js';
import { frame } from '../sse.js';
import type { ItemShape, ItemStatus } from './output-items.js';

/** Writes events with sequence numbers from 0, without gaps. */
export class Frames {
  #next = 0;

  event(type: string, members: Extra): string {
    return frame(JSON.stringify({ type, ...members, sequence_number: this.#next++ }), type);
  }

  /** For events that differ in `delta` alone: everything else is written once. */
  deltas(type: string, members: Extra): (delta: string) => string {
    const start = `event: ${type}\ndata: ${JSON.stringify({ type, ...members }).slice(0, -1)},"delta":`;
    return (delta) => `${start}${JSON.stringify(delta)},"sequence_number":${this.#next++}}\n\n`;
  }
}

export class StreamItem {
  #text = '';
  readonly #at: Extra;
  readonly #delta: (delta: string) => string;

  constructor(
    private readonly frames: Frames,
    private readonly shape: ItemShape,
    private readonly index: number,
    private readonly coalescer?: Coalescer,
  ) {
    const content = shape.part === undefined ? {} : { content_index: 0 };
    this.#at = { item_id: shape.id, output_index: index, ...content };
    this.#delta = frames.deltas(`${shape.event}.delta`, { ...this.#at, ...shape.delta });
  }

  open(): string {
    const item = this.shape.item('in_progress');
    return this.#item('added', item) + this.#part('added', '');
  }

  delta(text: string): string {
    this.#text += text;
    const now = this.coalescer === undefined ? text : this.coalescer.add(text);
    return now === '' ? '' : this.#delta(now);
  }

  close(status: ItemStatus): string {
    const done = this.frames.event.bind(this.frames, `${this.shape.event}.done`);
    return (
      this.flush() +
      done({ ...this.#at, ...this.shape.done(this.#text) }) +
      this.#part('done', this.#text) +
      this.#item('done', this.item(status))
    );
  }

  /** What was held back of the text. */
  flush(): string {
    const held = this.coalescer?.flush() ?? '';
    return held === '' ? '' : this.#delta(held);
  }

  item(status: ItemStatus): Extra {
    return this.shape.item(status, this.#text);
  }

  #part(what: 'added' | 'done', text: string): string {
    if (this.shape.part === undefined) return '';
    return this.frames.event(`response.content_part.${what}`, { ...this.#at, part: this.shape.part(text) });
  }

  #item(what: 'added' | 'done', item: Extra): string {
    return this.frames.event(`response.output_item.${what}`, { output_index: this.index, item });
  }
}
