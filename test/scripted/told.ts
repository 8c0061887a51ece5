// The content of a stream, and how it is read from the events.

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect } from 'vitest';

export interface Told {
  text: string;
  reasoning: string;
  /** `complete`: the stream marked the call as complete. */
  calls: { id: string; name: string; arguments: string; complete: boolean }[];
  /** The API's own finish reason. Undefined if the stream ended with an error. */
  finish: string | undefined;
  error: string | undefined;
  usage: boolean;
}

export function nothing(): Told {
  return { text: '', reasoning: '', calls: [], finish: undefined, error: undefined, usage: false };
}

/** Gives every event of a stream; fails if bytes are left that are no event. */
export function readEvents(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => expect.fail(`no event stream: ${error.message}`),
  });
  parser.feed(text);
  same(text.endsWith('\n\n'), true, 'the last event is whole');
  return events;
}

/** A stream has thousands of events: `expect` is asked only about what differs. */
export function same(found: unknown, wanted: unknown, what?: string): void {
  if (!Object.is(found, wanted)) expect(found, what).toBe(wanted);
}

/** The same for what is made of JSON: text that is equal says so at once, and only what differs is looked at closer. */
export function alike(found: unknown, wanted: unknown, what?: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found, what).toEqual(wanted);
}

// biome-ignore lint/suspicious/noExplicitAny: everything that is used is checked
export type Data = any;
