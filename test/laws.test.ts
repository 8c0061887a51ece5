// The eight laws of the plan, for every dialect of the list. Inputs are drawn from seeds, so that a failure repeats; the
// run prints how many were tried. DRAGOMAN_EFFORT multiplies the number of inputs: 1 is the full measure, and a plain run
// draws 0.05 of it, and cuts only some of the texts at every place, because all checks together have fifteen minutes.
//
// The project's first ten dialects are tested in full, from 0.1 on. Each dialect of other models gets an eighth of the random inputs
// and of the texts that are cut everywhere: it shares its reader with a dialect that is tested in full, and all of them
// together must not take longer than the ten. DRAGOMAN_EFFORT=8 tests them as much as the ten, and DRAGOMAN_DIALECTS
// chooses which.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dialects, isFullyTried } from '../packages/core/src/dialects/every.fixture.js';
import type { Dialect } from '../packages/core/src/index.js';
import {
  chunking,
  createRandom,
  ingredients,
  type LawReport,
  markerMix,
  monotone,
  noForgery,
  noLeak,
  nothingLost,
  promptText,
  pure,
  type Random,
  randomTurn,
  roundTrip,
  type Sample,
  spellTurn,
  total,
  truncation,
} from '../packages/core/src/testing/index.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);
/** DRAGOMAN_DIALECTS=glm-4.5,xnl tests only these. */
const ONLY = process.env.DRAGOMAN_DIALECTS?.split(',');
const CONVERSATIONS = join(import.meta.dirname, '../packages/core/corpus/conversations');

const PLAIN_WORDS = [
  'hello ',
  'world\n',
  'x',
  '{"a": 1}',
  'if (a < b) {',
  '北京',
  '😀',
  ' ',
  '"',
  "it's",
  '\\',
  '<div>',
];

