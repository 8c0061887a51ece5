// Tokenizers that add a space to each text between special tokens, made of the two small ones of these tests.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Change {
  /** The tokenizer that is changed. */
  of: 'byte-level' | 'spaced';
  normalizer: object | null;
  pre_tokenizer: object | null;
}

const SIGN = '\u2581';

const changes = {
  // Llama 2 and Mistral as transformers writes them today.
  metaspace: {
    of: 'spaced',
    normalizer: null,
    pre_tokenizer: { type: 'Metaspace', replacement: SIGN, prepend_scheme: 'always', split: false },
  },
  // The same as it was written before: a normalizer adds the space, also in front of a space.
  prepend: {
    of: 'spaced',
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFC' },
        { type: 'Prepend', prepend: SIGN },
        { type: 'Replace', pattern: { String: ' ' }, content: SIGN },
      ],
    },
    pre_tokenizer: null,
  },
  'prefix-space': {
    of: 'byte-level',
    normalizer: { type: 'NFC' },
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  },
} satisfies Record<string, Change>;

export const addingTokenizers = Object.keys(changes) as (keyof typeof changes)[];

/** Writes one into a folder, and gives its path. */
export function writeAddingTokenizer(name: keyof typeof changes, folder: string): string {
  const { of, ...change } = changes[name];
  const tokenizer = JSON.parse(readFileSync(new URL(`${of}.json`, import.meta.url), 'utf8')) as object;
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...tokenizer, ...change }));
  return path;
}
