// functionary-v3.2: MeetKai's Functionary 3.2.
//
//   >>>all
//   I will look.>>>get_weather
//   {"city": "Rome"}
//
// An answer is made of messages, each behind `>>>` and its recipient: `all` is text, a tool's name is a call. The
// prompt ends with `>>>`, so an answer may begin with the bare name; there, only `all` and declared tools count. The
// JSON ends a call by itself. `>>>` in prose (a Python prompt has a space behind it) stays text, and so does a
// message whose body is no JSON.
//
// The whole prompt is as the vendor's template has it, but for a line break behind a text that would join the mark.

import type { Dialect } from '../../engine/dialect.js';
import type { OpenerHold } from '../../engine/hold.js';
import { defineMarkers, NO, NOT_YET, type TailMatcher } from '../../engine/markers.js';
import type { Mode, Reader } from '../../engine/reader.js';
import { literalFrame, roleTokens, usualTraits } from '../../families/declared/dialect-parts.js';
import { HeaderArguments } from '../../families/json/header-arguments.js';
import { functionaryRender, functionarySpelling } from './prompt.js';

const MARK = '>>>';
const NAME_LIMIT = 256;
const ENDS = ['<|eot_id|>', '<|end_of_text|>', '<|eom_id|>'];
/** Other tokens of Llama's tokenizer; the last is followed by a number. */
const SPECIAL = ['<|python_tag|>', '<|finetune_right_pad_id|>', '<|step_id|>', '<|reserved_special_token_'];
const ROLES = ['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>'];

/** Gives the length of the header `>>>name\n`. */
function matchHeader(text: string, at: number, ended: boolean): number {
  for (let i = 0; i < MARK.length; i++) {
    if (at + i >= text.length) return ended ? NO : NOT_YET;
    if (text.charAt(at + i) !== '>') return NO;
  }
  const start = at + MARK.length;
  let end = start;
  while (end < text.length && isNameChar(text.charAt(end))) end++;
  if (end - start > NAME_LIMIT) return NO;
  if (end >= text.length) return ended ? NO : NOT_YET;
  return end > start && text.charAt(end) === '\n' && text.slice(start, end) !== 'all' ? end + 1 - at : NO;
}

function isNameChar(char: string): boolean {
  return !' \t\r\n<>{}"\'`()[],;'.includes(char);
}

/** Opens a call at a header of `length` characters, of which the first `mark` are the mark. */
function openCall(reader: Reader, hold: OpenerHold, mark: number, length: number): Mode {
  const name = reader.text.slice(reader.at + mark, reader.at + length - 1);
  const call = new HeaderArguments({ closers: [MARK, ...ENDS], otherwise: 'text' });
  return call.open(reader, hold, name, mark, length);
}

/** >>> | name\n  — at the start of an answer. */
const begin: Mode = (reader) => {
  const { text, at, ended } = reader;
  const names = reader.setup.readCalls ? ['all', ...reader.setup.tools.keys()] : ['all'];
  const found = names.find((name) => text.startsWith(`${name}\n`, at));
  if (found === undefined) {
    const rest = text.slice(at, at + NAME_LIMIT);
    return !ended && names.some((name) => `${name}\n`.startsWith(rest)) ? undefined : reader.plain;
  }
  if (found === 'all') {
    reader.markup(found.length + 1);
    reader.speakAs('text', true);
    return reader.plain;
  }
  const hold = reader.tryOpener(0);
  reader.beginSource();
  return openCall(reader, hold, 0, found.length + 1);
};

/** How many backslashes may come between two signs of a mark. */
const BREAK_LIMIT = 16;

/**
 * Matches the tail of a mark, broken or not. The mark overlaps with itself in a longer run: `>\\>\\>>` is a broken
 * `>>>>`.
 */
const markTail: TailMatcher = (text, at, ended) => {
  let here = at;
  for (let sign = 1; sign < MARK.length; sign++) {
    const start = here;
    while (sign > 1 && text.charAt(here) === '\\' && here - start < BREAK_LIMIT) here++;
    if (here >= text.length) return ended ? NO : NOT_YET;
    if (text.charAt(here++) !== '>') return NO;
  }
  return here - at;
};

export const functionaryV32: Dialect = {
  name: 'functionary-v3.2',
  aliases: ['functionary_v3.2', 'functionary-v3-llama-3.2'],
  about: 'Messages behind >>> and a recipient: >>>all for text, >>>name for a call in JSON.',
  models: ['functionary-small-v3.2', 'functionary-medium-v3.2'],
  templateSigns: [['>>>all']],
  traits: {
    ...usualTraits,
    textFrame: { open: '>>>all\n', close: '' },
    callsInReasoning: 'never',
    resultRole: 'tool',
  },
  markers: defineMarkers([MARK, ...ENDS, ...ROLES, ...SPECIAL], { '>': [markTail] }),
  grammar: {
    begin,
    openers: [
      {
        firsts: '>',
        next: ['>>'],
        message: true,
        match: matchHeader,
        open: (reader, hold) =>
          openCall(reader, hold, MARK.length, matchHeader(reader.text, reader.at, reader.ended)),
      },
    ],
    frames: [literalFrame('>>>all\n', 'text'), ...ENDS.map((end) => literalFrame(end, 'nothing'))],
    drop: roleTokens(ROLES),
  },
  render: functionaryRender,
  constrain: functionarySpelling,
};
