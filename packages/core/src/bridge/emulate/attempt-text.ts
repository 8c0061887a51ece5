// The text of one attempt: what the model wrote, up to where it is settled, and what of it goes to the client as text.
// Stop strings end the text; an opener that opened no call makes the rest of it doubtful.

import type { Dialect } from '../../engine/dialect.js';
import type { Issue, ParseEvent, Tool } from '../../model/index.js';
import { isBreak } from '../../text/characters.js';
import type { StrippedHead } from '../engines/special-tokens.js';
import type { StructuredText } from '../structured/structured-text.js';
import type { Delivery } from './delivery.js';
import { OpenerWatch } from './opener-watch.js';
import { SourceWindow } from './source-window.js';
import { StopWatch } from './stop-watch.js';
import { StrippedWatch, strippedCall } from './stripped-watch.js';

export interface AttemptTextOptions {
  dialect: Dialect;
  tools: ReadonlyMap<string, Tool>;
  stops: readonly string[];
  /** Calls without their special tokens. Absent: the dialect has none that could be told from text. */
  stripped?: StrippedOptions | undefined;
  /** Takes the JSON out of the text, where the client asked for JSON. */
  structured?: StructuredText | undefined;
}

export interface StrippedOptions {
  heads: readonly StrippedHead[];
  /** What to do about it. */
  advice: string;
  /** The upstream has not been asked for special tokens, and may be. */
  mayAsk: boolean;
}

export class AttemptText {
  /** Nothing more is read: a stop string came, a second call where one was allowed, or an invented result. */
  ended = false;
  /** The stop string that ended the text. */
  stop: string | undefined;
  /** An opener that opened no call, or a call in the format of another dialect. */
  leftOpener: Issue | undefined;
  readonly #options: AttemptTextOptions;
  readonly #delivery: Delivery;
  readonly #source = new SourceWindow();
  readonly #stops: StopWatch;
  readonly #openers: OpenerWatch;
  readonly #stripped: StrippedWatch;
  /** Every character before this position was delivered, or is markup of a call that was. */
  #settled = 0;
  /** Where it ended. Undefined: at the end of what was written. */
  endedAt: number | undefined;
  /** The parser has given no text yet. */
  #silent = true;

  constructor(options: AttemptTextOptions, delivery: Delivery) {
    this.#options = options;
    this.#delivery = delivery;
    this.#stops = new StopWatch(options.stops);
    this.#openers = new OpenerWatch(options.dialect);
    this.#stripped = new StrippedWatch(options.stripped?.heads ?? []);
  }

  /** The text that the model wrote, up to where the attempt ended; its middle is left out if it is long. */
  get written(): string {
    return this.#source.shown(this.endedAt);
  }

  /** Where the words end that the client got: before a stop string. */
  get wordsEnd(): number | undefined {
    if (this.endedAt === undefined || this.stop === undefined) return this.endedAt;
    return this.endedAt - this.stop.length;
  }

  /** What follows is inside a fenced block, and so an example. */
  get fenced(): boolean {
    return this.#openers.fenced;
  }

  /** Adds a piece before the parser reads it. */
  add(piece: string): void {
    this.#source.add(piece);
  }

  /** Reads text of the parser. What precedes a left opener is delivered; the rest waits if a reask may help. */
  read(event: ParseEvent & { text: string }): void {
    this.#silent = false;
    const opener = this.#openerIn(event.text);
    this.settle(event);
    if (opener < 0) this.#untilStop(event.text, event.range[0]);
    else {
      this.#untilStop(event.text.slice(0, opener), event.range[0]);
      this.leftOpener ??= leftOpener(event.range[0] + opener);
      if (!this.ended) this.#untilStop(event.text.slice(opener), event.range[0] + opener);
    }
  }

  /** Reads markup, which may begin or end a quotation in the dialect. */
  readMarkup({ range: [from, to] }: ParseEvent): void {
    if (this.#openers.readsMarkup) this.#openers.pass(this.#source.slice(from, to));
  }

  /** Delivers text as it is, without a look for stop strings. */
  say(text: string): void {
    const { structured } = this.#options;
    const said = structured?.waits ? structured.read(text) : text;
    if (said !== '') this.#delivery.emit({ type: 'text-delta', text: said });
  }

  /** Delivers text that was held because it may begin a stop string, or a call without its tokens. */
  flushStops(): void {
    this.#tell(this.#stops.flush(), this.#settled);
    this.#deliver(this.#stripped.flush());
  }

  /** Delivers all text that was held: a call follows. Where the answer is to be JSON, the text waits for the end. */
  flush(): void {
    this.flushStops();
    this.#options.structured?.callFollows();
  }

  answers(source: string): boolean {
    const isAnswer = this.#options.structured?.wouldBe(source) ?? false;
    if (isAnswer) this.#deliver(source);
    return isAnswer;
  }

  /** Ends the attempt at this position; without one, at the end of what was written. */
  end(at?: number): void {
    this.ended = true;
    if (at !== undefined) this.endedAt = at;
  }

  /** Marks the text up to the end of this event as settled: it will not be asked for again. */
  settle({ range }: ParseEvent): void {
    this.#settled = range[1];
    this.#source.settle(this.#settled);
  }

  /** Gives the source of a call, from the settled position on and without reasoning tags before it. */
  sourceOf({ range }: ParseEvent): string {
    const text = this.#source.slice(this.#settled, range[1]);
    const { reasoning } = this.#options.dialect.traits;
    return this.#silent && reasoning ? withoutReasoningTags(text, reasoning) : text;
  }

  #deliver(text: string): void {
    const { structured } = this.#options;
    this.say(structured ? structured.read(text) : text);
  }

  #untilStop(piece: string, at: number): void {
    const { text, stop, end = 0 } = this.#stops.feed(piece);
    this.#tell(text, at);
    if (stop === undefined) return;
    this.stop = stop;
    this.end(at + end);
  }

  /** Delivers text up to a call without its special tokens; the rest waits if a reask may help. */
  #tell(said: string, at: number): void {
    const { text, found } = this.#stripped.feed(said);
    if (found) {
      this.#deliver(text.slice(0, found.at));
      this.leftOpener ??= strippedCall(found.tool, at, this.#options.stripped?.advice ?? '');
      this.#deliver(text.slice(found.at));
    } else this.#deliver(text);
  }

  /** Finds an opener at the start of a line that opened no call: most likely a call that went wrong. */
  #openerIn(text: string): number {
    if (this.#options.tools.size === 0) return -1;
    let at = this.#openers.feed(text);
    // The line breaks before it are its separator, as before any call.
    while (at > 0 && isBreak(text.charCodeAt(at - 1))) at--;
    return at;
  }
}

function leftOpener(at: number): Issue {
  const message = 'A call was begun here, but what follows is none.';
  return { code: 'unreadable-call', range: [at, at], message };
}

/** Removes reasoning tags and the white space around them from the start of a text. */
function withoutReasoningTags(text: string, { open, close }: { open: string; close: string }): string {
  let rest = text;
  for (;;) {
    const line = rest.trimStart();
    const tag = [open, close].find((one) => line.startsWith(one));
    if (tag === undefined) return rest;
    rest = line.slice(tag.length).trimStart();
  }
}
