import { expect, it } from 'vitest';
import { nextCut, type PieceUnit } from './cuts.js';

const text = 'Let me see.\n<tool_call>\n{"name": "look_at", "arguments": {"at": "天空"}}\n</tool_call>';
const ends = [4, 11, 40, text.length];

/** All borders from the start on. */
function cuts(unit: PieceUnit): number[] {
  const found = [0];
  while ((found.at(-1) as number) < text.length)
    found.push(nextCut(text, found.at(-1) as number, 1, unit, ends));
  return found;
}

it.each(['tokens', 'lines', 'characters', 'arrived'] as const)(
  'steps by %s reach the end, and stop at the same places in both directions',
  (unit) => {
    const forward = cuts(unit);
    expect(forward.at(-1)).toBe(text.length);
    const back = [text.length];
    while ((back.at(-1) as number) > 0) back.push(nextCut(text, back.at(-1) as number, -1, unit, ends));
    expect(back.reverse()).toEqual(forward);
  },
);

it('tokens are short, and words keep the space before them', () => {
  const pieces = cuts('tokens').map((at, place, all) => text.slice(at, all[place + 1]));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8);
  expect(pieces.slice(0, 3)).toEqual(['Let', ' me', ' see']);
});
