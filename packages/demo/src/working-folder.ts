// Where an agent works, if its prompt says so: some of its tools want whole paths.

const BEFORE = ['orking directory: ', 'orking directory is: ', '<cwd>', 'orking in the directory: '];

export function workingFolder(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    for (const words of BEFORE) {
      const start = text.indexOf(words);
      const found = start < 0 ? '' : pathAt(text, start + words.length);
      if (found.startsWith('/')) return found;
    }
  }
  return undefined;
}

function pathAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && !'\n\r<`"'.includes(text.charAt(end))) end++;
  const path = text.slice(start, end).trim();
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
