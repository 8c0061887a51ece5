// Server-sent events, written and read. Data is always one line: JSON without line breaks.

import { createParser } from 'eventsource-parser';
import { excessInCalls } from '../model/call-limits.js';
import { CallSize } from '../model/call-size.js';
import type { AnswerEvent } from '../model/index.js';
import { MAX_JSON_DEPTH } from '../model/json.js';
import { exceeded, LONGEST_ANSWER, LONGEST_FRAME, MOST_JSON } from '../model/json-size.js';
import { LongStrings, PIECE } from '../model/long-strings.js';
import { isTooDeep, tooDeepText } from './depth.js';
import { brokenEvent } from './upstream-error.js';
import type { StreamDecoder, WireStream } from './wire.js';

/** The stream format of all APIs that use server-sent events. */
export const eventStream: WireStream = {
  type: 'text/event-stream',
  // One line break only: after a second one, some readers take the comment for an empty event.
  heartbeat: ': ping\n',
  // Decided by the first character: the media types of upstreams are missing or wrong too often.
  begins: (start) => !start.startsWith('{') && !start.startsWith('['),
};

/** Writes one event. `data` is JSON text, which holds no line break, so nothing in it can begin another event. */
export function frame(data: string, event?: string): string {
  return `${frameStart(event)}${data}${FRAME_END}`;
}

/** Gives what comes before the data of an event, for encoders that write it once for many events. */
export function frameStart(event?: string): string {
  return event === undefined ? 'data: ' : `event: ${event}\ndata: `;
}

export const FRAME_END = '\n\n';

/** How one API reads its events: one call for each, and `end` for whether the answer is complete. */
export interface SseReading {
  /** Reads one event: its data as parsed JSON. */
  read(data: unknown, event: string | undefined): AnswerEvent[];
  /** Whether data that is no JSON ends the stream: `[DONE]`. What comes after it is not read. */
  isEnd?(data: string): boolean;
  /** Gives the remaining events when the stream is over, and whether it ended properly. */
  end(): { events: AnswerEvent[]; complete: boolean };
}

/** Levels are counted in the value: a stream of many deep events costs one count less. */
const MOST_EVENT = { ...MOST_JSON, levels: Number.POSITIVE_INFINITY };

/** Reads a stream with the rules of one API. After an error there are no more events. */
export function createSseDecoder(reading: SseReading): StreamDecoder {
  let events: AnswerEvent[] = [];
  let over = false;
  const long = new LongStrings();
  const parser = createParser({
    maxBufferSize: LONGEST_FRAME,
    onEvent({ data, event }) {
      if (over || data === '') return;
      if (reading.isEnd?.(data)) conclude();
      else add(readEvent(reading, data, event, long));
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded')
        add([brokenEvent(`${LONG_EVENT} ${LONGEST_FRAME} characters beside its long strings.`)]);
    },
  });
  function add(more: AnswerEvent[]): void {
    for (const event of more) {
      if (over) return;
      events.push(event);
      over = event.type === 'error';
    }
  }
  function conclude(): void {
    const { events: last, complete } = reading.end();
    add(last);
    if (!complete)
      add([brokenEvent('The upstream ended its stream without saying that the answer is over.')]);
    over = true;
  }
  function taken(): AnswerEvent[] {
    const now = events;
    events = [];
    return now;
  }
  return {
    feed(chunk) {
      // In one go, strings of a later event would be taken before the event in front of it is read and puts back its own.
      for (let at = 0; at < chunk.length && !over; at += PIECE)
        parser.feed(long.take(chunk.slice(at, at + PIECE)));
      if (long.length > LONGEST_ANSWER) add([brokenEvent(`${LONG_EVENT} ${LONGEST_ANSWER} characters.`)]);
      return taken();
    },
    finish() {
      if (over) return taken();
      // An event that lacks its last line break is still an event if its data can be read.
      parser.feed('\n\n');
      if (!over) conclude();
      return taken();
    },
  };
}

const LONG_EVENT = 'The upstream sent an event of more than';

function readEvent(
  reading: SseReading,
  data: string,
  event: string | undefined,
  long: LongStrings,
): AnswerEvent[] {
  if (exceeded(data, MOST_EVENT, new CallSize()) === 'elements')
    return [brokenEvent(`${LONG_EVENT} ${MOST_EVENT.elements} elements.`)];
  const isLong = !long.isEmpty;
  let value: unknown;
  try {
    value = parsed(data, long);
  } catch {
    const shown = data.length > 80 ? `${data.slice(0, 80)}…` : data;
    return [brokenEvent(`The upstream sent an event that is no JSON: ${JSON.stringify(shown)}.`)];
  }
  // A value with so many levels has at least twice as many characters.
  if (data.length > 2 * MAX_JSON_DEPTH && isTooDeep(value)) return [brokenEvent(tooDeepText)];
  const error = isLong ? excessInCalls(value) : undefined;
  return error ? [{ type: 'error', error }] : reading.read(value, event);
}

function parsed(data: string, long: LongStrings): unknown {
  const value: unknown = JSON.parse(data);
  return long.isEmpty || isTooDeep(value) ? value : long.restore(value);
}
