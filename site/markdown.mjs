// Reads a document: its HTML, its links, and its sections as plain text for the search.

import { Marked } from 'marked';
import { createAnchors } from './anchors.mjs';

/** `hrefOf` gives the address of a link on the site, or undefined if it has none there. */
export function readPage(text, { hrefOf }) {
  const anchorOf = createAnchors();
  const links = [];
  const labels = new Map();
  const sections = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text: source }) {
        const anchor = anchorOf(source);
        sections.push({ title: plainOf(tokens), anchor: depth === 1 ? '' : anchor, text: '' });
        return `<h${depth} id="${escapeHtml(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const to = hrefOf(href);
        return to === undefined ? shown : `<a href="${escapeHtml(to)}">${shown}</a>`;
      },
      image({ href, text: shown }) {
        return `<img src="${escapeHtml(hrefOf(href) ?? '')}" alt="${escapeHtml(shown)}">`;
      },
      // Comments mark generated tables. Anything else is text that looks like HTML: a tag of a dialect.
      html({ text: source }) {
        return source.startsWith('<!--') ? '' : escapeHtml(source);
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const isTitled = token.header.some(({ text: title }) => title !== '');
        const head = isTitled ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>\n` : '';
        return `<div class="table"><table>\n${head}<tbody>\n${rows}\n</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(text.replaceAll('\r\n', '\n'));
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
    if (token.type === 'link' && !labels.has(token.href)) labels.set(token.href, plainOf(token.tokens));
  });
  const html = marked.parser(tokens);
  collectText(tokens, sections);
  return { title: sections[0]?.title ?? '', html, links, labels, sections, terms: termsOf(tokens) };
}

/** Paragraphs that begin with a bold word, as those of the glossary do. */
function termsOf(tokens) {
  return tokens.flatMap((token) =>
    token.type === 'paragraph' && token.tokens[0]?.type === 'strong'
      ? [{ title: plainOf([token.tokens[0]]), text: plainOf([token]) }]
      : [],
  );
}

/** Adds the text of each block to the section it stands in. */
function collectText(tokens, sections) {
  let at = -1;
  for (const token of tokens) {
    if (token.type === 'heading') at += 1;
    else if (at >= 0) sections[at].text += `${plainOf([token])} `;
  }
  for (const section of sections) section.text = section.text.replace(/\s+/g, ' ').trim();
}

/** The text of tokens, without markup. */
function plainOf(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'html') return '';
      if (token.type === 'table')
        return [token.header, ...token.rows]
          .map((row) => row.map((cell) => plainOf(cell.tokens)).join(' '))
          .join(' ');
      const inner = token.tokens ?? token.items;
      return inner === undefined ? (token.text ?? '') : plainOf(inner);
    })
    .join('');
}

export function escapeHtml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}
