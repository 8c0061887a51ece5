import { SearchQuery } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { findMatches, hasMore, MOST_MATCHES, nextMatch } from './find-matches.js';

type Asked = ConstructorParameters<typeof SearchQuery>[0];

function find(doc: string, query: Asked) {
  const steps = findMatches(EditorState.create({ doc }), new SearchQuery(query));
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done) return { steps: count, matches: step.value };
  }
}

/** As the editor's own cursor finds them in one go. */
function atOnce(doc: string, query: Asked) {
  const cursor = new SearchQuery(query).getCursor(EditorState.create({ doc }));
  const found = [];
  for (let next = cursor.next(); !next.done; next = cursor.next())
    found.push({ from: next.value.from, to: next.value.to });
  return found;
}

// Matches stand at the borders of the steps, overlap, and are written in more characters than the query.
const long = `${'aab'.repeat(5460)}needle ${'x'.repeat(16_370)} NEEdle ${'ﬁn '.repeat(9000)}`;

describe('the search in steps', () => {
  it.each([
    { search: 'aab' },
    { search: 'aabaab' },
    { search: 'needle' },
    { search: 'needle', caseSensitive: true },
    { search: 'needle', wholeWord: true },
    { search: 'fin' },
    { search: 'absent' },
    { search: 'b[an]e*', regexp: true },
    { search: 'x{100}', regexp: true },
  ])('finds what the editor finds at once: %j', (query) => {
    const { matches, steps } = find(long, query);
    expect(matches).toEqual(atOnce(long, query).slice(0, MOST_MATCHES));
    if (!('regexp' in query)) expect(steps).toBeGreaterThan(2);
  });

  it('finds nothing for an empty query and a pattern that is not complete', () => {
    expect(find('(a', { search: '' }).matches).toEqual([]);
    expect(find('(a', { search: '(a', regexp: true }).matches).toEqual([]);
  });

  it('ends where a text is nothing but matches', () => {
    expect(find('a'.repeat(50_000), { search: 'a' }).matches).toHaveLength(MOST_MATCHES);
  });

  it('goes on behind the selection, and over the ends', () => {
    const { matches } = find('one two one two one', { search: 'one' });
    expect(nextMatch(matches, { from: 0, to: 0 }, 1)).toBe(0);
    expect(nextMatch(matches, { from: 0, to: 3 }, 1)).toBe(1);
    expect(nextMatch(matches, { from: 16, to: 19 }, 1)).toBe(0);
    expect(nextMatch(matches, { from: 0, to: 3 }, -1)).toBe(2);
    expect(nextMatch(matches, { from: 8, to: 11 }, -1)).toBe(0);
  });

  it('counts what is seen, also behind all matches that are listed', () => {
    const doc = `${'t'.repeat(2 * MOST_MATCHES)} tt`;
    const state = EditorState.create({ doc });
    const seen = [{ from: doc.length - 3, to: doc.length }];
    const query = new SearchQuery({ search: 't' });
    expect(hasMore(state, query, seen, 1)).toBe(true);
    expect(hasMore(state, query, seen, 2)).toBe(false);
    expect(hasMore(state, query, [...seen, ...seen], 2)).toBe(true);
    const pattern = (search: string) => new SearchQuery({ search, regexp: true });
    expect(hasMore(state, pattern('('), seen, 0)).toBe(false);
    expect(hasMore(state, pattern('x*'), seen, 0)).toBe(false);
    expect(hasMore(state, pattern('[^x]'), [{ from: 0, to: 5 }], 5)).toBe(false);
  });
});
