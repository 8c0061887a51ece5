// Reads alkaid back: a list of flat definitions, and results in <tools_return>.

import type { ReadBack, ReadResults } from '../../engine/dialect.js';
import { readToolList } from '../../families/writing/tool-lines.js';
import { memberOf } from '../../families/writing/tool-text.js';
import { RETURN_CLOSE, RETURN_OPEN } from './prompt.js';
import { unflattenTool } from './unflatten.js';

export const alkaidBack: ReadBack = {
  tools: (text) => readToolList(`[${text}]`)?.map(unflattenTool),
  results: readReturn,
};

/** Reads results. Markers are escaped inside JSON, so the first closer is the real one. */
function readReturn(text: string): ReadResults | undefined {
  const end = text.startsWith(RETURN_OPEN) ? text.indexOf(RETURN_CLOSE) : -1;
  const items = end < 0 ? undefined : readToolList(text.slice(RETURN_OPEN.length, end));
  const results = items?.map((item) => ({
    text: memberOf(item, 'return'),
    callId: memberOf(item, 'id'),
    name: memberOf(item, 'name'),
  }));
  return results?.every(isResult) ? { results, end: end + RETURN_CLOSE.length } : undefined;
}

function isResult(
  result: Record<'text' | 'callId' | 'name', unknown>,
): result is Record<'text' | 'callId' | 'name', string> {
  return Object.values(result).every((member) => typeof member === 'string');
}
