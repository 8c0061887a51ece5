// Web pages in the place of an answer, most often a proxy's. A client gets the title alone: the rest is markup and
// scripts that fill a screen, and may show addresses inside the upstream's network.

/** How pages begin, whole ones and the fragments of proxies. An engine's `<LM Studio error> …` is none. */
const start =
  /^<(?:!doctype|!--|\?xml|html|head|body|title|meta|center|div|pre|p|h[1-6]|script|style|error)[\s>]/i;

export function isPage(text: string): boolean {
  return start.test(text.slice(0, 1000).replace('\ufeff', '').trimStart());
}

/** How much of a page is searched for its title, and the longest title, in characters. */
const SEARCHED = 20_000;
const LONGEST = 200;

/** Gives the title, else the first heading, or the message of an XML error, without tags; '' if there is none. */
export function pageTitle(page: string): string {
  const text = page.slice(0, SEARCHED);
  const lower = text.toLowerCase();
  for (const tag of ['title', 'h1', 'message']) {
    const open = lower.indexOf(`<${tag}`);
    const start = open < 0 ? -1 : lower.indexOf('>', open) + 1;
    const end = start <= 0 ? -1 : lower.indexOf(`</${tag}`, start);
    const title = end < 0 ? '' : plainText(text.slice(start, Math.min(end, start + LONGEST)));
    if (title !== '') return title;
  }
  return '';
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

function plainText(markup: string): string {
  const [first = '', ...others] = markup.split('<');
  const text = first + others.map((piece) => piece.slice(piece.indexOf('>') + 1)).join(' ');
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '').trim();
}
