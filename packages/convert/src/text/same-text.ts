// Compares texts, and reports where they differ.

/** Removes all white space. */
export function squeeze(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** Gives the text that shares the longest beginning with `text`. */
export function closestTo(text: string, others: readonly string[]): string {
  let best = '';
  let reach = -1;
  for (const other of others) {
    const shared = sharedLength(text, other);
    if (shared <= reach) continue;
    reach = shared;
    best = other;
  }
  return best;
}

export function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Describes where a text differs from the expected one. */
export function differs(found: string, expected: string): string {
  const at = sharedLength(found, expected);
  const show = (text: string) => JSON.stringify(text.slice(at, at + 40));
  return `at character ${at} found ${show(found)} where rendering gives ${show(expected)}`;
}
