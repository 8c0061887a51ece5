// Random texts for tokenizers: tokens of the vocabulary, words, and characters of many kinds.

import { createHash } from 'node:crypto';
import type { Vocabulary } from './tokenizer.js';

const words = [
  'weather',
  ' the',
  ' Oslo',
  'get_weather',
  '<|user|>',
  '<tool_call>',
  '{"name": "',
  '\u2581',
  'naïve',
];
const others = [
  '日本',
  '😀',
  '\n',
  '\t',
  '   ',
  '\\n',
  '"}}',
  '<|end',
  '天气',
  '\u0000',
  '\ufffd',
  "it's",
  'aaaaa',
  '<',
];

export function randomTexts({ texts }: Pick<Vocabulary, 'texts'>, count: number): string[] {
  let state = 12345;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  const piece = () => {
    const kind = random(10);
    if (kind < 4) return pick(texts);
    if (kind < 7) return pick([...words, ...others]);
    if (kind < 8) return String.fromCodePoint(1 + random(0x2fff));
    return String.fromCharCode(97 + random(26));
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random(12) }, piece)
      .join('')
      .toWellFormed(),
  );
}

export function vocabularyHash({ texts, types, scores }: Vocabulary): string {
  const all = texts.map((text, id) => [text, types[id], scores[id]]);
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}
