// Removes API keys from upstream errors. Providers quote the key they refuse; it is the gateway's, not the client's, so
// it must not get into an answer or a log.

const prefixes = [
  'sk-',
  'sk_',
  'rk-',
  'rk_',
  'pk-',
  'pk_',
  'gsk_',
  'hf_',
  'r8_',
  'xai-',
  'nvapi-',
  'sess-',
  'AIza',
  'eyJ',
];
/** No ordinary word with one of the prefixes is this long; keys are much longer. */
const MIN_LENGTH = 12;
const HIDDEN = '[key]';

/** Replaces every word that looks like a key, or comes where a key is expected. */
export function hideKeys(text: string): string {
  // Words have even indexes, the separators between them odd ones.
  const pieces = text.split(/([^\w.~+/=*-]+)/);
  return pieces.map((word, at) => (at % 2 === 1 ? word : hideKey(word, pieces[at - 2]))).join('');
}

function hideKey(word: string, before = ''): string {
  const start = before.toLowerCase().endsWith('bearer') ? 0 : keyStart(word);
  const end = withoutDots(word);
  return start < 0 || end - start < MIN_LENGTH ? word : word.slice(0, start) + HIDDEN + word.slice(end);
}

/** Gives the index where a key begins in a word, as in `api_key=sk-…`; -1 if there is none. */
function keyStart(word: string): number {
  const starts = prefixes.map((prefix) => prefixStart(word, prefix)).filter((at) => at >= 0);
  return starts.length > 0 ? Math.min(...starts) : -1;
}

function prefixStart(word: string, prefix: string): number {
  let at = word.indexOf(prefix);
  // A letter or digit before the prefix means that it is no key: `task-list`.
  while (at > 0 && /[A-Za-z0-9]/.test(word.charAt(at - 1))) at = word.indexOf(prefix, at + 1);
  return at;
}

/** Gives the length without trailing dots, which end the sentence. */
function withoutDots(word: string): number {
  let end = word.length;
  while (word.charAt(end - 1) === '.') end--;
  return end;
}
