// Makes the fonts of the page: the signs of all dialects that are not ASCII, and those of the page, out of two
// fonts with open licences. Run it when fonts.test.ts says that a character is missing:
//
//   apt install fonts-dejavu-core fonts-noto-cjk && pip install fonttools brotli
//   node packages/playground/src/fonts/make.mjs && npx biome check --write packages/playground/src/fonts
//
// The licences are in public/licences-of-fonts.txt.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { charactersOfDialects, isChinese, SIGNS, WIDE } from './characters.mjs';

const fonts = process.argv[2] ?? '/usr/share/fonts';
const mono = [`${fonts}/truetype/dejavu/DejaVuSansMono.ttf`];
/** The eighth of the collection is Noto Sans Mono CJK SC. */
const wide = [`${fonts}/opentype/noto/NotoSansCJK-Regular.ttc`, '--font-number=7'];

/** @param {string} name */
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Writes a font of these characters. Without hints and names: they would be more than the glyphs.
 *
 * @param {string[]} from @param {string[]} characters @param {string} to
 */
function subset(from, characters, to) {
  const args = [
    ...from,
    `--text=${characters.join('')}`,
    `--output-file=${here(to)}`,
    '--no-ignore-missing-unicodes',
    '--flavor=woff2',
    '--no-hinting',
    '--desubroutinize',
    '--layout-features=',
    '--name-IDs=',
    '--drop-tables+=DSIG,GSUB,GPOS,GDEF,FFTM,vhea,vmtx,VORG,BASE',
  ];
  const { status, stderr } = spawnSync('pyftsubset', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pyftsubset: ${stderr}`);
}

/** Chinese would be 33 KB more, and systems have fonts for it. */
const all = [...new Set([...charactersOfDialects(), ...SIGNS, ...WIDE])]
  .filter((one) => !isChinese(one))
  .sort();
/** @type {{ family: string, file: string, from: string[], has: (one: string) => boolean }[]} */
const faces = [
  {
    family: 'Dragoman Signs',
    file: 'signs.woff2',
    from: mono,
    has: (one) => !WIDE.includes(one),
  },
  { family: 'Dragoman Signs', file: 'wide.woff2', from: wide, has: (one) => WIDE.includes(one) },
];

/** U+2014, U+2026-2027. @param {string[]} characters */
function rangesOf(characters) {
  const codes = characters.map((one) => one.codePointAt(0) ?? 0).sort((a, b) => a - b);
  /** @type {[number, number][]} */
  const ranges = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  /** @param {number} code */
  const hex = (code) => code.toString(16).toUpperCase();
  return ranges.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`));
}

const rules = faces.map(({ family, file, from, has }) => {
  const characters = all.filter(has);
  subset(from, characters, file);
  return `@font-face {
  font-family: "${family}";
  src: url("./${file}") format("woff2");
  font-display: swap;
  unicode-range: ${rangesOf(characters).join(', ')};
}
`;
});
writeFileSync(here('fonts.css'), `/* Made by make.mjs. */\n\n${rules.join('\n')}`);
