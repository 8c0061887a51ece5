// The engine: it handles plain text, reasoning and the end of input. Dialects never flush; they only define how
// their calls are spelled.
//
//            <think>                opener of the dialect
//   plain ───────────> reasoning   plain ───────────> the dialect's modes ──> plain
//     ^                    |
//     └──── </think> ──────┘
//
// Where answers are made of messages, frames switch between plain text and reasoning anywhere (VoiceFrame).

import { type ParseEvent, UsageError } from '../model/index.js';
import { isBreak, isHighSurrogate, isSpace } from '../text/characters.js';
import type { Dialect, Dropped, Notice, Opener, VoiceFrame } from './dialect.js';
import type { Hold } from './hold.js';
import { type MarkerSet, type Match, matchLiteral, NO, NO_MARKERS, NOT_YET, nextOf } from './markers.js';
import { type ParserSetup, type SharingOptions, setUp } from './parser-options.js';
import { type Mode, Reader, unbreaking } from './reader.js';
import { isSettled, type Stops, stopsOf } from './stops.js';

export interface Parser {
  /** Reads a chunk of the text, cut anywhere, and gives the events that became certain. */
  feed(chunk: string): ParseEvent[];
  /**
   * Ends the text and gives the remaining events. `cut`: something cut the text, such as a token limit, so that closers
   * at its end do not stand for one that is missing before them.
   */
  finish(end?: { cut?: boolean }): ParseEvent[];
}

export function createParser(dialect: Dialect, options: SharingOptions = {}): Parser {
  return new Engine(dialect, setUp(dialect, options));
}

/** At most this many line breaks before an opener are separators; earlier ones of the same run are text. */
const SEPARATOR_LIMIT = 64;

/** How far an answer that begins inside reasoning is searched for an opener, which shows that it does not. */
const INSIDE_LIMIT = 64;

/** How many blanks may precede what counts only at the beginning of a line. Markdown reads more of them as code. */
export const INDENT = 3;

const NO_OPENERS: readonly Opener[] = [];

/** After this many transitions without progress, a grammar counts as stuck. */
const STUCK = 1000;

type Stop =
  | { type: 'open'; opener: Opener }
  | { type: 'frame'; length: number; frame: VoiceFrame }
  | { type: 'think' | 'unthink' | 'mention'; length: number }
  | { type: 'drop'; length: number; dropped: Dropped }
  | { type: 'notice'; length: number; notice: Notice }
  | { type: 'leftover'; length: number }
  | { type: 'escape' };

class Engine implements Parser {
  readonly #reader: Reader;
  readonly #markers: MarkerSet;
  readonly #openers: readonly Opener[];
  readonly #frames: readonly VoiceFrame[] | undefined;
  readonly #drops: readonly Dropped[];
  readonly #notices: readonly Notice[];
  readonly #think: { open: string; close: string } | undefined;
  /** Prose mentions the opener of reasoning, such as `<think>`: it counts only before all text, unlike `[THINK]`. */
  readonly #mentionsThink: boolean;
  readonly #holdsCalls: boolean;
  readonly #stops: Stops;
  #mode: Mode;
  #finished = false;
  /** Where in the window the last scan stopped. */
  #stopAt = 0;
  /** The held reasoning exceeded the limit, so a call in it was given up. */
  #heldTooMuch = false;

  constructor(dialect: Dialect, setup: ParserSetup) {
    const { grammar, traits } = dialect;
    this.#reader = new Reader(setup);
    this.#reader.plain = this.#resume;
    // Where a dialect places text with `render.text` (xnl quotes it), no marker in plain text was broken.
    this.#markers = dialect.render.text ? NO_MARKERS : dialect.markers;
    this.#openers = setup.readCalls ? grammar.openers : (grammar.quotes ?? NO_OPENERS);
    this.#frames = grammar.frames;
    this.#drops = grammar.drop ?? [];
    this.#notices = grammar.notice ?? [];
    this.#think = traits.reasoning;
    this.#mentionsThink = !/^(?:\[|<\W|<\w+:)/.test(traits.reasoning?.open ?? '');
    this.#holdsCalls = setup.callsInReasoning === 'if-unclosed';
    this.#stops = stopsOf(dialect, this.#openers);
    this.#mode = setup.thinking && traits.reasoning ? this.#startInside : (grammar.begin ?? this.#plain);
  }

