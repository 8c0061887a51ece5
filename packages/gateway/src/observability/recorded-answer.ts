// Assembles the answer that the client got, as the inspector shows it.

import type { AnswerEvent } from '@dragoman/core';
import type { AnswerRecord } from './inspector-shapes.js';
import type { Share } from './share.js';

export class RecordedAnswer {
  /** The number of complete calls. */
  calls = 0;
  readonly #choices = new Map<number, AnswerRecord>();

  constructor(readonly share: Share) {}

  read(event: AnswerEvent): void {
    if (!('choice' in event) && !hasChoice(event.type)) return;
    const choice = this.#choice(('choice' in event ? event.choice : undefined) ?? 0);
    if (event.type === 'text-delta') choice.text += this.share.text(event.text);
    else if (event.type === 'reasoning-delta') choice.reasoning += this.share.text(event.text);
    else if (event.type === 'call-start') this.#start(choice, event);
    else if (event.type === 'call-delta') {
      const call = openCall(choice, event.id);
      if (call) call.arguments += this.share.text(event.text);
    } else if (event.type === 'call-end') {
      this.calls++;
      const call = openCall(choice, event.id);
      if (call) call.complete = true;
    } else if (event.type === 'finish') {
      choice.finish = event.reason;
      if (event.stopSequence !== undefined) choice.stopSequence = this.share.text(event.stopSequence);
    }
  }

  record(): AnswerRecord[] {
    return [...this.#choices.values()]
      .sort((a, b) => a.choice - b.choice)
      .map((choice) => ({ ...choice, calls: choice.calls.map((call) => ({ ...call })) }));
  }

  #start(choice: AnswerRecord, { id, name }: { id: string; name: string }): void {
    if (!this.share.has(64)) return;
    const call = { id: this.share.text(id), name: this.share.text(name), arguments: '', complete: false };
    choice.calls.push(call);
  }

  #choice(choice: number): AnswerRecord {
    const known = this.#choices.get(choice);
    if (known) return known;
    const record = { choice, text: '', reasoning: '', calls: [] };
    this.#choices.set(choice, record);
    return record;
  }
}

function hasChoice(type: AnswerEvent['type']): boolean {
  return type.endsWith('-delta') || type.startsWith('call-') || type === 'finish';
}

/** The latest of that id: native calls interleave, so it need not be the last. */
function openCall({ calls }: AnswerRecord, id: string) {
  return calls.findLast((call) => call.id === id);
}
