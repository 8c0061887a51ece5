// Turns events into blocks that open and close, as the AI SDK and others want an answer: one block of text, reasoning
// or a call at a time.

import type { AnswerEvent } from '../model/index.js';

export type BlockEvent =
  | { type: 'block-start'; kind: 'text' | 'reasoning'; id: string }
  | { type: 'block-delta'; kind: 'text' | 'reasoning'; id: string; text: string }
  | { type: 'block-end'; kind: 'text' | 'reasoning'; id: string }
  | { type: 'call-start'; id: string; name: string }
  | { type: 'call-delta'; id: string; text: string }
  /** `raw` holds the whole arguments. */
  | { type: 'call-end'; id: string; name: string; raw: string }
  | Extract<AnswerEvent, { type: 'finish' | 'usage' | 'report' }>;

/**
 * Gives the blocks of the first choice. Blocks still open at the end are closed; a call that was cut off gets no end.
 */
export async function* toBlocks(events: AsyncIterable<AnswerEvent>): AsyncGenerator<BlockEvent> {
  const blocks = new Blocks();
  for await (const event of events) {
    if (event.type === 'error') throw event.error;
    if (event.type !== 'answer-start' && !('choice' in event && event.choice)) yield* blocks.read(event);
  }
  yield* blocks.turnTo(undefined);
}

class Blocks {
  readonly #calls = new Map<string, { name: string; pieces: string[] }>();
  #open: 'text' | 'reasoning' | undefined;
  #count = 0;

  *read(event: Exclude<AnswerEvent, { type: 'answer-start' | 'error' }>): Generator<BlockEvent> {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      const kind = event.type === 'text-delta' ? 'text' : 'reasoning';
      yield* this.turnTo(kind);
      yield { type: 'block-delta', kind, id: String(this.#count), text: event.text };
      return;
    }
    yield* this.turnTo(undefined);
    if (event.type === 'call-start') this.#calls.set(event.id, { name: event.name, pieces: [] });
    else if (event.type === 'call-delta') this.#calls.get(event.id)?.pieces.push(event.text);
    const call = event.type === 'call-end' ? this.#calls.get(event.id) : undefined;
    yield event.type === 'call-end'
      ? { ...event, name: call?.name ?? '', raw: call?.pieces.join('') ?? '{}' }
      : event;
  }

  *turnTo(kind: 'text' | 'reasoning' | undefined): Generator<BlockEvent> {
    if (kind === this.#open) return;
    if (this.#open) yield { type: 'block-end', kind: this.#open, id: String(this.#count++) };
    if (kind) yield { type: 'block-start', kind, id: String(this.#count) };
    this.#open = kind;
  }
}
