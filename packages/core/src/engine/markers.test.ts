import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defineMarkers,
  escapeMarkers,
  hasMarker,
  type MarkerSet,
  matchLiteral,
  NO,
  NO_MARKERS,
  NOT_YET,
  neutralise,
  nextOf,
  restore,
} from './markers.js';

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
  it('is undone as often as it was done', () => {
    fc.assert(
      fc.property(soups, markerSets, (text, markers) => {
        const twice = neutralise(neutralise(text, markers), markers);
        expect(restore(restore(twice, markers), markers)).toBe(text);
      }),
    );
  });

  it('changes nothing where there is no marker, and neither does restore', () => {
    fc.assert(
      fc.property(soups, markerSets, (text, markers) => {
        fc.pre(!hasMarker(text, markers));
        expect(neutralise(text, markers)).toBe(text);
        expect(restore(text, markers)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(soups, (text) => {
        expect(neutralise(text, NO_MARKERS)).toBe(text);
        expect(restore(text, NO_MARKERS)).toBe(text);
        expect(hasMarker(text, NO_MARKERS)).toBe(false);
      }),
    );
  });

  it('puts one backslash behind the first character of each marker, and nothing else', () => {
    fc.assert(
      fc.property(soups, markerSets, (text, markers) => {
        const broken = neutralise(text, markers);
        expect(broken.replaceAll('\\', '')).toBe(text.replaceAll('\\', ''));
        expect(broken.length > text.length).toBe(hasMarker(text, markers));
      }),
    );
  });

  it.each([
    ['<tools>', '<\\tools>'],
    ['<\\tools>', '<\\\\tools>'],
    ['<\\\\tools>', '<\\\\\\tools>'],
    ['<tools_input>', '<\\tools_input>'],
    ['<toolss>', '<toolss>'],
    ['a <tools> b </tools> c', 'a <\\tools> b </tools> c'],
    ['<<tools>', '<<\\tools>'],
    ['<tools', '<tools'],
    ['<\\n', '<\\n'],
    ['', ''],
  ])('writes %j as %j', (text, broken) => {
    const markers = defineMarkers(['<tools>', '<tools_input>']);
    expect(neutralise(text, markers)).toBe(broken);
    expect(restore(broken, markers)).toBe(text);
  });
});

describe('a marker set', () => {
  const markers = defineMarkers(['<tools>', '<tools_input>', '<tools_in', '!q'], {
    '｜': [loose],
    '<': [loose],
  });

  it('knows its literals and the first character of each marker, once', () => {
    expect(markers.literals).toEqual(['<tools>', '<tools_input>', '<tools_in', '!q']);
    expect([...markers.firsts].sort()).toEqual(['!', '<', '｜']);
  });

  it('matches the longest marker', () => {
    expect(markers.match('<tools_input>', 0, true)).toBe('<tools_input>'.length);
    expect(markers.match('<tools_inpu', 0, true)).toBe('<tools_in'.length);
    expect(markers.match('x<tools>', 1, true)).toBe('<tools>'.length);
  });

  it.each([
    ['<', NOT_YET],
    ['<tool', NOT_YET],
    ['<toolx', NO],
    ['<tools', NOT_YET],
    ['<tools_', NOT_YET],
    ['!', NOT_YET],
    ['!x', NO],
    ['!q', 2],
    ['< ', NOT_YET],
    ['<  ca', NOT_YET],
    ['<  call', 7],
    ['｜call', 5],
    ['x', NO],
  ])('at the start of %j gives %d', (text, found) => {
    expect(markers.match(text, 0, false)).toBe(found);
    expect(markers.match(text, 0, true)).toBe(found === NOT_YET ? NO : found);
  });

  it('never says NOT_YET of a text that has ended, and keeps to NO as the text grows', () => {
    fc.assert(
      fc.property(soups, soups, markerSets, (text, more, set) => {
        for (let at = 0; at < text.length; at++) {
          if (!set.firsts.includes(text.charAt(at))) continue;
          expect(set.match(text, at, true)).not.toBe(NOT_YET);
          const early = set.match(text, at, false);
          const late = set.match(text + more, at, true);
          if (early !== NOT_YET) expect(late > 0).toBe(early > 0);
        }
      }),
    );
  });

  it('matches a tail that stands apart from its first character', () => {
    expect(markers.matchTail('<', 'tools> …', 0, true)).toBe('<tools>'.length);
    expect(markers.matchTail('!', 'tools>', 0, true)).toBe(NO);
    expect(markers.match('<\\\\tools>', 0, true, 3)).toBe('<tools>'.length);
  });
});

describe('matchLiteral', () => {
  it('is sure as soon as one character differs or all are there', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 6 }), fc.string({ maxLength: 8 }), (literal, text) => {
        const found = matchLiteral(text, 0, literal, false);
        if (text.startsWith(literal)) expect(found).toBe(literal.length);
        else expect(found).toBe(literal.startsWith(text) ? NOT_YET : NO);
        expect(matchLiteral(text, 0, literal, true)).toBe(found === NOT_YET ? NO : found);
        expect(matchLiteral(`..${text}`, 2, literal, false)).toBe(found);
      }),
    );
  });
});

describe('nextOf', () => {
  it('is the first place of one of the characters, or the end', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', '\n'), maxLength: 20 });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('a', 'ab', 'abc', 'abcd', 'z'),
        fc.nat({ max: 20 }),
        (line, firsts, from) => {
          const start = Math.min(from, line.length);
          const found = [...line].findIndex((char, at) => at >= start && firsts.includes(char));
          expect(nextOf(line, firsts, start)).toBe(found < 0 ? line.length : found);
        },
      ),
    );
  });

  it('of no characters is the end', () => {
    expect(nextOf('abc', '', 0)).toBe(3);
  });
});

describe('escapeMarkers', () => {
  const marked = defineMarkers(['<tools>', '<|user|>', '!q']);

  it('leaves no marker in JSON text, and the value as it was', () => {
    const pieces = fc.constantFrom(
      '<tools>',
      '<|user|>',
      '!q',
      '<',
      '\\',
      '"',
      'tools>',
      '<\\tools>',
      '\n',
      '北',
    );
    const text = fc.array(pieces).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.array(text), fc.dictionary(text, text)), (value) => {
        const json = JSON.stringify(value);
        const escaped = escapeMarkers(json, marked);
        expect(acts(escaped, marked)).toBe(false);
        expect(hasMarker(escaped, marked)).toBe(false);
        expect(JSON.parse(escaped)).toEqual(value);
        if (!hasMarker(json, marked)) expect(escaped).toBe(json);
      }),
    );
  });

  it('spells the first character of the marker as an escape', () => {
    expect(escapeMarkers('{"a":"<tools> <b>"}', marked)).toBe('{"a":"\\u003ctools> <b>"}');
  });
});
