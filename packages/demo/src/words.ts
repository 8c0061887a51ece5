// Simple language rules: stems of words, and a few synonyms.

/** Words that carry no meaning for the choice of a tool. */
export const EMPTY_WORDS = new Set(
  (
    'a an the and or of in on at to for from by with about into is are was were be been am do does did can could ' +
    'would should will shall may might must have has had i me my you your we us our it its this that these those ' +
    'there here what which who whom how why when where please tell give get show let need want like would know ' +
    'some any all no not yes if then than so as up out over under just now today right hello hi hey thanks thank ' +
    'use using used user tool tools call function value values provided given one two s t m re ll ve d'
  ).split(' '),
);

/** Reads lines of a meaning and the words that have it. */
export function meaningsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const [meaning = '', ...words] = line.split(' ');
      return words.map((word) => [word, meaning] as const);
    }),
  );
}

const SYNONYMS = meaningsOf([
  'weather forecast temperature rain raining sunny snow warm cold hot',
  'calculate compute sum add plus minus times multiply calculator calc math',
  'directory folder dir',
  'search lookup find',
  'run execute exec',
  'web website page fetch url',
  'email mail',
  'time clock',
]);

/** Gives the stems of all meaningful words, each once. */
export function meaning(text: string): Set<string> {
  const words = wordsOf(text).filter((word) => !EMPTY_WORDS.has(word));
  const synonyms = words.flatMap((word) => SYNONYMS.get(word) ?? []);
  return new Set([...words, ...synonyms].map(stem));
}

/** Splits text into words in lower case, and names at `_` and before capitals: `getWeather` is two words. */
export function wordsOf(text: string): string[] {
  const cut = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return cut.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** Removes endings. Both sides of a comparison are stemmed, so a stem need not be right, only the same. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (root.length > 3 && root.endsWith('s') && !root.endsWith('ss')) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith('ing')) root = root.slice(0, -3);
  else if (root.length > 4 && root.endsWith('ed')) root = root.slice(0, -2);
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}
