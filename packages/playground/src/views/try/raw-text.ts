// The raw text of the model, from the inspector's events of one exchange: one text for each request to the model.

import type { JsonValue, ParseEvent } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { InspectorEvent } from '@dragoman/gateway';
import { joined, ReadingBuilder, type Segments } from '../../reading/index.js';

export interface RawText {
  choice: number;
  attempt: number;
  text: string;
  segments: Segments;
  /** The inspector's stream dropped events, so text is missing. */
  incomplete: boolean;
}

interface GrowingText {
  choice: number;
  attempt: number;
  pieces: string[];
  read: ReadingBuilder;
}

/** Characters that are kept of an exchange. */
const MAX_TEXT = 4 * 1024 * 1024;

export class RawTexts {
  readonly #attempts: GrowingText[] = [];
  #size = 0;
  #incomplete = false;

  add(event: InspectorEvent): void {
    if (event.type === 'dropped') this.#incomplete = true;
    else if (event.type === 'upstream-request') this.#attempts.push(attemptOf(event));
    else if (event.type === 'upstream-text') this.#text(event);
    else if (event.type === 'parse' && isParseEvent(event.event)) this.#find(event)?.read.add([event.event]);
  }

  /** Gives the texts so far. Later events do not change them. */
  texts(): RawText[] {
    return this.#attempts.map(({ choice, attempt, pieces, read }) => {
      const text = joined(pieces);
      const { segments } = read.reading(text.length, true);
      return { choice, attempt, text, segments, incomplete: this.#incomplete };
    });
  }

  #text(event: { choice: number; attempt: number; text: string }): void {
    this.#size += event.text.length;
    if (this.#size > MAX_TEXT) this.#incomplete = true;
    else this.#find(event)?.pieces.push(event.text);
  }

  #find({ choice, attempt }: { choice: number; attempt: number }): GrowingText | undefined {
    return this.#attempts.findLast((one) => one.choice === choice && one.attempt === attempt);
  }
}

function attemptOf({ choice, attempt }: { choice: number; attempt: number }): GrowingText {
  return { choice, attempt, pieces: [], read: new ReadingBuilder('') };
}

function isParseEvent(event: JsonValue): event is JsonValue & ParseEvent {
  return isObject(event) && typeof event.type === 'string' && Array.isArray(event.range);
}
