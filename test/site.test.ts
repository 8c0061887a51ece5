// The site that `npm run site` writes: every link leads to a file and an anchor of it, nothing is loaded from elsewhere,
// and the search finds what people look for.

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { makeSite } from '../site/site.mjs';
import { documents } from './docs/documents.js';
import { root } from './sources.js';

const site = makeSite(root);
const pages = [...site]
  .filter(([path]) => path.endsWith('.html'))
  .map(([path, html]) => ({ path, html: String(html) }));

/** The values of an attribute, as they stand in the HTML. */
function valuesOf(html: string, attribute: string): string[] {
  const found = html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'));
  return [...found].map(([, value]) => (value as string).replaceAll('&amp;', '&'));
}

const idsOf = new Map(pages.map(({ path, html }) => [path, new Set(valuesOf(html, 'id'))]));

describe('the site', () => {
  it('has a page for every document of the READMEs and of docs', () => {
    const expected = documents().filter((path) => path.startsWith('docs/') || path === 'CONTRIBUTING.md');
    const names = expected.map((path) => path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect([...names, 'index.html', 'index.zh-CN.html'].filter((name) => !site.has(name))).toEqual([]);
  });

  it.each(pages)('$path links to files and anchors that exist', ({ path, html }) => {
    const local = [...valuesOf(html, 'href'), ...valuesOf(html, 'src')].filter(
      (link) => !/^https?:/.test(link),
    );
    const dead = local.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      return (
        !site.has(target) || (anchor !== undefined && !idsOf.get(target)?.has(decodeURIComponent(anchor)))
      );
    });
    expect(dead).toEqual([]);
    expect(local.length).toBeGreaterThan(2);
  });

  it.each(pages)('$path loads nothing from elsewhere', ({ html }) => {
    expect(html).toContain(`content="default-src 'none';`);
    const loaded = html.match(/<(?:script|link|img|iframe|object|video)[^>]*>/g) ?? [];
    expect(loaded.filter((tag) => /https?:|\/\//.test(tag))).toEqual([]);
    expect(html).not.toMatch(/<script(?![^>]* src=)|\son\w+=/);
  });

  it('shows tags of dialects as text', () => {
    const html = pages.find(({ path }) => path === 'docs/glossary.html')?.html ?? '';
    expect(html).toContain('<code>&lt;tool_call&gt;</code>');
    for (const page of pages) expect(page.html).not.toMatch(/<tool_call|<think>/);
  });
});

describe('the search', () => {
  const context = createContext({});
  runInContext(readFileSync(`${root}site/search.js`, 'utf8'), context);
  runInContext(String(site.get('search-index.js')), context);
  const found = (query: string, language = 'en') =>
    runInContext(
      `findSections(searchIndex, ${JSON.stringify(query)}, '${language}').map(({ href }) => href)`,
      context,
    ) as string[];

  it.each([
    ['agent stops', 'docs/troubleshooting.html#my-agent-stops-after-one-step'],
    [
      'system message must be at the beginning',
      'docs/troubleshooting.html#400-system-message-must-be-at-the-beginning',
    ],
    ['num_ctx', 'docs/engines/ollama.html#what-to-set'],
    ['special token', 'docs/glossary.html'],
    ['结束标签', 'docs/zh-CN/troubleshooting.html#智能体写的文件提前结束'],
  ])('of %s finds %s', (query, href) => {
    expect(found(query)).toContain(href);
  });

  it('puts the language of the page first, and a term of the glossary before its uses', () => {
    expect(found('special token')[0]).toBe('docs/verify.html#special-tokens-stripped');
    expect(found('special token')[1]).toBe('docs/glossary.html');
    expect(found('special token', 'zh-CN')[0]).toBe('docs/zh-CN/glossary.html');
    expect(found('ollama', 'zh-CN')[0]).toContain('zh-CN');
    expect(found('ollama')[0]).not.toContain('zh-CN');
  });

  it('finds only sections that exist, and none for nothing', () => {
    const hrefs = runInContext('searchIndex.map(({ href }) => href)', context) as string[];
    const dead = hrefs.filter((href) => {
      const [path = '', anchor] = href.split('#');
      return !site.has(path) || (anchor !== undefined && !idsOf.get(path)?.has(anchor));
    });
    expect(dead).toEqual([]);
    expect(found('  ')).toEqual([]);
    expect(found('no such word anywhere')).toEqual([]);
  });
});
