// Makes the site: a page for every document that the READMEs lead to, a copy of every other file they link to, and an
// index of all sections for the search.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readPage } from './markdown.mjs';
import { pageHtml } from './page.mjs';

const starts = ['README.md', 'README.zh-CN.md'];

/** The document whose links are the menu, by language. */
const menus = { en: 'docs/README.md', zh: 'docs/zh-CN/README.md' };

const assets = ['style.css', 'search.js'];

/** Every file of the site, by its path. */
export function makeSite(root) {
  const documents = readDocuments(root);
  const site = new Map();
  for (const name of assets) site.set(name, readFileSync(new URL(name, import.meta.url), 'utf8'));
  for (const [path, page] of documents) {
    const menu = documents.get(menus[languageOf(path)]);
    const menuPath = menus[languageOf(path)];
    site.set(htmlPath(path), pageHtml({ path, page, menu, menuPath, language: languageOf(path), htmlPath }));
    for (const file of filesOf(root, path, page)) site.set(file, readFileSync(join(root, file)));
  }
  site.set('search-index.js', `globalThis.searchIndex = ${JSON.stringify(sectionsOf(documents))};\n`);
  return site;
}

/** The documents that links lead to, from the READMEs on. */
function readDocuments(root) {
  const documents = new Map();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (documents.has(path)) continue;
    const base = path;
    const page = readPage(readFileSync(join(root, path), 'utf8'), {
      hrefOf: (link) => hrefOf(root, base, link),
    });
    documents.set(path, page);
    waiting.push(
      ...page.links.map((link) => targetOf(path, link)).filter((target) => isDocument(root, target)),
    );
  }
  return documents;
}

/** Where a link of a document leads on the site; undefined for a folder, which no page shows. */
function hrefOf(root, path, link) {
  if (/^https?:/.test(link) || link.startsWith('#')) return link;
  // A version such as name@1.0.0 is taken for an address of mail.
  if (/^[a-z]+:/.test(link)) return undefined;
  const target = targetOf(path, link);
  const full = join(root, target);
  if (!existsSync(full) || statSync(full).isDirectory()) return undefined;
  const anchor = link.includes('#') ? link.slice(link.indexOf('#')) : '';
  return posix.relative(posix.dirname(htmlPath(path)), htmlPath(target)) + anchor;
}

function targetOf(path, link) {
  return posix.join(posix.dirname(path), link.split('#')[0] ?? '');
}

function isDocument(root, path) {
  return path.endsWith('.md') && existsSync(join(root, path));
}

function filesOf(root, path, page) {
  const targets = page.links.filter((link) => !/^[a-z]+:|^#/.test(link)).map((link) => targetOf(path, link));
  return targets.filter((target) => {
    const full = join(root, target);
    return !target.endsWith('.md') && existsSync(full) && statSync(full).isFile();
  });
}

function htmlPath(path) {
  const named = path.replace(
    /(^|\/)README(\.zh-CN)?\.md$/,
    (_, before, language) => `${before}index${language ?? ''}.md`,
  );
  return named.replace(/\.md$/, '.html');
}

function languageOf(path) {
  return /zh-CN/.test(path) ? 'zh' : 'en';
}

function sectionsOf(documents) {
  return [...documents].flatMap(([path, { title, sections, terms }]) => {
    const found = path.endsWith('/glossary.md') ? terms : sections;
    return found.map((section) => ({
      page: title,
      title: section.title,
      href: htmlPath(path) + (section.anchor ? `#${section.anchor}` : ''),
      text: section.text,
    }));
  });
}
