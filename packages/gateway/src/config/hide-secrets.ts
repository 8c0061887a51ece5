// Hides secrets in lines of a configuration that are shown. Only text that is known to be no key is shown; of the rest
// only the punctuation, so that carets point to the right column.

import type { Path } from './problem.js';

/** Fields whose values are names, numbers and choices. All other fields are hidden, unknown ones too. */
const publicFields: ReadonlySet<string> = new Set(
  (
    'host port healthPort upstream route url kind api models name alias aliases model dialect watch reasks delivery echoes nearKeys thinking ' +
    'history roles inReasoning safety language short textAfterCalls callsInReasoning coerceStrings schemaBeatsAttribute calls ' +
    'depth members argumentLength idLength held notes requestsPerMinute bodyBytes elements workBytes workElements headerBytes requestTimeout ' +
    'choices requests readTimeout streamBytes wrongKeysPerMinute openGetsPerMinute connect firstByte idle total retries connections passKey media freeform stream engine grammar ' +
    'keep report inspect origins hosts admin insecure log level form shutdown heartbeat'
  ).split(' '),
);

/** The words that are shown of a file that cannot be parsed. */
const knownWords: ReadonlySet<string> = new Set([
  ...publicFields,
  ...['upstreams', 'keys', 'key', 'headers', 'limits', 'timeouts', 'store', 'traces', 'endpoint', 'policies'],
  ...['prompt', 'template', 'body', 'sealKey'],
]);

/** Whether a value may be shown. An address may hold a password or a token, and its field something else by mistake. */
export function isPublic(path: Path, written: string): boolean {
  const text = unquoted(written);
  if (/^\$\{\w+\}$/.test(text)) return true;
  if (text.includes('@') || text.includes('?')) return false;
  if (!path.every(isKnown)) return false;
  const field = String(path.findLast((part) => typeof part === 'string'));
  if (field === 'url' || isEntry(path, 'upstreams')) return /^https?:\/\//.test(text);
  return publicFields.has(field) && !isEntry(path, 'keys');
}

/** Members whose own members are the user's. */
const ownWords = ['headers', 'template', 'body'];

/** Whether the part of a path is a known member or the name of an entry. Names of headers are the user's own. */
function isKnown(part: string | number, at: number, path: Path): boolean {
  if (typeof part === 'number') return true;
  if (at === 1 && ['upstreams', 'models', 'keys'].includes(String(path[0]))) return true;
  return knownWords.has(part) && !ownWords.includes(part);
}

/**
 * Whether the path is an entry, `upstreams.local`, `keys[0]`: it may be in short form, and its name may be that of a
 * field.
 */
function isEntry(path: Path, root: string): boolean {
  return path[0] === root && path.length === 2;
}

function unquoted(written: string): string {
  const [first] = written;
  return (first === '"' || first === "'") && written.endsWith(first) ? written.slice(1, -1) : written;
}

/** `start` is the index of the line, or of the part of it, in the text. Without ranges, only known words are shown. */
export function hideSecrets(
  line: string,
  start: number,
  shown: readonly { from: number; to: number }[] | undefined,
): string {
  const plain = line.replaceAll('\t', ' ').replaceAll('\r', ' ');
  if (!shown)
    return plain.replace(/[^\s\p{P}\p{S}]+/gu, (word) => (knownWords.has(word) ? word : dots(word)));
  // One mark for each character: a line may hold thousands of fields.
  const isShown = new Uint8Array(line.length);
  for (const { from, to } of shown)
    if (to > start && from < start + line.length) isShown.fill(1, Math.max(0, from - start), to - start);
  return plain.replace(/[^\s\p{P}\p{S}]/gu, (character, at: number) =>
    isShown[at] ? character : dots(character),
  );
}

function dots(text: string): string {
  return '•'.repeat(text.length);
}
