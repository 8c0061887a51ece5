import { expect, it } from 'vitest';
import { SecretSet } from './secret-set.js';

/** The longest of all secrets that stand at each place, found one by one. */
function expected(secrets: Iterable<string>, text: string): number[] {
  const all = [...secrets];
  return Array.from({ length: text.length }, (_, at) =>
    Math.max(0, ...all.filter((secret) => text.startsWith(secret, at)).map(({ length }) => length)),
  );
}

function found(set: SecretSet, text: string): number[] {
  const lengths = new Array<number>(text.length).fill(0);
  for (let at = set.next(text, 0); at < text.length; at = set.next(text, at + 1))
    lengths[at] = set.longestAt(text, at);
  return lengths;
}

it('finds the longest secret at each place, whatever was added and removed', () => {
  let state = 7;
  const draw = (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  // Few letters, so that many secrets begin as others do; some are longer than the trie is deep.
  const drawn = () => {
    const head = draw(3) === 0 ? 'a'.repeat(28 + draw(10)) : '';
    return head + Array.from({ length: 1 + draw(8) }, () => 'abc'.charAt(draw(3))).join('');
  };
  const set = new SecretSet();
  const kept = new Set<string>();
  for (let round = 0; round < 1500; round++) {
    const secret = drawn();
    // In waves, so that the set grows to hundreds and becomes empty again.
    if (draw(10) < (Math.floor(round / 300) % 2 === 0 ? 8 : 2)) {
      set.add(secret);
      kept.add(secret);
    } else {
      const gone = draw(2) === 0 ? secret : ([...kept][draw(kept.size)] ?? secret);
      set.delete(gone);
      kept.delete(gone);
    }
    if (round % 10 > 0) continue;
    const text = Array.from({ length: 5 }, drawn).join('');
    expect(found(set, text)).toEqual(expected(kept, text));
  }
  for (const secret of kept) set.delete(secret);
  expect(set.next('abc'.repeat(10), 0)).toBe(30);
});
