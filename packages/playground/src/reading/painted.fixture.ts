// The kind of each character, from the library's events alone: the oracle for the page's colours.

import type { ParseEvent } from '@dragoman/core';
import type { CharacterKind } from './kinds.js';

const kindOfEvent: Record<ParseEvent['type'], CharacterKind> = {
  'text-delta': 'text',
  'reasoning-delta': 'reasoning',
  'call-start': 'call-name',
  'call-delta': 'argument',
  'call-end': 'markup',
  'call-error': 'at-fault',
  markup: 'markup',
};

/** Character by character: events, then repairs over them, then issues over all. */
export function paint(events: readonly ParseEvent[]): CharacterKind[] {
  const each: CharacterKind[] = [];
  const fill = ([start, end]: readonly [number, number], kind: CharacterKind) => {
    for (let at = start; at < end; at++) each[at] = kind;
  };
  for (const { range, type } of events) fill(range, kindOfEvent[type]);
  for (const { repairs = [] } of events) for (const { range } of repairs) fill(range, 'repaired');
  for (const { issues = [] } of events) for (const { range } of issues) fill(range, 'at-fault');
  return each;
}