  feed(chunk: string): ParseEvent[] {
    if (this.#finished)
      throw new UsageError('parser-finished', 'this parser has finished; make a new one for each answer');
    const reader = this.#reader;
    reader.push(chunk);
    const isProse = this.#mode === this.#plain || this.#mode === this.#reasoning;
    const said = isProse ? reader.sayProse(this.#stops) : undefined;
    if (said) return said;
    this.#run();
    return reader.takeEvents();
  }

  finish(end?: { cut?: boolean }): ParseEvent[] {
    if (this.#finished) return [];
    this.#finished = true;
    this.#reader.ended = true;
    this.#reader.cut = end?.cut;
    this.#run();
    while (this.#reader.unfinished === 'text') {
      this.#mode = this.#reader.rejectAll();
      this.#run();
    }
    this.#closeUp();
    return this.#reader.takeEvents();
  }

  #run(): void {
    const reader = this.#reader;
    let still = 0;
    let before = reader.position;
    for (;;) {
      const next = this.#mode(reader);
      if (!next) return;
      this.#mode = next;
      if (reader.position !== before) {
        before = reader.position;
        still = 0;
      } else if (++still > STUCK) {
        // A bug in a grammar must not hang the caller.
        this.#mode = this.#plain;
        reader.say(Math.min(1, reader.text.length - reader.at));
      }
    }
  }

  /** Handles the end of input; nothing else does. */
  #closeUp(): void {
    const reader = this.#reader;
    reader.keepAll();
    this.#reportHeld(reader);
    const rest = reader.text.length - reader.at;
    const end = reader.call ? 'incomplete' : reader.unfinished;
    if (end === 'incomplete')
      reader.failCall('incomplete-call', 'The text ended inside a call; it is not delivered.', rest);
    else if (end === 'unclosed-block')
      reader.failCall(end, 'The text ended before the block of calls was closed; none of them counts.', rest);
    else if (end === 'too-long')
      reader.failCall(end, `A block longer than ${reader.limits.held} characters did not close.`, rest);
    else if (end === 'missing-closer') {
      reader.repair('missing-closer');
      reader.markup(rest);
    } else reader.say(rest);
    reader.unfinished = 'nothing';
  }

  // ---------------------------------------------------------------- plain text

  /** Continues in plain text or reasoning, after a dialect's mode has finished or rejected its opener. */
  readonly #resume: Mode = (reader) =>
    reader.voice === 'reasoning' && !reader.inReasoning ? this.#reasoning : this.#plain;

  readonly #plain: Mode = (reader) => {
    const stop = this.#scan(reader, this.#plainStop);
    if (!stop) return undefined;
    switch (stop.type) {
      case 'open':
        return this.#open(reader, stop.opener);
      case 'frame':
        return this.#enter(reader, stop.frame, stop.length);
      case 'think':
        this.#separate(reader, reader.silent);
        reader.markup(stop.length);
        reader.voice = 'reasoning';
        return this.#breaksThenReasoning;
      case 'unthink':
        this.#separate(reader, false);
        reader.markup(stop.length, 'stray-think');
        return this.#plain;
      case 'mention':
        this.#separate(reader, false);
        reader.say(stop.length);
        reader.mentionsReasoning = !reader.mentionsReasoning;
        return this.#plain;
      default:
        return this.#plainToken(reader, stop);
    }
  };

  #open(reader: Reader, opener: Opener): Mode {
    const hold = reader.tryOpener(this.#stopAt - reader.at);
    if (opener.inline) hold.keep();
    this.#separate(reader, !opener.inline);
    reader.beginSource();
    if (opener.message === true) reader.speakAs('text', false);
    return () => opener.open(reader, hold);
  }

