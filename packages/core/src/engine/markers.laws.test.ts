import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMarkers, type MarkerSet, matchLiteral, neutralise, restore } from './markers.js';

// No marker begins inside of another, but for its last character: else a break inside of a marker would hide
// the one in front of it from `restore`. The markers of every dialect are of this kind.
const LITERALS = [
  '<tool_call>',
  '</tool_call>',
  '<tools>',
  '<tools_input>',
  '<|user|>',
  '<｜User｜>',
  '[gMASK]',
  '!quote_start',
  '!quote',
  '<<',
  'aa',
  'ab',
];

/** `<` spaces `call`: a marker with no one spelling. */
const loose = (text: string, at: number, ended: boolean) => {
  let here = at;
  while (text.charAt(here) === ' ') here++;
  const found = matchLiteral(text, here, 'call', ended);
  return found > 0 ? here + found - at : found;
};

const markerSets: fc.Arbitrary<MarkerSet> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...LITERALS)), fc.boolean())
  .map(([literals, matcher]) => defineMarkers(literals, matcher ? { '<': [loose] } : {}));

/** Markers, halves of them, broken ones, and what else may stand there. */
const soups = fc
  .array(
    fc.oneof(
      fc.constantFrom(...LITERALS),
      fc.constantFrom(...LITERALS).map((marker) => marker.slice(0, -1)),
      fc.constantFrom(...LITERALS).map((marker) => marker.slice(1)),
      fc.tuple(fc.constantFrom(...LITERALS), fc.nat({ max: 3 })).map(([marker, breaks]) => {
        return marker.charAt(0) + '\\'.repeat(breaks) + marker.slice(1);
      }),
      fc.constantFrom('\\', '\\\\', '<', '!', 'a', 'b', '< call', '<\\  call', ' ', '\n', '\ud83d', '北'),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 16 },
  )
  .map((parts) => parts.join(''));

/** Whether a marker that acts stands anywhere. */
function acts(text: string, markers: MarkerSet): boolean {
  for (let at = 0; at < text.length; at++)
    if (markers.firsts.includes(text.charAt(at)) && markers.match(text, at, true) > 0) return true;
  return false;
}

describe('neutralise', () => {
  it('leaves no marker, and restore gives back the text, for any text and any set', () => {
    fc.assert(
      fc.property(soups, markerSets, (text, markers) => {
        const broken = neutralise(text, markers);
        expect(acts(broken, markers)).toBe(false);
        expect(restore(broken, markers)).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });
});
