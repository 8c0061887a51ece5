// Notes one answer while it goes to the client, and keeps its turns for the time they come back.

import type { AnswerEvent, ModelRequest, ReasoningPart, WrittenTurn } from '../../model/index.js';
import { CollectedChoices, isOfChoice } from '../reply/collect-answer.js';
import { type ClientTurns, LONGEST_TURN } from './turn-memory.js';

export class TurnNotes {
  readonly #choices = new CollectedChoices();
  readonly #written = new Map<number, WrittenTurn>();
  #state: 'waits' | 'notes' | 'off' = 'waits';
  #characters = 0;

  constructor(
    readonly turns: ClientTurns,
    readonly request: ModelRequest,
    /** Whether a text is reasoning that was sealed here for the client, which no upstream knows. */
    readonly isSealed: (text: string) => boolean,
  ) {}

  /** The model's words will be known: the answer is noted from its start. Otherwise only if it begins with reasoning. */
  begin(): void {
    if (this.#state === 'waits') this.#state = 'notes';
  }

  /** Takes what the model wrote, before the choice's finish. */
  wrote(choice: number, written: WrittenTurn): void {
    this.#written.set(choice, written);
  }

  pass(event: AnswerEvent): void {
    if (this.#state === 'off') return;
    if (event.type === 'finish') this.#end(event.choice ?? 0);
    if (!isOfChoice(event)) return;
    if (this.#state === 'waits') this.#state = event.type === 'reasoning-delta' ? 'notes' : 'off';
    if (this.#state === 'off') return;
    this.#choices.add(event);
    if ('text' in event) this.#characters += event.text.length;
    if (this.#characters > LONGEST_TURN) this.#state = 'off';
  }

  #end(choice: number): void {
    const parts = this.#choices
      .partsOf(choice)
      .map((part) => (part.type === 'reasoning' ? this.#unsealed(part) : part));
    const written = this.#written.get(choice);
    const reasons = parts.some(({ type }) => type === 'reasoning');
    if (this.#state === 'notes' && (written || reasons)) this.turns.keep(this.request, { parts, written });
  }

  #unsealed({ text, extra = {} }: ReasoningPart): ReasoningPart {
    const members = Object.entries(extra).filter(
      ([, value]) => !(typeof value === 'string' && this.isSealed(value)),
    );
    return { type: 'reasoning', text, ...(members.length > 0 && { extra: Object.fromEntries(members) }) };
  }
}
