// Random texts to test a dialect with: its own markers, halves of them, other dialects' markers, JSON, code, and
// characters that break careless readers.

import type { Dialect } from '../engine/dialect.js';
import type { Random } from './random.js';

/** A surrogate pair and its halves, controls, spaces and escapes. */
const ODD = [
  ...[
    '\ud83d\ude00',
    '\ud83d',
    '\ude00',
    '\u0000',
    '\u2028',
    '\ufeff',
    '＜tool_call＞',
    '\u200b',
    '北京',
    'é',
  ],
  ...['\r\n', '\n', '\n\n', '\t', ' ', '  ', '\\', '\\\\', '\\n', '\\u003c', '<\\'],
];

const CODE = (
  '{ } [ ] " \' ` , : ( ) / < > | ｜ ! # = . - // /* */ ``` $\u007bx} {"a":1} {"name":"f","arguments":{"s":"x"}} ' +
  '[{"name":"f","id":"1","parameters":{"s":"x"}}] "name" "arguments" null true 1.0 -0 12345678901234567890 ' +
  '<![CDATA[ ]]> </ />'
).split(' ');

const WORDS = 'f,get_weather,city,s,Beijing,hello,the tag,x,constructor,__proto__,let'.split(',');

/** Gives the pieces from which random texts for this dialect are made. */
export function ingredients(dialect: Dialect, samples: readonly string[]): string[] {
  const markers = [...dialect.markers.literals, ...samples.flatMap(tagsOf)];
  const halves = markers.flatMap((marker) => [
    marker.slice(0, marker.length >> 1),
    marker.slice(0, -1),
    marker.slice(1),
  ]);
  const broken = markers.map((marker) => `${marker.charAt(0)}\\${marker.slice(1)}`);
  const pieces = samples.flatMap((sample) => cut(sample));
  const own = [...markers, ...markers, ...markers, ...halves, ...broken, ...pieces];
  return [...own, ...ODD, ...CODE, ...WORDS].filter((piece) => piece !== '');
}

/** Cuts a well-formed output into pieces, so that random texts come near to being calls. */
function cut(sample: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < sample.length; at += 7) pieces.push(sample.slice(at, at + 7));
  return [sample, ...pieces];
}

export function markerMix(random: Random, pieces: readonly string[], length: number): string {
  let text = '';
  for (let n = 0; n < length; n++) text += random.pick(pieces);
  return text;
}

/** Finds all tags in angle brackets, and words after an exclamation mark, in a well-formed output. */
function tagsOf(sample: string): string[] {
  return [...new Set(sample.match(/<[^<>\n]+>|![a-z_]+/g) ?? [])];
}
