// Looks in the text of a native upstream for leaked calls, in the format of one dialect.
//
//   text ──> parser ──> events ──> text, reasoning ──────────────────────────────────> out at once
//                          └──────> calls ──quoted──> text                  ┌────────> out at the end
//                                       └──meant, and what follows them ────┘
//
// Text comes out byte for byte: markup without a call in it stays as the upstream wrote it. Inside a quoted fence nothing
// is parsed; after it a new parser starts. A call waits for the end, because the text after it may show that it was
// quoted, and because the upstream may still send the same call natively.

import type { Dialect } from '../../engine/dialect.js';
import { createParser, type Parser } from '../../engine/parser.js';
import { DEFAULT_LIMITS, type Limits, type SharingOptions } from '../../engine/parser-options.js';
import type { CallEnd, Issue, ParseEvent, Range, Repair } from '../../model/index.js';
import { callsStandBehindText } from './call-layout.js';
import { EchoText } from './echo-text.js';
import { ExampleScan } from './example-scan.js';
import { FencedCalls } from './fenced-calls.js';
import { type CallBlock, LeakHold } from './leak-hold.js';
import {
  addEvent,
  type CallRun,
  deliverable,
  hasCalls,
  leadOf,
  markEchoes,
  newRun,
  shiftEvent,
  tailOf,
} from './leak-run.js';
import { namesOf } from './open-elements.js';
import { type CallPlace, QuoteScan } from './quote-scan.js';

/** A part of the text: plain text, reasoning, or a leaked call. */
export type LeakSegment =
  | { type: 'text' | 'reasoning'; text: string; range: Range }
  | { type: 'call'; call: CallEnd; source: string; range: Range; issues: Issue[]; repairs: Repair[] };

export interface LeakWatcher {
  readonly issues: Issue[];
  /** Gives the segments that have become certain. */
  feed(chunk: string): LeakSegment[];
  /** Gives the rest, with the calls. `cut`: see the parser. */
  finish(end?: { cut?: boolean }): LeakSegment[];
}

export interface LeakWatchOptions {
  parser: SharingOptions;
  /** Whether a call of a declared tool may be delivered. */
  accepts: (call: CallEnd) => boolean;
  /** Text came before this one, so that it cannot be a bare reply. */
  spoke?: boolean;
  /** A call may stand behind text on its line. Default: where the template of the dialect puts it there. */
  behindText?: boolean;
  onParse?: (event: ParseEvent) => void;
}

/** The parser is fed up to multiples of this, so that costs do not depend on how the text is cut into chunks. */
const CELL = 256;
/** Limits how often text is parsed again: so many times its length, and a few cells more for short ones. */
const AGAIN = 8;
const AGAIN_FLOOR = 256;

/** How many calls that stay text are reported one by one. */
const MOST_REPORTED = 16;

/** How much is gathered before it is made one flat string. */
const FLAT = 4096;

/** Whether a call would be accepted if it were no copy of the input. */
function isMeant(call: CallEnd, accepts: (call: CallEnd) => boolean): boolean {
  const { issues: _, ...rest } = call;
  return accepts(rest);
}

export class LeakWatch implements LeakWatcher {
  readonly issues: Issue[] = [];
  readonly #dialect: Dialect;
  readonly #options: LeakWatchOptions;
  readonly #scan: QuoteScan;
  readonly #limits: Limits;
  readonly #input: EchoText;
  readonly #hold = new LeakHold((block) => this.#reportQuoted(block));
  /** Blocks of calls that stay text, and what is reported of the last that is listed. */
  #quotedCalls = 0;
  #lastListed: Issue | undefined;
  #fenced: FencedCalls | undefined;
  #parser: Parser | undefined;
  /** The offset from the parser's positions to those of the text. */
  #shift = 0;
  /** Where the text of the parser begins. */
  #begun = 0;
  /** The text from `#at` on, which is not settled. `#recent` is its end, not flat yet (why: `text/gather.ts`). */
  #flat = '';
  #recent = '';
  #at = 0;
  /** How far the parser was fed. */
  #fed = 0;
  #again = 0;
  #gaveUp = false;
  #run: CallRun | undefined;
  /** Only white space and reasoning so far. */
  #silent: boolean;
  /** Reasoning comes right before. */
  #reasoned = false;

