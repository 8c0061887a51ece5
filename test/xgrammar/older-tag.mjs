// A structural tag as xgrammar 0.1.27 takes it, the newest there is for JavaScript. It is older than what engines run,
// so two things are said in other words, which mean the same to it:
//
// - `star`, `plus`, `optional` and `repeat` are written out, up to as many times as are asked for;
// - in a class of characters, one beyond ASCII is matched only if the class says what it does not hold.

const NOTHING = { type: 'grammar', grammar: 'root ::= ""\n' };

/** `most`: how often a repetition without an end is repeated. */
export function olderTag({ type, format }, most) {
  return { type, format: olderFormat(format, most) };
}

function olderFormat(format, most) {
  const inner = (part) => olderFormat(part, most);
  switch (format.type) {
    case 'sequence':
    case 'or':
      return { ...format, elements: format.elements.map(inner) };
    case 'triggered_tags':
      return { ...format, tags: format.tags.map(inner) };
    case 'tag':
      return { ...format, content: inner(format.content) };
    case 'grammar':
      return { ...format, grammar: format.grammar.replaceAll(CLASS, olderClass) };
    case 'star':
      return times(inner(format.content), 0, most);
    case 'plus':
      return times(inner(format.content), 1, most);
    case 'optional':
      return times(inner(format.content), 0, 1);
    case 'repeat':
      return times(
        inner(format.content),
        format.min,
        format.max < 0 ? Math.max(format.min, most) : format.max,
      );
    default:
      return format;
  }
}

/** One, and then perhaps another, and then … */
function times(content, from, to) {
  let out;
  for (let count = to; count > 0; count--) {
    const more = out ? { type: 'sequence', elements: [content, out] } : content;
    out = count > from ? { type: 'or', elements: [NOTHING, more] } : more;
  }
  return out ?? NOTHING;
}

// --- classes of characters -----------------------------------------------------------------------------

/** A text is passed over, so that what looks like a class in it stays. No `]` stands in a class by itself. */
const CLASS = /"(?:[^"\\]|\\.)*"|\[[^\]]*\]/g;
const CHAR = /\\U([0-9a-f]{8})|\\u([0-9a-f]{4})|\\([nrt])|([^\\])/gu;
const NAMED = { n: 10, r: 13, t: 9 };
const LAST = 0x10ffff;

function olderClass(found) {
  if (found.startsWith('"')) return found;
  const ranges = rangesOf(found.slice(1, -1));
  if (ranges.every(([, to]) => to < 0x80)) return found;
  const others = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) others.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) others.push([next, LAST]);
  const isHalf = ([from, to]) => from === 0xd800 && to === 0xdfff;
  return `[^${others
    .filter((one) => !isHalf(one))
    .map(([from, to]) => `${spell(from)}-${spell(to)}`)
    .join('')}]`;
}

function rangesOf(inside) {
  const codes = [...inside.matchAll(CHAR)].map(([all, long, short, named, plain]) =>
    all === '-'
      ? '-'
      : long || short
        ? Number.parseInt(long ?? short, 16)
        : (NAMED[named] ?? plain.codePointAt(0)),
  );
  const ranges = [];
  for (let at = 0; at < codes.length; at++) {
    if (codes[at + 1] !== '-') ranges.push([codes[at], codes[at]]);
    else {
      ranges.push([codes[at], codes[at + 2]]);
      at += 2;
    }
  }
  return ranges;
}

function spell(code) {
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
