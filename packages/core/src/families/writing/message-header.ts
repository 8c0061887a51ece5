// Reads the header of a message, as harmony and related dialects write it:
//
//   <|start|>assistant to=functions.f<|channel|>commentary <|constrain|>json<|message|>
//   ^ start            ^ recipient    ^ channel             ^ content type   ^ end
//
// Only the end is required. The recipient comes before the channel or after it. The prompt ends with
// `<|start|>assistant`, so an answer begins after that.

import type { Opener, VoiceFrame } from '../../engine/dialect.js';
import type { OpenerHold } from '../../engine/hold.js';
import { type Match, matchFirst, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { spaceEnd } from '../../text/characters.js';

export const START = '<|start|>';
export const CHANNEL = '<|channel|>';
export const CONSTRAIN = '<|constrain|>';
export const MESSAGE = '<|message|>';

const ROLE = 'assistant';
const TO = 'to=';
const TYPES = ['json', 'code', 'text'];
const HEADER_LIMIT = 512;
const GAP = 8;

interface MessageHeader {
  length: number;
  channel: string | undefined;
  recipient: string | undefined;
  /** The offset of the recipient in the header. */
  recipientAt: number;
}

type Found = MessageHeader | typeof NO | typeof NOT_YET;

/** Classifies a message by its header. */
export type MessageKind = (header: MessageHeader) => 'text' | 'reasoning' | 'call';

/** Reads the header at a place. `begun`: after `<|start|>assistant`, where an answer begins. */
function readHeader(text: string, from: number, ended: boolean, begun = false): Found {
  const start = begun ? NO : matchStart(text, from, ended);
  if (start === NOT_YET) return NOT_YET;
  const header: MessageHeader = { length: 0, channel: undefined, recipient: undefined, recipientAt: 0 };
  if (start === NO && !begun && !text.startsWith('<', from)) return NO;
  return readFields(text, from, from + start, ended, header);
}

/** Matches `<|start|>assistant`, or `<|start|>` alone, where the role is lost. */
function matchStart(text: string, from: number, ended: boolean): Match {
  const whole = matchRole(text, from, ended);
  return whole === NO ? matchStarts(text, from, ended) : whole;
}

/** Matches `<|start|>assistant`, perhaps with white space between them. */
function matchRole(text: string, from: number, ended: boolean): Match {
  const start = matchStarts(text, from, ended);
  if (start <= 0) return start;
  const at = spaceEnd(text, from + start, from + start + GAP);
  const role = matchLiteral(text, at, ROLE, ended);
  return role > 0 ? at + role - from : role;
}

/** Matches `<|start|>`, perhaps written more than once. */
function matchStarts(text: string, from: number, ended: boolean): Match {
  let at = from;
  let found = matchLiteral(text, at, START, ended);
  while (found > 0 && at - from < HEADER_LIMIT) {
    at += found;
    found = matchLiteral(text, at, START, ended);
  }
  return found === NOT_YET ? NOT_YET : at - from;
}

/** The header of the next message, which is not there yet. */
export const startFrame: VoiceFrame = { firsts: '<', next: ['|s'], match: matchRole, opens: 'nothing' };

/** A header that the end of the text cuts off, from its first token on. It says nothing yet. */
export const cutFrame: VoiceFrame = {
  firsts: '<',
  next: ['|s', '|c'],
  match: (text, at, ended) => (ended ? cutHeader(text, at) : NO),
  opens: 'nothing',
};

function cutHeader(text: string, at: number, begun = false): Match {
  const isHead = (first: string) => text.startsWith(first, at);
  const begins =
    isHead(START) || isHead(CHANNEL) || (begun && text.startsWith(TO, spaceEnd(text, at, at + GAP)));
  return begins && readHeader(text, at, false, begun) === NOT_YET ? text.length - at : NO;
}

function readFields(
  text: string,
  from: number,
  fields: number,
  ended: boolean,
  header: MessageHeader,
): Found {
  const more = ended ? NO : NOT_YET;
  let at = fields;
  for (;;) {
    while (text.charAt(at) === ' ') at++;
    if (at - from > HEADER_LIMIT) return NO;
    if (at >= text.length) return more;
    if (text.charAt(at) !== '<') {
      const end = endOfWord(text, at);
      if (end >= text.length) return couldBeWord(text, at, header) && end - from <= HEADER_LIMIT ? more : NO;
      if (!readWord(text, at, end, from, header)) return NO;
      at = end;
      continue;
    }
    const token = tokenAt(text, at, ended);
    if (token === NO || token === NOT_YET) return token;
    at += token.length;
    if (token === MESSAGE) return { ...header, length: at - from };
    const end = endOfWord(text, at);
    if (end >= text.length) return end - from > HEADER_LIMIT ? NO : more;
    if (token === CHANNEL) header.channel = text.slice(at, end);
    at = end;
  }
}

/** Reads a recipient, or a content type, which the vendor's own template writes without a token before it. */
function readWord(text: string, at: number, end: number, from: number, header: MessageHeader): boolean {
  if (!text.startsWith(TO, at)) return header.channel !== undefined && TYPES.includes(text.slice(at, end));
  const recipient = text.slice(at + TO.length, end);
  if (recipient === '') return false;
  header.recipient = recipient;
  header.recipientAt = at + TO.length - from;
  return true;
}

function couldBeWord(text: string, at: number, { channel }: MessageHeader): boolean {
  const word = text.slice(at, at + TO.length);
  return (
    TO.startsWith(word) ||
    word === TO ||
    (channel !== undefined && TYPES.some((type) => type.startsWith(text.slice(at))))
  );
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !' <\n'.includes(text.charAt(at))) at++;
  return at;
}

