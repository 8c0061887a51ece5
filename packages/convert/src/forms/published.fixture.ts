// For the tests of the published forms: the short content of a row, and its notes.

import { ExactNumber, type ExactValue, stringifyJson } from '@dragoman/core/internal';
import type { Form, Note, ReadTranscript, Row } from './form.js';

export interface Shown {
  said: string[];
  notes: string[];
  reading: ReadTranscript;
}

/** Shows each part on a line: `user: text`, `call f {"a":1} call_1`, `result f call_1 {"b":2}`. */
export function show(form: Form, row: Row): Shown {
  const reading = form.read(row);
  const said = reading.conversation.messages.flatMap((message) => {
    if (message.parts.length === 0) return [`${message.role}: nothing`];
    return message.parts.map((part) => {
      if (part.type === 'tool-call')
        return `call ${part.name} ${part.raw ?? JSON.stringify(part.input)} ${part.id}`;
      if (part.type === 'tool-result') return `result ${part.name} ${part.callId} ${shown(part.output)}`;
      return part.type === 'text' ? `${message.role}: ${part.text}` : part.type;
    });
  });
  return { said, notes: short(reading.notes), reading };
}

function shown(output: ExactValue): string {
  if (typeof output === 'string') return output;
  return output instanceof ExactNumber ? output.text : `= ${stringifyJson(output, 'compact')}`;
}

/** `kind code path`. */
export function short(notes: readonly Note[]): string[] {
  return notes.map(({ kind, code, path }) => `${kind} ${code} ${path}`);
}

/**
 * Measures how many times longer 32 times the text takes: 32 for linear time, a thousand for quadratic. The limit is
 * wide and the fastest of several runs counts, because other work on the machine slows runs down by several times.
 */
export function growth(work: (text: string) => unknown, flood: (count: number) => string): number {
  const [small, large] = [flood(1_000), flood(32_000)];
  let [fast, slow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 2 || (round < 10 && slow / fast > 200); round++) {
    fast = Math.min(
      fast,
      Math.max(
        0.2,
        timeOf(() => work(small)),
      ),
    );
    slow = Math.min(
      slow,
      timeOf(() => work(large)),
    );
  }
  return slow / fast;
}

/** The limit of `growth` for linear time. */
export const LINEAR = 300;

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
