// Adds its sealed form to each reasoning of an answer, for clients that keep the conversation and send it back: only
// with that form does the reasoning return to the model.

import type { AnswerEvent } from '../../model/index.js';
import { type Batches, batchesOf, fromBatches } from '../upstream/batches.js';
import type { Seal } from './seal.js';

/** `key` is the member of `extra` that holds the sealed form. Reasoning that an upstream sealed itself stays as it is. */
export function sealReasoning(
  events: AsyncIterable<AnswerEvent>,
  key: string,
  seal: Seal,
): AsyncIterable<AnswerEvent> {
  return fromBatches(sealed(batchesOf(events), key, seal));
}

async function* sealed(
  batches: Batches<AnswerEvent>,
  key: string,
  seal: Seal,
): AsyncGenerator<AnswerEvent[]> {
  let thought: string[] = [];
  try {
    for (let step = await batches.next(); !step.done; step = await batches.next()) {
      const out: AnswerEvent[] = [];
      for (const event of step.value) {
        const thinks = event.type === 'reasoning-delta' && !event.choice;
        if (thinks) {
          thought.push(event.text);
          if (event.extra && Object.hasOwn(event.extra, key)) thought = [];
        } else if (ends(event) && thought.some((text) => text !== '')) {
          const extra = { [key]: await seal.close(thought.join('')) };
          out.push({ type: 'reasoning-delta', text: '', extra });
          thought = [];
        }
        out.push(event);
      }
      yield out;
    }
  } finally {
    await batches.return?.();
  }
}

/** Whether the event ends the reasoning before it. */
function ends(event: AnswerEvent): boolean {
  return !('choice' in event && event.choice) && event.type !== 'answer-start' && event.type !== 'error';
}
