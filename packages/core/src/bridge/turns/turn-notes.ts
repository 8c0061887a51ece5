// Notes one answer while it goes to the client, and keeps its turn for the time it comes back.

import type { AnswerEvent, ModelRequest, ReasoningPart, WrittenTurn } from '../../model/index.js';
import { CollectedChoices, isOfChoice } from '../reply/collect-answer.js';
import type { ClientTurns, NotingShare } from './turn-memory.js';

export class TurnNotes {
  /** The upstream that is asked. */
  upstream: object | undefined;
  #choices: CollectedChoices | undefined = new CollectedChoices();
  #written: WrittenTurn | undefined;
  #state: 'waits' | 'notes' | 'off' = 'waits';
  readonly #owner = {};
  readonly #share: NotingShare;

  constructor(
    readonly turns: ClientTurns,
    readonly request: ModelRequest,
    /** Whether a text is reasoning that was sealed here for the client, which no upstream knows. */
    readonly isSealed: (text: string) => boolean,
  ) {
    this.#share = turns.memory.share(this.#owner);
  }

  /** An upstream is asked, perhaps after another one. */
  ask(upstream: object): void {
    this.upstream = upstream;
    this.#written = undefined;
  }

  /** The model's words will be known: the answer is noted from its start. Otherwise only if it begins with reasoning. */
  begin(): void {
    if (this.#state === 'waits') this.#state = 'notes';
  }

  /** Whether there is room for so many more characters of the model's words; if not, nothing is noted any more. */
  hasRoom(characters: number): boolean {
    if (this.#state === 'off') return false;
    if (!this.#share.take(characters)) this.#stop();
    return this.#choices !== undefined;
  }

  /** Takes what the model wrote, before its finish. */
  wrote(written: WrittenTurn): void {
    this.#written = written;
  }

  pass(event: AnswerEvent): void {
    if (this.#state === 'off') return;
    if (event.type === 'finish') this.#end();
    if (!isOfChoice(event) || event.type === 'finish') return;
    // Of several answers that may be equal, nobody can tell which one comes back.
    const isPlain = event.choice === undefined && !('inParts' in event);
    if (this.#state === 'waits' && event.type === 'reasoning-delta') this.#state = 'notes';
    if (this.#state === 'waits' || !isPlain) this.#stop();
    else if (this.hasRoom('text' in event ? event.text.length : 0)) this.#choices?.add(event);
  }

  #end(): void {
    const parts = this.#choices
      ?.partsOf(0)
      .map((part) => (part.type === 'reasoning' ? this.#unsealed(part) : part));
    const isOnly = (this.request.settings.choices ?? 1) === 1;
    const { upstream } = this;
    const written = this.#written;
    const reasons = parts?.some(({ type }) => type === 'reasoning') && upstream !== undefined;
    if (parts && isOnly && this.#state === 'notes' && (written || reasons))
      this.turns.keep(this.request, { parts, written, upstream });
    this.#stop();
  }

  #stop(): void {
    this.#state = 'off';
    this.#choices = undefined;
    this.#share.giveBack();
  }

  #unsealed({ text, extra = {} }: ReasoningPart): ReasoningPart {
    const members = Object.entries(extra).filter(
      ([, value]) => !(typeof value === 'string' && this.isSealed(value)),
    );
    return { type: 'reasoning', text, ...(members.length > 0 && { extra: Object.fromEntries(members) }) };
  }
}
