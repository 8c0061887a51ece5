// A line that opens a code fence.

export interface Fence {
  mark: string;
  length: number;
}

/** The fence that a line opens: indented or in a list as it may be. `ticks`: all the back quotes on the line. */
export function fenceOf(line: string, ticks: number): Fence | undefined {
  const bare = withoutBullets(line);
  const mark = bare.charAt(0);
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 0;
  while (bare.charAt(length) === mark) length++;
  // A back quote behind it makes it code in a line.
  if (length < 3 || (mark === '`' && ticks > length)) return undefined;
  return { mark, length };
}

/** A fence may stand in a list: `- ` or `12. ` before it. */
function withoutBullets(line: string): string {
  return line.replace(/^(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4}){1,3}/, '');
}
