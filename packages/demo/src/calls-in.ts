// The calls that an earlier answer made.

import { type Dialect, type ParsedCall, parse, type Tool } from '@dragoman/core';

export function callsIn(answer: string, dialect: Dialect, tools: readonly Tool[] = []): ParsedCall[] {
  const spoken = answer.slice(Math.max(0, answer.lastIndexOf('</think>')));
  return parse(dialect, spoken, { tools }).calls;
}
