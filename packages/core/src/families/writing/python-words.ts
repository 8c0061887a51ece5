// Replaces true, false and null in JSON text by Python's words, in one pass that skips strings.

const WORDS: readonly [json: string, python: string][] = [
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
];

/** `spell` rewrites each string, quotes included. Default: unchanged. */
export function toPythonWords(json: string, spell = (string: string) => string): string {
  let python = '';
  for (let at = 0; at < json.length; ) {
    const isString = json[at] === '"';
    const word = WORDS.find(([own]) => json.startsWith(own, at));
    const end = isString ? stringEnd(json, at) : at + (word?.[0].length ?? 1);
    python += isString ? spell(json.slice(at, end)) : (word?.[1] ?? json[at]);
    at = end;
  }
  return python;
}

/** Gives the offset after the quote that closes the string at `at`. */
function stringEnd(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}
