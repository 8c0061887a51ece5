// What each part of an answer's text is, for reports that colour it.

import type { Dialect, ParseEvent, Tool } from '@dragoman/core';
import { createParser } from '@dragoman/core';

export type ReadingRole = 'text' | 'reasoning' | 'name' | 'argument' | 'markup';

export interface Reading {
  dialect: string;
  text: string;
  /** They tile the text. */
  spans: { start: number; end: number; role: ReadingRole }[];
}

const roles: Record<ParseEvent['type'], ReadingRole> = {
  'text-delta': 'text',
  'reasoning-delta': 'reasoning',
  'call-start': 'name',
  'call-delta': 'argument',
  'call-end': 'markup',
  'call-error': 'markup',
  markup: 'markup',
};

const LONGEST = 4_000;

export function readingOf(whole: string, dialect: Dialect, tools: readonly Tool[]): Reading {
  const text = whole.slice(0, LONGEST).toWellFormed();
  const parser = createParser(dialect, { tools });
  const spans: Reading['spans'] = [];
  for (const { type, range } of [...parser.feed(text), ...parser.finish()]) {
    const [start, end] = range;
    const last = spans.at(-1);
    if (end <= start) continue;
    if (last?.role === roles[type] && last.end === start) last.end = end;
    else spans.push({ start, end, role: roles[type] });
  }
  return { dialect: dialect.name, text, spans };
}
