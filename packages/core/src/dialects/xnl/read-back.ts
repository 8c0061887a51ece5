// Reads xnl back: results in elements of their own. The definitions are not read from their signatures, because types
// do not carry everything a schema does.

import type { ReadBack, ReadResults } from '../../engine/dialect.js';
import { tryParseExact } from '../../model/index.js';
import { UNQUOTE_END, UNQUOTE_START } from './prompt.js';

export const xnlBack: ReadBack = { results: readResponses };

const RESPONSE = '<tool_resp id=';

/** Reads !unquote_start\n (<tool_resp id="abcd" #r1>\n text \n</#r1>\n)+ !unquote_end */
function readResponses(text: string): ReadResults | undefined {
  if (!text.startsWith(`${UNQUOTE_START}\n`)) return undefined;
  const results: ReadResults['results'] = [];
  let at = UNQUOTE_START.length + 1;
  while (text.startsWith(RESPONSE, at)) {
    const head = text.indexOf('>\n', at);
    const mark = text.lastIndexOf(' #', head);
    const callId = tryParseExact(text.slice(at + RESPONSE.length, mark));
    const closer = `\n</${text.slice(mark + 1, head)}>\n`;
    const start = head + 2;
    const end = head < 0 || mark < at ? -1 : text.indexOf(closer, start - 1);
    if (typeof callId !== 'string' || end < 0) return undefined;
    results.push({ callId, text: text.slice(start, Math.max(start, end)) });
    at = end + closer.length;
  }
  const isWhole = results.length > 0 && text.startsWith(UNQUOTE_END, at);
  return isWhole ? { results, end: at + UNQUOTE_END.length } : undefined;
}
