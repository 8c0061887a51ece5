import { describe, expect, it } from 'vitest';
import { QuoteScan } from './quote-scan.js';

const quotedPlace = {
  quoted: true,
  openings: [],
  thought: false,
  goesOn: false,
  hasTextBehind: false,
  why: '',
};

/** Reads a text in which ● stands for a call, and says for each whether it counts. */
function counts(text: string): boolean[] {
  const scan = new QuoteScan({ open: '<think>', close: '</think>' }, true);
  const places: ReturnType<QuoteScan['enter']>[] = [];
  let rest = text;
  while (rest !== '') {
    if (scan.isFenced) {
      const shown = rest.slice(0, scan.readFence(rest));
      for (const _ of shown.matchAll(/●/g)) places.push({ ...quotedPlace });
      rest = rest.slice(shown.length);
    } else if (rest.startsWith('●')) {
      places.push(scan.enter());
      scan.leave('');
      rest = rest.slice(1);
    } else {
      const at = rest.indexOf('●');
      rest = rest.slice(scan.read(at < 0 ? rest : rest.slice(0, at)));
    }
  }
  scan.finish();
  return places.map(({ quoted, thought }) => !thought && (!quoted || scan.bare));
}

const meant = [
  '●',
  'Sure.\n●',
  'Sure. ●',
  '● Done.',
  'First.\n●\nThen.\n●\nDone.',
  '- ●',
  '```\n●\n```',
  '```xml\n●\n●\n```\n',
  '~~~\n●',
  '`●`',
  '    ●',
  '```\n●\n```\n```json\n●\n```',
  'It`s late.\n●\n\nThat`s it.', // not one paragraph
  'A tag such as <pre> is not closed.\n●',
  'Use `x` so:\n●',
  'Text:\n    ●', // indented code cannot follow a paragraph
  'Say """ once.\n●',
  '```js```\n●', // code in a line, no fence
  '\\`\n●\n`',
  'x\n```\ncode\n```\n●',
  'x\n````\n```\n````\n●',
  'x\n~~~\n```\n~~~\n●',
  'x\n- ```\n  code\n  ```\n●',
];

const quoted = [
  'x\n```\n●\n```',
  'x\n```\n●',
  'x\n~~~~ xml\n●\n~~~\n●\n~~~~',
  '```\n●\n```\nThat is it.',
  '```\n●\nand more\n```',
  '```\nlook:\n●\n```',
  'x\n   ```\n●',
  'x\n1. ```\n   ●\n   ```',
  'Use `●` here.',
  'Use ``●`` here.',
  'Use `\n●\n` here.',
  'Write ● and wait.',
  '"●"',
  '(●)',
  '| ● |',
  '| ● ● |',
  '> ●',
  'x\n > ●',
  'x\n\n    ●',
  'x\n\n\t●',
  'x\n\n    code\n    ●',
  '+●',
  'x\n-●',
  '<pre>\n●\n</pre>',
  'x <CODE class="y">\n●\n</CODE>',
  '<!--\n●\n-->',
  '"""\n●\n"""',
  "x = '''\n●\n'''",
  'I could\n●\nbut no.</think>\nNo.',
  'x\r\n```\r\n●\r\n```\r\n',
];

describe('a call', () => {
  it.each(meant.map((text) => [text]))('counts in %j', (text) => {
    expect(counts(text)).not.toContain(false);
    expect(counts(text).length).toBeGreaterThan(0);
  });

  it.each(quoted.map((text) => [text]))('is quoted in %j', (text) => {
    expect(counts(text)).not.toContain(true);
    expect(counts(text).length).toBeGreaterThan(0);
  });

  it('counts behind what is quoted', () => {
    expect(counts('Use `●` so:\n●')).toEqual([false, true]);
    expect(counts('x\n```\n●\n```\n●')).toEqual([false, true]);
    expect(counts('> ●\n\n●')).toEqual([false, true]);
    expect(counts('<think>\n●\n</think>\n●')).toEqual([true, true]);
  });
});

describe('reading', () => {
  it('stops where a quoted fence opens, and where a bare one turns out to be quoted', () => {
    expect(new QuoteScan(undefined, true).read('x\n```\nabc')).toBe('x\n```\n'.length);
    expect(new QuoteScan(undefined, true).read('```\nabc')).toBe('```\na'.length);
    expect(new QuoteScan(undefined, true).read('```\n\n```\n')).toBe('```\n\n```\n'.length);
  });

  it('does not take leftover markup for something that was said', () => {
    const scan = new QuoteScan(undefined, true);
    scan.read('!begin\n', true);
    expect(scan.bare).toBe(true);
    scan.read('x');
    expect(scan.bare).toBe(false);
  });
});