  constructor(dialect: Dialect, options: LeakWatchOptions) {
    this.#dialect = dialect;
    this.#options = options;
    this.#silent = !options.spoke;
    const { reasoning, startsInReasoning } = dialect.traits;
    const examples = new ExampleScan(
      options.behindText || callsStandBehindText(dialect),
      namesOf(dialect.markers.literals),
    );
    this.#scan = new QuoteScan(startsInReasoning ? reasoning : undefined, !options.spoke, examples);
    this.#limits = { ...DEFAULT_LIMITS, ...options.parser.limits };
    this.#input = new EchoText(options.parser.untrusted ?? '');
    this.#parser = createParser(dialect, options.parser);
    if (options.spoke) this.#startParser();
  }

  feed(chunk: string): LeakSegment[] {
    this.#recent += chunk;
    if (this.#recent.length >= FLAT) this.#flatten();
    this.#pump(chunk);
    return this.#hold.take();
  }

  finish(end?: { cut?: boolean }): LeakSegment[] {
    while (this.#parser) {
      const parser = this.#parser;
      this.#read(parser.finish(end));
      if (this.#parser === parser && !this.#closeRun()) this.#parser = undefined;
      else this.#pump('');
    }
    this.#plain(this.#source);
    this.#endFenced();
    this.#scan.finish();
    const { accepts } = this.#options;
    this.#hold.deliver(this.#isQuoted, { openers: this.#dialect.grammar.openers, accepts });
    this.#countFurther();
    return this.#hold.take();
  }

  get #source(): string {
    this.#flatten();
    return this.#flat;
  }

  #flatten(): void {
    // Reading a character makes the JavaScript engine copy the rope into one string.
    this.#recent.charCodeAt(0);
    this.#flat += this.#recent;
    this.#recent = '';
  }

