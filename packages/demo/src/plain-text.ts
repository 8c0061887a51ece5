// Text from outside as it was before a prompt broke the markers in it: `<\tool_call>` is `<tool_call>` again.

import type { Dialect } from '@dragoman/core';

const QUOTE = { open: '!quote_start\n', close: '\n!quote_end' };

export function plainText(text: string, dialect: Dialect | undefined): string {
  const said = unquote(text);
  if (!dialect || !said.includes('\\')) return said;
  const { firsts } = dialect.markers;
  let out = '';
  let done = 0;
  for (let at = said.indexOf('\\'); at >= 0; at = said.indexOf('\\', at + 1)) {
    if (at === 0 || !firsts.includes(said.charAt(at - 1))) continue;
    let tail = at;
    while (said.charAt(tail) === '\\') tail++;
    if (dialect.markers.match(said, at - 1, true, tail) > 0) {
      out += said.slice(done, at);
      done = at + 1;
    }
    at = tail - 1;
  }
  return out + said.slice(done);
}

/** Where a dialect quotes instead. */
function unquote(text: string): string {
  if (!text.startsWith(QUOTE.open) || !text.endsWith(QUOTE.close)) return text;
  return text.slice(QUOTE.open.length, text.length - QUOTE.close.length);
}