function tokenAt(text: string, at: number, ended: boolean): string | typeof NO | typeof NOT_YET {
  const tokens = [CHANNEL, CONSTRAIN, MESSAGE];
  const found = matchFirst(text, at, tokens, ended);
  if (found === NO || found === NOT_YET) return found;
  return text.slice(at, at + found);
}

// --- frames and openers for the engine -----------------------------------------------------------------

/** Matches headers of one kind. */
function matchKind(kindOf: MessageKind, kind: ReturnType<MessageKind>): VoiceFrame['match'] {
  return (text, at, ended) => {
    const header = readHeader(text, at, ended);
    if (header === NO || header === NOT_YET) return header;
    return kindOf(header) === kind ? header.length : NO;
  };
}

/** Gives frames for headers that begin text or reasoning. */
export function headerFrames(kindOf: MessageKind): VoiceFrame[] {
  return (['text', 'reasoning'] as const).map((opens) => ({
    firsts: '<',
    next: ['|s', '|c', '|m'],
    match: matchKind(kindOf, opens),
    opens,
  }));
}

export type OpenCall = (reader: Reader, hold: OpenerHold, header: MessageHeader) => Mode;

/** Gives the opener for headers that begin calls. */
export function headerOpener(kindOf: MessageKind, open: OpenCall): Opener {
  return {
    firsts: '<',
    next: ['|s', '|c'],
    message: true,
    match: matchKind(kindOf, 'call'),
    open: (reader, hold) =>
      open(reader, hold, readHeader(reader.text, reader.at, reader.ended) as MessageHeader),
  };
}

/** Reads the rest of a header at the start of an answer. */
export function beginInHeader(kindOf: MessageKind, open: OpenCall): Mode {
  return (reader) => {
    const header = readHeader(reader.text, reader.at, reader.ended, true);
    if (header === NOT_YET) return undefined;
    if (header === NO) {
      if (reader.ended) reader.markup(cutHeader(reader.text, reader.at, true));
      return reader.plain;
    }
    const kind = kindOf(header);
    if (kind === 'call') {
      if (!reader.setup.readCalls) return reader.plain;
      const hold = reader.tryOpener(0);
      reader.beginSource();
      return open(reader, hold, header);
    }
    reader.markup(header.length);
    reader.speakAs(kind, kind === 'text');
    return reader.plain;
  };
}