  get #end(): number {
    return this.#at + this.#flat.length + this.#recent.length;
  }

  // --- feeding the parser ----------------------------------------------------------------------------------

  #pump(chunk: string): void {
    const chunkAt = this.#end - chunk.length;
    while (this.#fed < this.#end) {
      if (!this.#parser) this.#passFence();
      else {
        const to = Math.min(this.#end, (Math.floor(this.#fed / CELL) + 1) * CELL);
        // Taken from the chunk where possible, so that a long call is not flattened at every piece.
        const [text, start] = this.#fed >= chunkAt ? [chunk, chunkAt] : [this.#source, this.#at];
        this.#feed(this.#parser, text.slice(this.#fed - start, to - start));
        if (this.#fed % CELL === 0) this.#checkHeld();
      }
    }
  }

  /**
   * Feeds the parser, which holds a line break back, since a call may follow. After the line of a fence the line break
   * is settled at once, so that the content of the fence is not parsed and goes out as it comes.
   */
  #feed(parser: Parser, piece: string): void {
    const end = this.#scan.fenceLineEnd(piece);
    if (end === 0 && this.#at === this.#fed && !this.#run && !this.#reasoned && this.#scan.opensFence) {
      this.#plain('\n');
      return;
    }
    const length = end < 0 ? piece.length : Math.max(1, end);
    this.#fed += length;
    this.#read(parser.feed(piece.slice(0, length)));
  }

  /** Passes a quoted fence as text, up to the line that closes it. */
  #passFence(): void {
    const length = this.#scan.fence ? this.#scan.readFence(this.#source) : this.#source.length;
    const text = this.#source.slice(0, length);
    if (!this.#gaveUp) this.#readFenced(text);
    this.#say(text);
    this.#advance(length);
    this.#fed = this.#at;
    if (this.#scan.fence || this.#gaveUp) return;
    this.#endFenced();
    this.#startParser();
  }

  #readFenced(text: string): void {
    const { parser, accepts } = this.#options;
    this.#fenced ??= new FencedCalls(this.#dialect, parser, this.#at, (call) => isMeant(call, accepts));
    this.#fenced.feed(text);
  }

  #endFenced(): void {
    const fenced = this.#fenced;
    this.#fenced = undefined;
    fenced?.finish();
    if (fenced && fenced.names.length > 0)
      this.#report(fenced.names, [fenced.start, this.#at], 'it stands in a code fence');
  }

  /** Starts a parser for what follows. It is fed a character first, so that it does not expect reasoning here. */
  #startParser(): void {
    this.#parser = createParser(this.#dialect, { ...this.#options.parser, thinking: false });
    this.#parser.feed('.');
    this.#shift = this.#at - 1;
    this.#begun = this.#at;
  }

  /** Enters a quoted fence. What the parser has read of it is read again, as text. */
  #enterFence(): void {
    const cell = (at: number) => Math.ceil(at / CELL);
    this.#again += Math.max(0, cell(this.#fed) - cell(this.#at));
    const tooOften = this.#again > AGAIN * cell(this.#fed) + AGAIN_FLOOR;
    this.#parser = undefined;
    this.#run = undefined;
    this.#fed = this.#at;
    if (tooOften) this.#giveUp();
  }

  #giveUp(): void {
    this.#gaveUp = true;
    const message = 'Too many fences stand inside what looks like calls; the rest is taken for text.';
    this.issues.push({ code: 'too-long', range: [this.#at, this.#at], message });
    this.#scan.fence = undefined;
  }

  // --- events of the parser --------------------------------------------------------------------------------

  #read(events: ParseEvent[]): void {
    const parser = this.#parser;
    for (const event of events) {
      const shifted = this.#placed(event);
      if (!shifted) continue;
      this.#options.onParse?.(shifted);
      this.#readOne(shifted);
      if (this.#parser !== parser) return;
    }
  }

  /** Moves an event to its place in the text. Undefined: it is the character that the parser was fed first. */
  #placed(event: ParseEvent): ParseEvent | undefined {
    const shifted = shiftEvent(event, this.#shift);
    const before = this.#begun - shifted.range[0];
    if (before <= 0 || shifted.type !== 'text-delta') return shifted;
    if (shifted.text.length <= before) return undefined;
    return { ...shifted, text: shifted.text.slice(before), range: [this.#begun, shifted.range[1]] };
  }

  #readOne(event: ParseEvent): void {
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') {
      this.#run = addEvent(this.#run ?? newRun(event.range[0]), event);
      return;
    }
    if (this.#closeRun()) return;
    this.#reasoned = false;
    if (event.type === 'text-delta') this.#plain(event.text);
    else {
      this.#hold.push({ type: 'reasoning', text: event.text, range: event.range });
      this.#scan.inThought = true;
      this.#reasoned = true;
      this.#advance(event.range[1] - this.#at);
    }
  }

  /** Passes text that is no call. Gives whether a quoted fence opened in it, which ends the parser. */
  #plain(text: string, leftover = false): boolean {
    const length = this.#scan.read(text, leftover);
    this.#say(text.slice(0, length));
    this.#advance(length);
    this.#release();
    if (!this.#scan.isFenced) return false;
    this.#enterFence();
    return true;
  }

  /** Ends the gathered markup: a block of calls, reasoning tags, or leftovers. Gives the same as `#plain`. */
  #closeRun(): boolean {
    const run = this.#run;
    if (!run) return false;
    this.#run = undefined;
    const source = this.#source.slice(0, run.end - this.#at);
    const lead = leadOf(source, this.#dialect.traits.reasoning);
    if (hasCalls(run)) return this.#closeBlock(run, source, lead.length);
    this.issues.push(...run.issues);
    if (!lead.tags || lead.length < source.length || !(this.#silent || this.#reasoned))
      return this.#plain(source, true);
    this.#scan.inThought = source.trimEnd().endsWith(this.#dialect.traits.reasoning?.open ?? '');
    this.#advance(source.length);
    return false;
  }

  #closeBlock(run: CallRun, source: string, lead: number): boolean {
    const before = source.slice(0, lead);
    // The line break before a call may be the one that opens a fence.
    const length = this.#scan.read(before, true);
    if (this.#scan.isFenced) {
      this.#say(before.slice(0, length));
      this.#advance(length);
      this.#enterFence();
      return true;
    }
    const place = this.#scan.enter();
    this.#silent = false;
    markEchoes(run, source, lead, this.#input);
    const waits = deliverable(run, this.#options.accepts) && this.#mayWait(run);
    if (waits) this.#hold.wait({ place, run, source, lead });
    else this.#refuse(run, source, place);
    this.#scan.leave(tailOf(run, source));
    this.#advance(source.length);
    this.#release();
    if (!this.#scan.isFenced) return false;
    this.#enterFence();
    return true;
  }

  /** Whether the limit of calls allows this block. Each parser counts only its own calls; this counts all. */
  #mayWait(run: CallRun): boolean {
    const { calls } = this.#hold;
    if (calls === 0 || calls + run.calls.length <= this.#limits.calls) return true;
    const message = `More than ${this.#limits.calls} calls in one answer.`;
    this.issues.push({ code: 'too-many-calls', range: [run.start, run.end], message });
    return false;
  }

  /** Passes a block without a deliverable call as text, and reports its issues. */
  #refuse(run: CallRun, source: string, place: CallPlace): void {
    const isPlain = !place.quoted && place.openings.length === 0;
    // A copy of the input is reported wherever it stands.
    this.issues.push(...run.issues.filter(({ code }) => isPlain || code === 'suspected-echo'));
    this.#scan.passOver(place);
    this.#hold.push({ type: 'text', text: source, range: [run.start, run.end] });
  }

  #advance(length: number): void {
    this.#flat = this.#source.slice(length);
    this.#at += length;
  }

  // --- output ----------------------------------------------------------------------------------------------

  #say(text: string): void {
    if (text === '') return;
    if (this.#silent && text.trim() !== '') this.#silent = false;
    this.#hold.push({ type: 'text', text, range: [this.#at, this.#at + text.length] });
  }

  readonly #isQuoted = ({ quoted, thought }: CallPlace): boolean => thought || (quoted && !this.#scan.bare);

  #release(): void {
    if (this.#hold.isEmpty) return;
    this.#hold.release(this.#isQuoted);
    if (this.#hold.isEmpty) this.#scan.forget();
  }

  /** Reports a call that stays text because the text only shows it, so that no call is lost in silence. */
  #reportQuoted({ place, run }: CallBlock): void {
    if (!this.#isQuoted(place)) return;
    const names = run.calls.flatMap(({ event }) => (event.type === 'call-end' ? [event.name] : []));
    this.#report(names, [run.start, run.end], place.thought ? 'it belongs to reasoning' : place.why);
  }

  #report(names: readonly string[], range: Range, why: string): void {
    if (this.#quotedCalls++ >= MOST_REPORTED) return;
    const message = `A call of ${names.slice(0, 4).join(', ')} stays text: ${why}.`;
    this.#lastListed = { code: 'quoted-call', range, message };
    this.issues.push(this.#lastListed);
  }

  /** Says with the last that is listed how many further ones stay text. */
  #countFurther(): void {
    const further = this.#quotedCalls - MOST_REPORTED;
    if (further <= 0 || !this.#lastListed) return;
    this.#lastListed.message += ` ${further} more ${further === 1 ? 'stays' : 'stay'} text and ${further === 1 ? 'is' : 'are'} not listed.`;
  }

  /** Stops holding a call when too much text follows it: the end may never come. */
  #checkHeld(): void {
    if (this.#hold.length <= this.#limits.held) return;
    const message = `More than ${this.#limits.held} characters stand behind a call; it is taken for text.`;
    this.issues.push({ code: 'too-long', range: [this.#at, this.#at], message });
    this.#hold.release(() => true);
    this.#scan.forget();
  }
}
