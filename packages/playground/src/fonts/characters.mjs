// The characters that the fonts of the page must have.

import { readdirSync, readFileSync } from 'node:fs';

/** Signs of the page inside texts of models: line breaks, places, marks. */
export const SIGNS = [...'°·×–—’“”…→↑↓↵⏎─│▶▸▾◂✓✕❚⟨⟩'];

/** As wide as a Chinese character, but part of markers: they must not depend on a Chinese font. */
export const WIDE = [...'｜〈〉℃＜＞'];

export const isChinese = (one) => /[\u3000-\u9fff\uff00-\uffef]/.test(one) && !WIDE.includes(one);

/** Every character of the code of the dialects that is not ASCII: markers, and what models are taught in Chinese. */
export function charactersOfDialects() {
  const found = new Set();
  for (const folder of ['dialects', 'families']) {
    const root = new URL(`../../../core/src/${folder}/`, import.meta.url);
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts') || path.includes('.test.')) continue;
      for (const one of withoutComments(readFileSync(new URL(path, root), 'utf8')))
        if (one.charCodeAt(0) > 126) found.add(one);
    }
  }
  return [...found].sort();
}

function withoutComments(code) {
  const lines = code.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
  return lines.join('\n');
}
