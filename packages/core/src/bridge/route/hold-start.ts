// Holds the start of an endpoint's answer while the request can still go to another endpoint: of a stream until its
// first content, of an answer that is not streamed to its end.
//
// An answer whose first content and finish come in one piece is held to its end, too: the bridge delivers an answer
// with a problem in this way, and its report tells the problem.

import type { AnswerEvent } from '../../model/index.js';
import type { Batches } from '../upstream/batches.js';

export interface HeldAnswer {
  events: AnswerEvent[];
  /** The answer has ended, or failed. */
  over: boolean;
  error?: unknown;
}

/** Never throws: what the events throw is the `error`. */
export async function holdStart(
  batches: Batches<AnswerEvent>,
  { stream, choices }: { stream: boolean; choices: number },
): Promise<HeldAnswer> {
  const events: AnswerEvent[] = [];
  let finishes = 0;
  let begun = false;
  try {
    for (let step = await batches.next(); !step.done; step = await batches.next()) {
      for (const event of step.value) {
        if (event.type === 'error') return { events, over: true, error: event.error };
        if (event.type === 'finish') finishes++;
        if (isContent(event)) begun = true;
        hold(events, event);
      }
      if (stream && begun && finishes < choices) return { events, over: false };
    }
    return { events, over: true };
  } catch (error) {
    return { events, over: true, error };
  }
}

function isContent({ type }: AnswerEvent): boolean {
  return type !== 'answer-start' && type !== 'usage' && type !== 'report';
}

/** Holds an event; adjacent deltas are merged, so that a long answer in small pieces needs little memory. */
function hold(events: AnswerEvent[], event: AnswerEvent): void {
  const last = events.at(-1);
  if (last && 'text' in last && 'text' in event && continues(last, event)) last.text += event.text;
  else events.push({ ...event });
}

type Delta = Extract<AnswerEvent, { text: string }>;

function continues(last: Delta, event: Delta): boolean {
  if (last.type !== event.type || (last.choice ?? 0) !== (event.choice ?? 0)) return false;
  if ('extra' in last || 'extra' in event) return false;
  return !('id' in last) || !('id' in event) || last.id === event.id;
}
