// Decodes the answer of an upstream from text to events.

import { excessInCalls, MOST_IN_CALLS, tooMuchInCalls } from '../../model/call-limits.js';
import { CallSize } from '../../model/call-size.js';
import { type AnswerEvent, ApiError } from '../../model/index.js';
import { exceededBy, LONGEST_ANSWER, LONGEST_FRAME, MOST_JSON } from '../../model/json-size.js';
import { LongStrings } from '../../model/long-strings.js';
import type { StreamDecoder, Wire } from '../../wire/index.js';
import { tooLong } from './held-size.js';
import { ArgumentCount, inPortions, LARGE, pause } from './portions.js';
import type { ResponseText } from './response-text.js';

const utf8 = new TextEncoder();

/** Reads a stream, or one JSON body where the upstream does not stream. The start of the text shows which it is. */
export class AnswerReader {
  /** An error in the upstream's stream, for the caller to throw after the events that came before it. */
  error: ApiError | undefined;
  readonly #decoder: StreamDecoder | undefined;
  #text: string | undefined;
  /** What came at once and is too much to be read at once. */
  #portions: AnswerEvent[][] = [];
  readonly #arguments = new ArgumentCount();
  #state: 'start' | 'middle' | 'end' = 'start';

  /** Waits for the first character that is no white space. */
  static async begin(wire: Wire, pieces: ResponseText, choices = 1): Promise<AnswerReader> {
    return new AnswerReader(wire, await firstText(pieces), pieces, choices);
  }

  private constructor(
    readonly wire: Wire,
    start: string,
    readonly pieces: ResponseText,
    /** How many choices were asked for. Others are left out, since they would be read as parts of the first. */
    readonly choices: number,
  ) {
    this.#text = start;
    if (wire.stream.begins(start)) this.#decoder = wire.createStreamDecoder();
  }

  /** Gives the events of the next piece; undefined after the last. */
  async next(): Promise<AnswerEvent[] | undefined> {
    const waiting = this.#portions.shift();
    if (waiting) {
      await this.#pause();
      return this.#untilError(waiting, false);
    }
    if (this.#state === 'end') return undefined;
    const begins = this.#state === 'start';
    this.#state = 'middle';
    if (!begins) this.#text = await this.pieces.next();
    const events = this.#decoder ? this.#feed(this.#decoder) : await this.#whole();
    const [first = [], ...others] = inPortions(events);
    this.#portions = others;
    return this.#untilError(first, begins);
  }

  #feed(decoder: StreamDecoder): AnswerEvent[] {
    if (this.#text !== undefined) return decoder.feed(this.#text);
    this.#state = 'end';
    return decoder.finish();
  }

  async #whole(): Promise<AnswerEvent[]> {
    this.#state = 'end';
    const { text, long } = await wholeText(this.#text ?? '', this.pieces);
    const isLong = !long.isEmpty;
    const body = parseBody(text, long);
    if (isLong || text.length > LARGE) await this.#pause();
    const error = isLong ? excessInCalls(body) : undefined;
    return error ? [{ type: 'error', error }] : this.wire.decodeResponse(body);
  }

  async #pause(): Promise<void> {
    await pause();
    this.pieces.patience.signal.throwIfAborted();
  }

  /** Gives one start, our own, unless only an error follows it; and no event after an error. */
  #untilError(events: AnswerEvent[], begins: boolean): AnswerEvent[] {
    const passed: AnswerEvent[] = begins ? [{ type: 'answer-start' }] : [];
    for (const event of events) {
      const isOther = 'choice' in event && (event.choice ?? 0) >= this.choices;
      if (isOther) continue;
      this.error = event.type === 'error' ? event.error : this.#arguments.add(event);
      if (this.error) break;
      if (event.type !== 'answer-start') passed.push(event);
    }
    return this.error && begins && passed.length === 1 ? [] : passed;
  }
}

/** Reads up to the first character that is no white space. */
async function firstText(pieces: ResponseText): Promise<string> {
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
    const text = piece.trimStart();
    if (text !== '') return text;
  }
  throw new ApiError('upstream-failed', 'The upstream answered with nothing.');
}

/** Counts what comes while it comes. Throws an ApiError for too much, before anything is built of it. */
async function wholeText(start: string, pieces: ResponseText): Promise<{ text: string; long: LongStrings }> {
  const size = new CallSize();
  const long = new LongStrings();
  let length = 0;
  let text = '';
  for (let piece: string | undefined = start; piece !== undefined; piece = await pieces.next()) {
    length += piece.length;
    if (length > LONGEST_ANSWER) throw tooLong(LONGEST_ANSWER);
    size.add(utf8.encode(piece));
    refuseSize(size);
    text += long.take(piece);
    if (text.length > LONGEST_FRAME) throw tooLong(LONGEST_FRAME, ' beside its long strings');
  }
  return { text, long };
}

function refuseSize(size: CallSize): void {
  if (size.inStrings > MOST_IN_CALLS) throw tooMuchInCalls(MOST_IN_CALLS, 'elements');
  const limit = exceededBy(size, MOST_JSON);
  if (!limit) return;
  const message = `The upstream's answer has more than ${MOST_JSON[limit]} ${limit}.`;
  throw new ApiError('upstream-broken', message);
}

function parseBody(text: string, long: LongStrings): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return long.isEmpty ? body : long.restore(body);
  } catch {
    throw new ApiError('upstream-broken', 'The upstream answered with text that is no JSON.');
  }
}