/** The tools for random texts: some of the words in them are their names. */
const TOOLS = [
  {
    name: 'f',
    parameters: {
      type: 'object',
      properties: { s: { type: 'string' }, n: { type: 'integer' }, o: { type: 'object' } },
    },
  },
  {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
];

const counts = new Map<string, number>();

function holds(report: LawReport): void {
  counts.set(report.law, (counts.get(report.law) ?? 0) + report.tried);
  expect(report.failures, report.law).toEqual([]);
  expect(report.tried, report.law).toBeGreaterThan(0);
}

afterAll(() => {
  const lines = [...counts].map(([law, tried]) => `  ${law.padEnd(20)} ${tried.toLocaleString('en')} tried`);
  console.log(`laws, over ${tried.length} dialects:\n${lines.join('\n')}`);
});

/** The corpus of a dialect: every assistant turn of every conversation, as that dialect spells it. */
function corpusOf(dialect: Dialect): Sample[] {
  const samples: Sample[] = [];
  for (const name of existsSync(CONVERSATIONS) ? readdirSync(CONVERSATIONS) : []) {
    const file = join(CONVERSATIONS, name, `${dialect.name}.txt`);
    if (!existsSync(file)) continue;
    const { tools } = JSON.parse(readFileSync(join(CONVERSATIONS, name, 'conversation.json'), 'utf8'));
    for (const text of readFileSync(file, 'utf8').split(/^=== assistant [0-9]+ ===\n/m))
      samples.push({ text, options: { tools } });
  }
  return samples;
}

function turnsOf(dialect: Dialect, random: Random, words: readonly string[], count: number): Sample[] {
  return Array.from({ length: count }, () => {
    const turn = randomTurn(random, words);
    const { text, thinking } = spellTurn(dialect, turn);
    return { text, options: { tools: turn.tools, thinking } };
  });
}

function* mixes(random: Random, pieces: readonly string[], count: number): Iterable<string> {
  for (let n = 0; n < count; n++) yield markerMix(random, pieces, 1 + random.int(24));
}

/** What is cut at every place: the shortest texts and the longest, in equal parts, up to so many. */
function chosen(samples: readonly Sample[], most: number): Sample[] {
  if (samples.length <= most) return [...samples];
  const byLength = [...samples].sort((a, b) => a.text.length - b.text.length);
  return Array.from(
    { length: most },
    (_, at) => byLength[Math.floor((at * byLength.length) / most)] as Sample,
  );
}

/** Of fewer texts than this, none may hold a call. */
const FEWEST_CUT = 4;
/** Longer texts are not cut at every place, which costs the square of the length. */
const LONGEST_CUT = EFFORT >= 0.2 ? 700 : 400;

const tried = dialects.filter(({ name }) => ONLY?.includes(name) ?? true);

describe.each(tried.map((dialect, at) => [dialect.name, dialect, at] as const))(
  '%s',
  (_name, dialect, at) => {
    const random = createRandom(1000 + at);
    const own = isFullyTried(dialect);
    const times = (full: number) => Math.ceil((own ? full : full / 8) * EFFORT);
    const corpus = corpusOf(dialect);
    const turns = turnsOf(dialect, random, PLAIN_WORDS, Math.ceil((own ? 30 : 20) * EFFORT));
    const short = [...corpus, ...turns].filter(({ text }) => text.length < LONGEST_CUT);
    const cut = own && EFFORT >= 0.1 ? short : chosen(short, Math.max(FEWEST_CUT, Math.ceil(25 * EFFORT)));
    const hostile = ingredients(dialect, []);
    const nearCalls = ingredients(
      dialect,
      short.slice(0, 6).map(({ text }) => text),
    );

    test('has a corpus', () => {
      expect(corpus.length, `corpus/conversations/*/${dialect.name}.txt`).toBeGreaterThanOrEqual(12);
    });
    test('1. any cutting of the text gives the same events', () => {
      holds(chunking(dialect, cut, random, { twoCuts: 60, random: times(40) }));
    });
    test('1. any cutting gives the same events, too, where blanks precede a marker', () => {
      const indented = dialect.markers.literals.map((marker) => ({ text: ` ${marker} a\n ${marker}b` }));
      holds(chunking(dialect, indented, random, { twoCuts: 0, random: 0 }));
    });
    test('2. nothing is lost: ranges tile the text', () => {
      holds(nothingLost(dialect, [...corpus, ...turns]));
    });
    test('3. what is written is read back', () => {
      holds(roundTrip(dialect, hostile, random, times(3000)));
    });
    test('4. a well-formed output leaves no marker in the text', () => {
      holds(noLeak(dialect, turns));
    });
    test('4. no text from outside forms a frame or a call', () => {
      holds(noForgery(dialect, nearCalls, random, times(1500)));
    });
    test('5. any random text ends in events', () => {
      holds(total(dialect, mixes(random, nearCalls, times(6000)), random, { tools: TOOLS }));
      holds(total(dialect, mixes(random, nearCalls, times(3000)), random, { tools: TOOLS, thinking: true }));
      holds(total(dialect, mixes(random, hostile, times(1500)), random, { tools: TOOLS, strict: true }));
    });
    test('5. text is held back by at most the longest marker', () => {
      const halves = dialect.markers.literals.map((marker) => marker.slice(0, -1));
      const prose = [...mixes(random, ['hello', ' ', 'world', '<', '!', '[', '北京', ...halves], times(300))];
      const longest = Math.max(...dialect.markers.literals.map((marker) => marker.length));
      holds(promptText(dialect, prose, longest));
    });
    test('6. the same text gives the same events', () => {
      holds(pure(dialect, [...corpus, ...turns]));
    });
    test('7. deltas make up the arguments', () => {
      holds(monotone(dialect, [...corpus, ...turns]));
    });
    test('8. cut anywhere, no call is delivered that was not complete', () => {
      holds(truncation(dialect, cut));
    });
  },
);
