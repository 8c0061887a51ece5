// The anchors of headings, as GitHub makes them.

/** Gives the anchor of each title of a document, one after the other. A title that comes twice gets a number. */
export function createAnchors() {
  const times = new Map();
  return (title) => {
    const slug = slugOf(title);
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}

function slugOf(title) {
  const shown = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return shown.replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '').replaceAll(' ', '-');
}
