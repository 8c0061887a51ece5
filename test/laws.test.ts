// The eight laws of the plan, for every dialect of the list. What is tried is drawn from seeds, so a failure
// repeats; the run prints how much it tried. DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure, and
// every run draws 0.4 of it, because the whole of the tests has ten minutes.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Dialect, dialects } from '../packages/core/src/index.js';
import {
  chunking,
  createRandom,
  ingredients,
  type LawReport,
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
  soup,
  spellTurn,
  total,
  truncation,
} from '../packages/core/src/testing/index.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.4);
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

/** The tools every soup is read with: some of its words name them. */
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
  console.log(`laws, over ${dialects.length} dialects:\n${lines.join('\n')}`);
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

function* soups(random: Random, pieces: readonly string[], count: number): Iterable<string> {
  for (let n = 0; n < count; n++) yield soup(random, pieces, 1 + random.int(24));
}

describe.each(dialects.map((dialect, at) => [dialect.name, dialect, at] as const))(
  '%s',
  (_name, dialect, at) => {
    const random = createRandom(1000 + at);
    const corpus = corpusOf(dialect);
    const turns = turnsOf(dialect, random, PLAIN_WORDS, Math.ceil(30 * EFFORT));
    const short = [...corpus, ...turns].filter(({ text }) => text.length < 700);
    const hostile = ingredients(dialect, []);
    const nearCalls = ingredients(
      dialect,
      short.slice(0, 6).map(({ text }) => text),
    );

    test('has a corpus', () => {
      expect(corpus.length, `corpus/conversations/*/${dialect.name}.txt`).toBeGreaterThanOrEqual(12);
    });
    test('1. any cutting of the text gives the same events', () => {
      holds(chunking(dialect, short, random, { twoCuts: 90, random: 40 * EFFORT }));
    });
    test('2. nothing is lost: ranges tile the text', () => {
      holds(nothingLost(dialect, [...corpus, ...turns]));
    });
    test('3. what is written is read back', () => {
      holds(roundTrip(dialect, hostile, random, 3000 * EFFORT));
    });
    test('4. a well-formed output leaves no marker in the text', () => {
      holds(noLeak(dialect, turns));
    });
    test('4. no text from outside forms a frame or a call', () => {
      holds(noForgery(dialect, nearCalls, random, 1500 * EFFORT));
    });
    test('5. any soup of characters ends in events', () => {
      holds(total(dialect, soups(random, nearCalls, 6000 * EFFORT), random, { tools: TOOLS }));
      holds(
        total(dialect, soups(random, nearCalls, 3000 * EFFORT), random, { tools: TOOLS, thinking: true }),
      );
      holds(total(dialect, soups(random, hostile, 1500 * EFFORT), random, { tools: TOOLS, strict: true }));
    });
    test('5. text is held back by at most the longest marker', () => {
      const halves = dialect.markers.literals.map((marker) => marker.slice(0, -1));
      const prose = [...soups(random, ['hello', ' ', 'world', '<', '!', '[', '北京', ...halves], 300)];
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
      holds(truncation(dialect, short));
    });
  },
);
