// What models really write: packages/core/corpus/wild, one file a shape, and the output cases of corpus/vectors.
//
// Every case is read whole, by single characters, by three and by seeded random cuts, and its events must tile
// the text. `expect` says what docs settle, not what the code happens to do:
//
//   text, reasoning   to the letter, where given
//   calls             name; input, id and raw (the digits as written) where given
//   issues, repairs   the codes, each once, in any order; none where absent
//
// A case marked `open` shows a fault that is known and not yet mended: it must fail. When it no longer does, the
// suite says so, and the mark comes off.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findDialect, type ParsedAnswer, type ParserOptions } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { dialects, isOwn } from '../packages/core/src/dialects/every.fixture.js';
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

/** The answer for every cutting; they must all be the same. */
function readEveryWay(test: Case): ParsedAnswer {
  const dialect = findDialect(test.dialect);
  const { text } = test;
  const whole = readPieces(dialect, [text], optionsOf(test));
  const cuttings = [cutEvery(text, 1), cutEvery(text, 3)];
  for (let seed = 1; seed <= RANDOM_CUTS; seed++) cuttings.push(cutRandomly(text, seed));
  for (const pieces of cuttings) expect(readPieces(dialect, pieces, optionsOf(test))).toEqual(whole);
  return whole;
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
  // A dialect of the field shares its reader with others, whose wild is its own, too: it has what is its spelling's.
  it.each(dialects.map((dialect) => [dialect.name, isOwn(dialect) ? 15 : 4] as const))(
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
function checkVector(test: Case): void {
  const answer = readEveryWay(test);
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

// ---------------------------------------------------------------- the field's consensus

describe('field-consensus.jsonl', () => {
  if (!existsSync(consensus)) {
    console.warn(`\n!!! ${consensus} is not here: the field's consensus was NOT tested !!!\n`);
    it.skip('is read where it is reachable', () => {});
    return;
  }
  const lines = readFileSync(consensus, 'utf8').split('\n').filter(Boolean);
  const cases = lines.map((line) => JSON.parse(line) as Case);
  const known = cases.filter(({ dialect }) => isKnown(dialect));
  const others = cases.filter(({ dialect }) => !isKnown(dialect));
  const names = [...new Set(others.map(({ dialect }) => dialect))].join(', ');
  console.log(
    `field consensus: ${known.length} cases read, ${others.length} left out (${names}: not yet ours)`,
  );
  for (const test of known) it(test.name, () => checkVector(test));
});

function isKnown(name: string): boolean {
  try {
    findDialect(name);
    return true;
  } catch {
    return false;
  }
}
