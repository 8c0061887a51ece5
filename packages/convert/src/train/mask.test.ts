import { describe, expect, it } from 'vitest';
import type { Note } from '../forms/form.js';
import { tokenMembers } from './mask.js';
import type { MaskRange, TextTokenizer } from './training.js';

/** Its tokens are these pieces of the text; their ids count from 1. */
const tokenizerOf = (pieces: readonly string[]): TextTokenizer => ({
  encode: () => {
    let at = 0;
    return pieces.map((piece, index) => {
      const start = at;
      at += piece.length;
      return { id: index + 1, start, end: at };
    });
  },
  place: (_, position) => position,
});

function labelled(pieces: readonly string[], ranges: readonly MaskRange[]) {
  const notes: Note[] = [];
  const members = tokenMembers(pieces.join(''), ranges, tokenizerOf(pieces), notes);
  return { ...Object.fromEntries(members), notes };
}

const split = (index: number): Note => ({ kind: 'issue', code: 'split-token', path: `input_ids[${index}]` });

describe('the labels of tokens', () => {
  it('are the ids of what the model writes', () => {
    const ranges: MaskRange[] = [
      { kind: 'text', start: 3, end: 6 },
      { kind: 'end', start: 6, end: 11 },
    ];
    expect(labelled(['Q: ', 'Yes', '<end>', '\n'], ranges)).toEqual({
      input_ids: [1, 2, 3, 4],
      attention_mask: [1, 1, 1, 1],
      labels: [-100, 2, 3, -100],
      notes: [],
    });
  });

  it('leave out each token that crosses a border, and note its place', () => {
    const ranges: MaskRange[] = [
      { kind: 'text', start: 3, end: 6 },
      { kind: 'text', start: 10, end: 12 },
    ];
    // Across the beginning of a range, across an end, and around a whole range.
    const cases: [string[], number[], Note[]][] = [
      [['Q:', ' Y', 'es', ' Q: ', 'No'], [-100, -100, 3, -100, 5], [split(1)]],
      [['Q: ', 'Ye', 's Q', ': ', 'No'], [-100, 2, -100, -100, 5], [split(2)]],
      [
        ['Q:', ' Yes ', 'Q:', ' No'],
        [-100, -100, -100, -100],
        [split(1), split(3)],
      ],
    ];
    for (const [pieces, labels, notes] of cases)
      expect(labelled(pieces, ranges)).toMatchObject({ labels, notes });
  });

  it('keep a token that crosses from one kind to the next', () => {
    const ranges: MaskRange[] = [
      { kind: 'text', start: 3, end: 6 },
      { kind: 'calls', start: 6, end: 12 },
    ];
    expect(labelled(['Q: ', 'Ye', 's<', 'call>'], ranges)).toMatchObject({
      labels: [-100, 2, 3, 4],
      notes: [],
    });
  });
});
