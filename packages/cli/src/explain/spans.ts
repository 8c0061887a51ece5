// The role of each character of a text, from the ranges of the parser's events alone.

import type { ParseEvent } from '@dragoman/core';

export const roles = ['text', 'aside', 'reasoning', 'name', 'argument', 'markup', 'lost'] as const;
export type SpanRole = (typeof roles)[number];

export interface RoleSpan {
  start: number;
  end: number;
  role: SpanRole;
}

/** Gives spans that tile the text. Neighbours have different roles. */
export function roleSpans(events: readonly ParseEvent[]): RoleSpan[] {
  const spans: RoleSpan[] = [];
  for (const event of events) {
    const [start, end] = event.range;
    if (start === end) continue;
    const role = roleOf(event);
    const last = spans.at(-1);
    if (last?.role === role) last.end = end;
    else spans.push({ start, end, role });
  }
  return spans;
}

function roleOf(event: ParseEvent): SpanRole {
  switch (event.type) {
    case 'text-delta':
      return event.aside ? 'aside' : 'text';
    case 'reasoning-delta':
      return 'reasoning';
    case 'call-start':
      return 'name';
    case 'call-delta':
      return 'argument';
    case 'call-error':
      return 'lost';
    default:
      return 'markup';
  }
}
