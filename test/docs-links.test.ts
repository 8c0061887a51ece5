// Links in the documents lead to files and headings that exist, and an index leads to every page.

import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, readDocument } from './docs/documents.js';
import { anchorsOf, headingsOf, linksOf } from './docs/markdown.js';
import { root } from './sources.js';

const isLocal = (target: string) => !/^[a-z]+:/.test(target);

describe.each(documents())('%s', (path) => {
  const links = linksOf(readDocument(path)).filter(isLocal);

  it('links to files that exist', () => {
    const missing = links.filter((link) => !existsSync(root + fileOf(path, link)));
    expect(missing).toEqual([]);
  });

  it('links to headings that exist', () => {
    const anchored = links.filter((link) => link.includes('#') && existsSync(root + fileOf(path, link)));
    const missing = anchored.filter((link) => {
      const anchor = decodeURIComponent(link.slice(link.indexOf('#') + 1));
      return !anchorsOf(readDocument(fileOf(path, link))).has(anchor);
    });
    expect(missing).toEqual([]);
  });
});

function fileOf(path: string, link: string): string {
  const [file = ''] = link.split('#');
  return file === '' ? path : posix.join(posix.dirname(path), file);
}

describe('the reader of links', () => {
  it('finds links beside code, and none in code', () => {
    const text = '# A `b`, c\n\n[`x`](a.md#b) ![p](p.png)\n\n```\n[no](no.md)\n```\n\n`[no](no.md)`\n';
    expect(linksOf(text)).toEqual(['a.md#b', 'p.png']);
    expect([...anchorsOf(`${text}\n# A b c\n\n## 一，二\n`)]).toEqual(['a-b-c', 'a-b-c-1', '一二']);
  });
});

describe.each([
  ['docs/README.md', /^docs\/(?:engines\/)?[\w-]+\.md$/],
  ['docs/zh-CN/README.md', /^docs\/zh-CN\/[\w-]+\.md$/],
])('the index %s', (index, pages) => {
  it('leads to every page', () => {
    const led = new Set(linksOf(readDocument(index)).map((link) => fileOf(index, link)));
    const missing = documents().filter((path) => pages.test(path) && path !== index && !led.has(path));
    expect(missing).toEqual([]);
  });
});

describe('the Chinese documents', () => {
  const englishOf = (path: string) =>
    path.startsWith('docs/zh-CN/') ? path.replace('docs/zh-CN/', 'docs/') : path.replace('.zh-CN.md', '.md');
  const chinese = documents().filter((path) => path.includes('zh-CN'));
  const chineseOf = new Map(chinese.map((path) => [englishOf(path), path]));

  // A link that is called "English" is the way to the other language.
  it.each(chinese)('%s links to Chinese pages where there are any', (path) => {
    const text = readDocument(path).replaceAll(/\[English\]\([^)]*\)/g, '');
    const links = linksOf(text).filter(isLocal);
    expect(links.filter((link) => chineseOf.has(fileOf(path, link)))).toEqual([]);
  });

  it.each([...chineseOf].filter(([english]) => documents().includes(english)))(
    '%s and %s link to each other',
    (english, path) => {
      expect(linksOf(readDocument(english)).map((link) => fileOf(english, link))).toContain(path);
      expect(linksOf(readDocument(path)).map((link) => fileOf(path, link))).toContain(english);
    },
  );
});

const readmes = ['README.md', 'README.zh-CN.md'];

describe('the README', () => {
  it.each(readmes)('%s has at most 200 lines', (path) => {
    expect(readDocument(path).trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  it('is alike in both languages: headings, rows of tables, pictures', () => {
    const [english, chinese] = readmes.map((path) => {
      const text = readDocument(path);
      return {
        levels: headingsOf(text).map(({ level }) => level),
        cells: text.split('\n').map((line) => (line.startsWith('|') ? line.split('|').length : 0)),
        pictures: [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, picture]) => picture),
        outside: linksOf(text).filter((link) => !isLocal(link)),
      };
    });
    expect(chinese).toEqual(english);
    expect(english?.pictures.length).toBeGreaterThan(0);
  });

  it('has pictures of at most 200 KB', () => {
    const pictures = linksOf(readDocument('README.md')).filter((link) => /\.(?:png|svg|webp)$/.test(link));
    expect(pictures.filter((picture) => statSync(root + picture).size > 200_000)).toEqual([]);
  });
});