  /** Consumes one end of a frame. As with reasoning tags, line breaks next to it are not content. */
  #enter(reader: Reader, { opens, head }: VoiceFrame, length: number): Mode {
    const thought = reader.voice === 'reasoning';
    this.#reportHeld(reader);
    this.#separate(reader, reader.silent);
    reader.markup(length);
    reader.speakAs(opens === 'reasoning' ? opens : 'text', opens === 'text', head);
    if (opens === 'reasoning') return this.#breaksThenReasoning;
    return thought && opens === 'nothing' ? this.#behindReasoning(reader) : this.#plain;
  }

  #plainToken(
    reader: Reader,
    stop: Exclude<Stop, { type: 'open' | 'frame' | 'think' | 'unthink' | 'mention' }>,
  ): Mode {
    const stray = stop.type === 'drop' && stop.dropped.repair === 'stray-closer';
    this.#separate(reader, stray);
    if (stray) reader.settleCloser();
    if (stop.type === 'drop') reader.markup(stop.length, stop.dropped.repair);
    else if (stop.type === 'leftover') this.#sayLeftover(reader, stop.length);
    else if (stop.type === 'notice') {
      reader.issue(stop.notice.code, stop.notice.message);
      reader.say(stop.length);
    } else {
      return this.#sayBroken(reader, this.#plain);
    }
    return this.#plain;
  }

  readonly #plainStop = (reader: Reader, at: number): Stop | typeof NOT_YET | undefined => {
    const broken = this.#brokenStop(reader, at);
    if (broken !== undefined) return broken;
    const opens = this.#openStop(reader, at, (opener) => !(opener.unframed && reader.framed));
    if (typeof opens === 'object') return opens;
    const undecided = opens === NOT_YET;
    const frame = this.#frameStop(reader, at, undecided);
    if (frame !== undefined) return frame;
    const other = this.#thinkStop(reader, at) ?? this.#tokenStop(reader, at) ?? leftoverStop(reader, at);
    // The token may be the beginning of an opener that is still undecided.
    return undecided ? NOT_YET : other;
  };

  #sayLeftover(reader: Reader, length: number): void {
    reader.reportLeftover(length);
    reader.say(length);
  }

  #openStop(reader: Reader, at: number, counts: (opener: Opener) => boolean): Stop | Match {
    let result: Match = NO;
    for (const opener of this.#openers) {
      if (!counts(opener) || (opener.line && !beginsLine(reader, at))) continue;
      const found = opener.match(reader.text, at, reader.ended, reader.setup.tools);
      // Earlier openers take precedence.
      if (found > 0) return result === NOT_YET ? NOT_YET : { type: 'open', opener };
      if (found === NOT_YET) result = NOT_YET;
    }
    return result;
  }

  /** Stops at a marker's first character followed by a backslash: it may be a marker broken for the prompt. */
  #brokenStop(reader: Reader, at: number): Stop | typeof NOT_YET | undefined {
    const { text } = reader;
    if (!this.#markers.firsts.includes(text.charAt(at))) return undefined;
    if (at + 1 >= text.length) return reader.ended ? undefined : NOT_YET;
    return text.charAt(at + 1) === '\\' ? { type: 'escape' } : undefined;
  }

  /** `undecided`: an opener may begin here. It takes precedence, and it may begin with the token of a frame. */
  #frameStop(reader: Reader, at: number, undecided: boolean): Stop | typeof NOT_YET | undefined {
    if (!this.#frames) return undefined;
    if (undecided) return NOT_YET;
    const { text, ended } = reader;
    for (const frame of this.#frames) {
      if (frame.line && !beginsLine(reader, at)) continue;
      const length = frame.match(text, at, ended);
      if (length > 0) return { type: 'frame', length, frame };
      // Earlier frames take precedence: `<|start|>assistant` alone counts only if no whole header follows.
      if (length === NOT_YET) return NOT_YET;
    }
    return undefined;
  }

  #thinkStop(reader: Reader, at: number): Stop | typeof NOT_YET | undefined {
    if (!this.#think) return undefined;
    const { open, close } = this.#think;
    const isFirst = reader.silent && onlySpace(reader.text, reader.at, at);
    const opened = reader.voice === 'text' ? matchLiteral(reader.text, at, open, reader.ended) : NO;
    // A tag behind text is a mention, and its closer is one, too. A special token is none.
    if (opened > 0) return { type: isFirst || !this.#mentionsThink ? 'think' : 'mention', length: opened };
    const closed = matchLiteral(reader.text, at, close, reader.ended);
    if (closed > 0 && reader.mentionsReasoning) return { type: 'mention', length: closed };
    const stray = closed > 0 ? this.#strayThink(reader, at + closed, isFirst) : closed;
    if (stray > 0) return { type: 'unthink', length: closed };
    return opened === NOT_YET || stray === NOT_YET ? NOT_YET : undefined;
  }

  /** Whether a closer of reasoning that never opened is dropped: at the start of the answer, or at a line's end. */
  #strayThink({ text, ended }: Reader, end: number, isFirst: boolean): Match {
    if (isFirst) return 1;
    if (end >= text.length) return ended ? 1 : NOT_YET;
    return isBreak(text.charCodeAt(end)) ? 1 : NO;
  }

  /** A marker that begins another one is listed behind it: while the longer one may still come, it waits. */
  #tokenStop(reader: Reader, at: number): Stop | typeof NOT_YET | undefined {
    let undecided = false;
    for (const notice of this.#notices) {
      const length = matchLiteral(reader.text, at, notice.marker, reader.ended);
      if (length > 0) return { type: 'notice', length, notice };
      if (length === NOT_YET) undecided = true;
    }
    for (const dropped of this.#drops) {
      if (dropped.repair === 'stray-closer' && !this.#isStray(reader, at)) continue;
      const length = matchLiteral(reader.text, at, dropped.marker, reader.ended);
      if (length > 0) return undecided ? NOT_YET : { type: 'drop', length, dropped };
      if (length === NOT_YET) undecided = true;
    }
    return undecided ? NOT_YET : undefined;
  }

  /**
   * Emits everything up to the next stop, and gives the stop, or undefined if more text is needed. Separators at
   * the end are left unread, because an opener may follow them.
   */
  #scan(
    reader: Reader,
    stopAt: (reader: Reader, at: number) => Stop | typeof NOT_YET | undefined,
  ): Stop | undefined {
    const { text } = reader;
    let at = reader.at;
    for (;;) {
      at = nextOf(text, this.#stops.firsts, at);
      if (at >= text.length) break;
      if (!reader.leftover && isSettled(this.#stops, text, at)) {
        at++;
        continue;
      }
      const stop = stopAt(reader, at);
      if (stop === NOT_YET) break;
      if (stop) {
        this.#sayUpTo(reader, at);
        return stop;
      }
      at++;
    }
    this.#sayUpTo(reader, at);
    if (reader.ended && at >= text.length) this.#separate(reader, this.#behindCall(reader));
    return undefined;
  }

  #sayUpTo(reader: Reader, end: number): void {
    const { text, at } = reader;
    this.#stopAt = end;
    let stop = end;
    if (stop === text.length && stop > at && !reader.ended && isHighSurrogate(text.charCodeAt(stop - 1)))
      stop--;
    // Directly after a call all white space is a separator; after text, only line breaks are.
    const blank = this.#behindCall(reader) && onlySpace(text, at, stop);
    const isSeparator = blank ? isSpace : isBreak;
    const floor = Math.max(at, stop - SEPARATOR_LIMIT);
    while (stop > floor && isSeparator(text.charCodeAt(stop - 1))) stop--;
    reader.say(stop - at);
  }

  /** A closer is stray directly after a call, or where a block was left without its closer; elsewhere it is text. */
  #isStray(reader: Reader, at: number): boolean {
    return reader.owesCloser || (this.#behindCall(reader) && onlySpace(reader.text, reader.at, at));
  }

  #behindCall(reader: Reader): boolean {
    return reader.voice === 'text' && reader.silent && reader.calls > 0;
  }

  /** Consumes the separators that `#sayUpTo` left: as markup, or as content. */
  #separate(reader: Reader, asMarkup: boolean): void {
    const length = this.#stopAt - reader.at;
    // The line break after ```xml belongs to the fence, which stays in the text.
    if (asMarkup && !reader.inFenceLine) reader.markup(length);
    else reader.say(length);
  }

  #sayBroken(reader: Reader, back: Mode): Mode {
    const first = reader.text.charAt(reader.at);
    // An assistant's text may have been broken at more places than other text (see MarkerSet.said).
    const { said = this.#markers } = this.#markers;
    const markers = reader.voice === 'text' ? said : this.#markers;
    reader.say(1);
    return unbreaking((text, tail, ended) => markers.matchTail(first, text, tail, ended), back);
  }

  // ---------------------------------------------------------------- reasoning

  /** Starts inside the reasoning, where the prompt ended. Some models write its opener once more. */
  readonly #startInside: Mode = (reader) => {
    const { text, ended } = reader;
    const { open } = this.#think as { open: string };
    let at = reader.at;
    while (at < text.length && at < SEPARATOR_LIMIT && isSpace(text.charCodeAt(at))) at++;
    // Where the opener ends in a name (`<|channel>thought`), the prompt may have ended before it.
    const name = open.slice(open.lastIndexOf('>') + 1);
    let found: Match = at >= text.length && !ended ? NOT_YET : matchLiteral(text, at, open, ended);
    if (found === NO && name !== '') found = matchLiteral(text, at, `${name}\n`, ended);
    if (found === NOT_YET) return undefined;
    const opens = found > 0 ? NO : this.#opensLater(reader, at);
    if (opens === NOT_YET) return undefined;
    if (opens > 0) return this.#plain;
    reader.voice = 'reasoning';
    if (found > 0) reader.markup(at - reader.at + found);
    return this.#breaksThenReasoning;
  };

  /** Whether reasoning opens soon behind text: then the prompt had not opened it. Only where frames open it. */
  #opensLater({ text, ended }: Reader, from: number): Match {
    const frames = this.#frames?.filter(({ line }) => !line) ?? [];
    if (!frames.some(({ opens }) => opens === 'reasoning')) return NO;
    const end = from + INSIDE_LIMIT;
    for (let at = nextOf(text, this.#stops.firsts, from); at < Math.min(end, text.length); at++) {
      for (const { match, opens } of frames) {
        const found = match(text, at, ended);
        if (found === NOT_YET) return NOT_YET;
        if (found > 0) return opens === 'reasoning' && at > from ? 1 : NO;
      }
    }
    return text.length < end && !ended ? NOT_YET : NO;
  }

  /** <think> | ⏎ <think>  — an opener that is written twice is one. */
  readonly #breaksThenReasoning: Mode = (reader) => {
    if (!passBreaks(reader)) return undefined;
    const again = matchLiteral(reader.text, reader.at, this.#think?.open ?? '', reader.ended);
    if (again === NOT_YET) return undefined;
    if (again === NO) return this.#reasoning;
    reader.markup(again, 'doubled-opener');
    return this.#breaksThenReasoning;
  };
  readonly #breaksThenPlain: Mode = (reader) => (passBreaks(reader) ? this.#plain : undefined);

  readonly #reasoning: Mode = (reader) => {
    const stop = this.#scan(reader, this.#reasoningStop);
    if (!stop) return undefined;
    switch (stop.type) {
      case 'unthink':
        return this.#closeReasoning(reader, stop.length);
      case 'frame':
        return this.#enter(reader, stop.frame, stop.length);
      case 'open':
        if (stop.opener.message) return this.#open(reader, stop.opener);
        // A call inside reasoning counts only if the reasoning never closes, so it is held until then.
        return this.#heldReasoning(reader.try());
      case 'escape':
        this.#separate(reader, false);
        return this.#sayBroken(reader, this.#reasoning);
      case 'drop':
        this.#separate(reader, false);
        reader.markup(stop.length, stop.dropped.repair);
        return this.#reasoning;
      case 'leftover':
        this.#separate(reader, false);
        this.#sayLeftover(reader, stop.length);
        return this.#reasoning;
      default:
        return undefined;
    }
  };

  readonly #reasoningStop = (reader: Reader, at: number): Stop | typeof NOT_YET | undefined => {
    const { text, ended } = reader;
    const broken = this.#brokenStop(reader, at);
    if (broken !== undefined) return broken;
    const holds = this.#holdsCalls && !this.#heldTooMuch;
    const opens = this.#openStop(reader, at, (opener) => holds || !!opener.message);
    if (typeof opens === 'object') return opens;
    const frame = this.#frameStop(reader, at, opens === NOT_YET);
    if (frame !== undefined) return frame;
    const closed = matchLiteral(text, at, this.#think?.close ?? '', ended);
    if (closed > 0) return { type: 'unthink', length: closed };
    const undecided = opens === NOT_YET || closed === NOT_YET;
    const token = this.#tokenStop(reader, at);
    if (!undecided && token !== undefined && token !== NOT_YET && token.type === 'drop') return token;
    return undecided || token === NOT_YET ? NOT_YET : leftoverStop(reader, at);
  };

  /** Reports the issue where the reasoning ends, so that its position does not depend on the chunks. */
  #reportHeld(reader: Reader): void {
    if (!this.#heldTooMuch) return;
    this.#heldTooMuch = false;
    reader.issue('too-long', 'Reasoning that holds a call went on too long; it is kept as reasoning.');
  }

  #closeReasoning(reader: Reader, length: number): Mode {
    this.#reportHeld(reader);
    this.#separate(reader, true);
    reader.markup(length);
    reader.voice = 'text';
    return this.#behindReasoning(reader);
  }

  /** Line breaks behind reasoning are no content, unless there is text before it, too. */
  #behindReasoning(reader: Reader): Mode {
    return reader.silent ? this.#breaksThenPlain : this.#plain;
  }

  /** Reads on after an opener inside reasoning. If the reasoning closes, it was reasoning; if the text ends, a call. */
  #heldReasoning(hold: Hold): Mode {
    const held: Mode = (reader) => {
      const stop = this.#scan(reader, this.#closeOnly);
      if (stop?.type === 'unthink' || stop?.type === 'frame') {
        this.#heldTooMuch ||= hold.length > reader.limits.held;
        hold.keep();
        if (stop.type === 'frame') return this.#enter(reader, stop.frame, stop.length);
        return this.#closeReasoning(reader, stop.length);
      }
      if (stop) {
        this.#separate(reader, false);
        return this.#sayBroken(reader, held);
      }
      // The limit is on the held length, not on chunks: beyond it the call is given up.
      if (hold.length > reader.limits.held) {
        hold.keep();
        this.#heldTooMuch = true;
        return this.#reasoning;
      }
      // Reasoning that something cut may have gone on to its closer.
      if (!reader.ended || reader.cut) return undefined;
      hold.undo();
      reader.inReasoning = true;
      return this.#plain;
    };
    return held;
  }

  readonly #closeOnly = (reader: Reader, at: number): Stop | typeof NOT_YET | undefined => {
    const broken = this.#brokenStop(reader, at);
    if (broken !== undefined) return broken;
    const frame = this.#frameStop(reader, at, false);
    if (frame !== undefined) return frame;
    const closed = matchLiteral(reader.text, at, this.#think?.close ?? '', reader.ended);
    if (closed > 0) return { type: 'unthink', length: closed };
    return closed === NOT_YET ? NOT_YET : undefined;
  };
}

/** Whether this begins the answer, a frame or a line, perhaps indented. Line breaks may be unread, or said. */
function beginsLine({ text, at, lineHead }: Reader, place: number): boolean {
  let from = place;
  while (from > at && place - from < INDENT && text.charAt(from - 1) === ' ') from--;
  if (from === at) return (lineHead + text.slice(at, place)).length <= INDENT && lineHead.trim() === '';
  return from === place ? isBreak(text.charCodeAt(from - 1)) : text.charAt(from - 1) === '\n';
}

function leftoverStop(reader: Reader, at: number): Stop | typeof NOT_YET | undefined {
  const length = reader.leftover?.match(reader.text, at, reader.ended) ?? NO;
  if (length === NOT_YET) return NOT_YET;
  return length > 0 ? { type: 'leftover', length } : undefined;
}

function passBreaks(reader: Reader): boolean {
  let end = reader.at;
  while (end < reader.text.length && isBreak(reader.text.charCodeAt(end))) end++;
  reader.markup(end - reader.at);
  return end < reader.text.length || reader.ended;
}

function onlySpace(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}
