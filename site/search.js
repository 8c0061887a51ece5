// The search of the site: every word must occur in a section; titles count most, then the language of the page. The
// index is loaded with the first key, as a script, so that it also works for pages opened from a disk.

const MOST = 12;

globalThis.findSections = (index, query, language = 'en') => {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (asked.length === 0) return [];
  const ranked = index.flatMap((section) => {
    const title = `${section.page} ${section.title}`.toLowerCase();
    const text = section.text.toLowerCase();
    if (!asked.every((word) => title.includes(word) || text.includes(word))) return [];
    const inTitle = asked.filter((word) => title.includes(word)).length;
    const whole = text.includes(asked.join(' ')) ? 1 : 0;
    const isOwn = section.href.includes('zh-CN') === (language === 'zh-CN') ? 1 : 0;
    return [{ section, rank: inTitle * 10 + isOwn * 5 + whole }];
  });
  ranked.sort((one, other) => other.rank - one.rank);
  return ranked.slice(0, MOST).map(({ section }) => section);
};

/** Some text around the first word that was found. */
globalThis.excerptOf = ({ text }, query) => {
  const [word = ''] = query.toLowerCase().split(/\s+/).filter(Boolean);
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const from = Math.max(0, at - 60);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 160)}`;
};

if (globalThis.document !== undefined) start();

function start() {
  const { root } = document.body.dataset;
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  let isLoading = false;

  input.addEventListener('input', () => {
    if (globalThis.searchIndex !== undefined) return show();
    if (isLoading) return;
    isLoading = true;
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.onload = show;
    document.head.append(script);
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') found.querySelector('a')?.click();
    if (key === 'Escape') found.hidden = true;
  });

  function show() {
    const sections = globalThis.findSections(
      globalThis.searchIndex,
      input.value,
      document.documentElement.lang,
    );
    found.replaceChildren(...sections.map(row));
    found.hidden = sections.length === 0;
  }

  function row(section) {
    const link = document.createElement('a');
    link.href = root + section.href;
    const title = document.createElement('strong');
    title.textContent = section.page === section.title ? section.page : `${section.page} · ${section.title}`;
    const text = document.createElement('span');
    text.textContent = globalThis.excerptOf(section, input.value);
    link.append(title, text);
    return link;
  }
}
