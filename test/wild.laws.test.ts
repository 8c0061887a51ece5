// Real outputs of models: packages/core/corpus/wild, one file for each shape, and the output cases of corpus/vectors.
//
// Every case is read whole, by single characters, by three and by seeded random cuts (the consensus of other parsers also
// cut in two at every position), and its events must tile the text. `expect` states what the documentation defines, not
// what the code happens to do:
//
//   text, reasoning   to the letter, where given
//   calls             name; input, id and raw (the digits as written) where given
//   issues, repairs   the codes, each once, in any order; none where absent
//
// A case marked `open` shows a known fault that is not fixed yet: it must fail. When it passes, the suite fails, and the
// mark is to be removed.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { findDialect, type ParsedAnswer, type ParserOptions } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { dialects, isFullyTried } from '../packages/core/src/dialects/every.fixture.js';
import { cutEvery, cutRandomly, readPieces } from './corpus/reading.js';

interface ExpectedCall {
  name: string;
  input?: unknown;
  id?: string;
  raw?: string;
}

interface Case {
  name: string;
  dialect: string;
  about?: string;
  open?: string;
  tools?: unknown;
  thinking?: boolean;
  policies?: NonNullable<ParserOptions['policies']>;
  text: string;
  expect: {
    text?: string;
    reasoning?: string;
    calls: ExpectedCall[];
    issues?: string[];
    repairs?: string[];
  };
  /** In the vectors: the reading must list a repair. */
  repair?: boolean;
}

const corpus = fileURLToPath(new URL('../packages/core/corpus/', import.meta.url));
const consensus = fileURLToPath(new URL('../../shared/vectors/field-consensus.jsonl', import.meta.url));
const RANDOM_CUTS = 5;

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

function optionsOf({ tools, thinking = false, policies = {} }: Case): ParserOptions {
  return { tools, thinking, policies };
}

/** The answer for every cutting: they must all be the same, in calls, text, reasoning, issues and repairs. */
function readEveryWay(test: Case, cuttings = cutSomeWays(test.text)): ParsedAnswer {
  const dialect = findDialect(test.dialect);
  const whole = readPieces(dialect, [test.text], optionsOf(test));
  for (const pieces of cuttings) {
    const answer = readPieces(dialect, pieces, optionsOf(test));
    // The quick comparison first: the other one is slow, but shows the difference.
    if (!isDeepStrictEqual(answer, whole)) expect({ pieces, answer }).toEqual({ pieces, answer: whole });
  }
  return whole;
}

function cutSomeWays(text: string, randomly = RANDOM_CUTS): string[][] {
  const cuttings = [cutEvery(text, 1), cutEvery(text, 3)];
  for (let seed = 1; seed <= randomly; seed++) cuttings.push(cutRandomly(text, seed));
  return cuttings;
}

function cutInTwo(text: string): string[][] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => [
    text.slice(0, at + 1),
    text.slice(at + 1),
  ]);
}

const codes = (found: readonly { code: string }[]) => [...new Set(found.map(({ code }) => code))].sort();

// ---------------------------------------------------------------- wild

const wildCases = readdirSync(`${corpus}wild`).flatMap((dialect) =>
  readdirSync(`${corpus}wild/${dialect}`).map((file): [string, string, Case] => [
    dialect,
    file,
    readJson(`${corpus}wild/${dialect}/${file}`),
  ]),
);

function checkWild(test: Case): void {
  const answer = readEveryWay(test);
  const { text, reasoning = '', calls, issues = [], repairs = [] } = test.expect;
  const found = {
    ...(text === undefined ? {} : { text: answer.text }),
    reasoning: answer.reasoning,
    calls: answer.calls.map((call, at) => pickExpected(call, calls[at] ?? { name: '', input: {}, id: '' })),
    issues: codes(answer.issues),
    repairs: codes(answer.repairs),
  };
  const wanted = { ...(text === undefined ? {} : { text }), reasoning, calls };
  expect(found).toEqual({ ...wanted, issues: [...issues].sort(), repairs: [...repairs].sort() });
}

/** Of a call, what the case says something about. */
function pickExpected(call: ParsedAnswer['calls'][number], expected: ExpectedCall): ExpectedCall {
  return {
    name: call.name,
    ...('input' in expected ? { input: call.input } : {}),
    ...('id' in expected ? { id: call.id } : {}),
    ...('raw' in expected ? { raw: call.raw } : {}),
  };
}

describe('wild', () => {
  // A dialect of another model shares its reader, and so its wild cases, with others: it only has cases of its spelling.
  it.each(dialects.map((dialect) => [dialect.name, isFullyTried(dialect) ? 15 : 4] as const))(
    'has of %s %i shapes and more',
    (name, least) => {
      expect(wildCases.filter(([dialect]) => dialect === name).length).toBeGreaterThanOrEqual(least);
    },
  );

  for (const [dialect, file, test] of wildCases) {
    const title = `${dialect}: ${test.name}${test.open ? ` (open: ${test.open})` : ''}`;
    (test.open ? it.fails : it)(title, () => {
      expect([test.dialect, `${test.name.replaceAll(' ', '-')}.json`]).toEqual([dialect, file]);
      checkWild(test);
    });
  }
});

// ---------------------------------------------------------------- vectors

/** As the README of the vectors says: text and reasoning are compared after trimming. */
function checkVector(test: Case, cuttings?: string[][]): void {
  const answer = readEveryWay(test, cuttings);
  const { text, reasoning, calls } = test.expect;
  expect(answer.calls.map((call, at) => pickExpected(call, calls[at] ?? { name: '', input: {} }))).toEqual(
    calls,
  );
  if (text !== undefined) expect(answer.text.trim()).toBe(text.trim());
  if (reasoning !== undefined) expect(answer.reasoning.trim()).toBe(reasoning.trim());
  if (test.repair) expect(answer.repairs).not.toEqual([]);
}

const vectorFiles = readdirSync(`${corpus}vectors`).filter((file) =>
  /-(outputs|completions)\.json$/.test(file),
);

describe.each(vectorFiles)('vectors/%s', (file) => {
  for (const test of readJson(`${corpus}vectors/${file}`).cases as Case[])
    it(test.name, () => checkVector(test));
});

// ---------------------------------------------------------------- the consensus of other parsers

const CONSENSUS_RANDOM_CUTS = 20;

describe('field-consensus.jsonl', () => {
  if (!existsSync(consensus)) {
    console.warn(`\n!!! ${consensus} is missing: the consensus of other parsers was NOT tested !!!\n`);
    it.skip('is read where it is reachable', () => {});
    return;
  }
  const lines = readFileSync(consensus, 'utf8').split('\n').filter(Boolean);
  const cases = lines.map((line) => JSON.parse(line) as Case);
  it('has ninety cases and more, under names of dialects that are all ours', () => {
    for (const { dialect } of cases) expect(findDialect(dialect).name).toBeTypeOf('string');
    expect(cases.length).toBeGreaterThanOrEqual(90);
  });
  for (const test of cases) {
    it(`${test.name}, whole and in every cutting`, () => {
      const cuttings = [...cutInTwo(test.text), ...cutSomeWays(test.text, CONSENSUS_RANDOM_CUTS)];
      checkVector(test, cuttings);
    });
  }
});
