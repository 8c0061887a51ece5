// Family: call expressions, as Python writes them or with braces.
//
//   [f(x="a"), g()]                          style: python, several: brackets
//   <|tool_call>call:f{x:1}<tool_call|>      style: braces, several: each
//
// Without an opener, or with `bare`, a list in brackets counts where it begins the answer or a line;
// expression-block.ts tells it from prose.

import type { ExpressionCalls } from '../../engine/declaration.js';
import type { Opener } from '../../engine/dialect.js';
import { type MarkerSet, matchLiteral, NO, NOT_YET } from '../../engine/markers.js';
import { type Family, listOf } from '../declared/family.js';
import { ExpressionBlock, type ExpressionSpelling } from './expression-block.js';
import { bareListTail, isNameChar } from './expression-names.js';
import { writeCalls } from './expression-text.js';

export const expressionFamily: Family<ExpressionCalls> = {
  traits: () => ({ ids: false, values: 'json', streams: true }),
  markers: ({ open, close, quote }) => [
    ...listOf(open),
    ...listOf(close),
    ...(quote === undefined ? [] : [quote]),
  ],
  matchers: (calls) => (isBare(calls) ? { '[': [bareListTail] } : {}),
  grammar: (calls, markers) => ({
    openers: [
      ...listOf(calls.open).map((open) => markedOpener(spellingOf(calls, open, markers))),
      ...(isBare(calls) ? [bareOpener(spellingOf(calls, '', markers))] : []),
    ],
    drop: listOf(calls.close).map((marker) => ({ marker, repair: 'stray-closer' })),
  }),
  writeCalls: (calls) => (out, given, context) => writeCalls(out, given, context.afterText, calls),
};

function isBare({ open, bare }: ExpressionCalls): boolean {
  return bare === true || listOf(open).length === 0;
}

function spellingOf(calls: ExpressionCalls, open: string, markers: MarkerSet): ExpressionSpelling {
  const { style, several, prefix = '', quote, close } = calls;
  return {
    open,
    close: open === '' ? [] : listOf(close),
    style,
    several,
    prefix,
    quote,
    firsts: markers.firsts,
    brokenTail: markers.matchTail,
  };
}

function markedOpener(spelling: ExpressionSpelling): Opener {
  const { open } = spelling;
  return {
    firsts: open.charAt(0),
    next: [open.slice(1, 3)],
    match: (text, at, ended) => matchLiteral(text, at, open, ended),
    open: (reader, hold) => new ExpressionBlock(spelling, hold).open(reader),
  };
}

/** Opens at `[` and the first character of a name. */
function bareOpener(spelling: ExpressionSpelling): Opener {
  return {
    firsts: '[',
    match: (text, at, ended) => {
      if (text.charAt(at) !== '[') return NO;
      if (at + 1 >= text.length) return ended ? NO : NOT_YET;
      const next = text.charCodeAt(at + 1);
      return isNameChar(next) || next === 0x20 || next === 0x0a ? 1 : NO;
    },
    open: (reader, hold) => new ExpressionBlock(spelling, hold).open(reader),
  };
}
