// Providers quote the key they refuse. It is not the client's, and belongs into no answer and no log.

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
/** No word of any language is this long behind one of the prefixes; keys are much longer. */
const MIN_LENGTH = 12;
const HIDDEN = '[key]';

/** The text with every word that looks like a key, or stands where one is due, replaced. */
export function hideKeys(text: string): string {
  // Words at the even places, what stands between them at the odd ones.
  const pieces = text.split(/([^\w.~+/=*-]+)/);
  return pieces.map((word, at) => (at % 2 === 1 ? word : hideKey(word, pieces[at - 2]))).join('');
}

function hideKey(word: string, before = ''): string {
  const start = before.toLowerCase().endsWith('bearer') ? 0 : keyStart(word);
  const end = withoutDots(word);
  return start < 0 || end - start < MIN_LENGTH ? word : word.slice(0, start) + HIDDEN + word.slice(end);
}

/** Where a key begins in a word, as in `api_key=sk-…`; -1 if nowhere. */
function keyStart(word: string): number {
  const starts = prefixes.map((prefix) => prefixStart(word, prefix)).filter((at) => at >= 0);
  return starts.length > 0 ? Math.min(...starts) : -1;
}

function prefixStart(word: string, prefix: string): number {
  let at = word.indexOf(prefix);
  // `task-list` holds no key: what stands before one is no letter and no digit.
  while (at > 0 && /[A-Za-z0-9]/.test(word.charAt(at - 1))) at = word.indexOf(prefix, at + 1);
  return at;
}

/** Dots at the end are the sentence's. */
function withoutDots(word: string): number {
  let end = word.length;
  while (word.charAt(end - 1) === '.') end--;
  return end;
}
