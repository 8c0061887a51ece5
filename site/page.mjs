// The frame of a page: menu, search, content. Nothing is loaded from elsewhere.

import { posix } from 'node:path';
import { escapeHtml } from './markdown.mjs';

const words = {
  en: { search: 'Search the documentation', menu: 'Pages' },
  zh: { search: '搜索文档', menu: '页面' },
};

const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'";

export function pageHtml({ path, page, menu, menuPath, language, htmlPath }) {
  const said = words[language];
  const up = posix.relative(posix.dirname(path), '.') || '.';
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(page.title)} · Dragoman</title>
<link rel="stylesheet" href="${up}/style.css">
<script src="${up}/search.js" defer></script>
</head>
<body data-root="${up}/">
<header>
<a href="${up}/${language === 'zh' ? 'index.zh-CN.html' : 'index.html'}">Dragoman</a>
<input type="search" id="search" placeholder="${said.search}" aria-label="${said.search}" autocomplete="off">
<div id="found" role="listbox" hidden></div>
</header>
<nav aria-label="${said.menu}">
${menuHtml(path, menu, menuPath, htmlPath)}
</nav>
<main>
${page.html}</main>
</body>
</html>
`;
}

/** The pages that the index of the language leads to. */
function menuHtml(path, menu, menuPath, htmlPath) {
  const targets = menu.links.filter((link) => !/^[a-z]+:/.test(link) && /\.md$/.test(link));
  const own = posix.dirname(htmlPath(path));
  const items = [...new Set(targets)].map((link) => {
    const target = posix.join(posix.dirname(menuPath), link);
    const href = posix.relative(own, htmlPath(target));
    const current = target === path ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(href)}"${current}>${escapeHtml(menu.labels.get(link) ?? link)}</a></li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}
