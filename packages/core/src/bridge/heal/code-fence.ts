// The code fences of Markdown.

/** A code fence that is open. */
export interface CodeFence {
  mark: string;
  length: number;
}

/** Gives the code fence that a line opens; the line may be indented or in a list. `ticks`: all back quotes on it. */
export function fenceOf(line: string, ticks: number): CodeFence | undefined {
  const bare = withoutBullets(line);
  const mark = bare.charAt(0);
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 0;
  while (bare.charAt(length) === mark) length++;
  // Another back quote after it makes it inline code.
  if (length < 3 || (mark === '`' && ticks > length)) return undefined;
  return { mark, length };
}

/** Removes list bullets (`- `, `12. `), which may precede a fence. */
function withoutBullets(line: string): string {
  return line.replace(/^(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,4}){1,3}/, '');
}
