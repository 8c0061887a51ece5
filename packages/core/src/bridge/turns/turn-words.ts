// What a model writes in one attempt, kept word for word, and where its reasoning ends.

import type { Dialect } from '../../engine/dialect.js';
import { ReasoningPlace, writtenTurn } from '../../engine/read-turn.js';
import type { ParseEvent, WrittenTurn } from '../../model/index.js';
import type { TurnNotes } from './turn-notes.js';

export class TurnWords {
  readonly #place = new ReasoningPlace();
  constructor(
    /** The option `thinking` of the prompt. */
    readonly asked: NonNullable<WrittenTurn['asked']>,
    /** Where the answer is noted, within a limit on both. */
    readonly notes: TurnNotes,
  ) {}

  #text = '';
  #lost = false;

  add(piece: string): void {
    if (this.#lost) return;
    if (this.notes.hasRoom(piece.length)) this.#text += piece;
    else this.lose();
  }

  pass(event: ParseEvent): void {
    this.#place.pass(event);
  }

  /** The words are not all of the turn, or too many. */
  lose(): void {
    this.#lost = true;
    this.#text = '';
  }

  /** `end`: where the attempt ended, if not with the text. */
  turn(dialect: Dialect, inside: boolean, end: number | undefined): WrittenTurn | undefined {
    if (this.#lost || this.#text === '') return undefined;
    const { asked } = this;
    return writtenTurn(dialect, this.#text.slice(0, end), { inside, place: this.#place, asked });
  }
}
