// Outputs from the test suites of llama.cpp, Ollama, SGLang and vLLM, with the reading that the engine gives them and a
// verdict each: `agree`, `ours` (ours was wrong), `theirs` (theirs is), `policy` (both can be defended). They are test
// data of those projects, so they stay outside of this repository: shared/vectors/engines.jsonl beside it.
//
// Every output is read whole and by single characters. `agree` and `ours` must be read as the engine reads them. The
// others need not: docs/dialects says what differs and why. The test prints how many of each verdict agree.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { findDialect, type ParsedAnswer } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { cutEvery, readPieces } from './corpus/reading.js';

interface Vector {
  id: string;
  source: string;
  dialect: string;
  text: string;
  tools: unknown;
  thinking: boolean;
  /** `null`: not compared. */
  expect: { content: string | null; reasoning: string | null; calls: EngineCall[] };
  verdict: 'agree' | 'ours' | 'theirs' | 'policy';
}

interface EngineCall {
  name?: string;
  arguments?: unknown;
  /** The arguments as text, or a mark that the engine's test does not look at them. */
  __raw?: unknown;
}

/**
 * What a vector states differently from the test it was taken from, or from other vectors. Each was compared with the
 * source of that test, and the printed counts name it.
 */
const misstated: Record<string, (vector: Vector, answer: ParsedAnswer) => boolean> = {
  // Ollama's test expects content, thinking and content as events here; the vector has lost the thinking.
  'ollama-317': ({ expect: { content } }, { text, reasoning }) =>
    text === content && reasoning === 'thinking',
  // Ollama's test compares the elements of the XML, before types. Numbers of an undeclared tool are numbers, as in
  // vllm-735 and in Ollama's own tests of whole calls.
  'ollama-210': (_, { calls }) => isDeepStrictEqual(calls[0]?.input, { a: 1, b: 2, c: 3 }),
};

const path = fileURLToPath(new URL('../../shared/vectors/engines.jsonl', import.meta.url));
const vectors: Vector[] = existsSync(path)
  ? readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : [];

function readBothWays({ dialect, text, tools, thinking }: Vector): ParsedAnswer {
  const whole = readPieces(findDialect(dialect), [text], { tools, thinking });
  const single = readPieces(findDialect(dialect), cutEvery(text, 1), { tools, thinking });
  if (!isDeepStrictEqual(single, whole)) expect(single).toEqual(whole);
  return whole;
}

/** What the vector states, in one shape with `found`. */
function stated({ expect: { content, reasoning, calls } }: Vector) {
  return {
    ...(content !== null && { text: content.trim() }),
    ...(reasoning !== null && { reasoning: reasoning.trim() }),
    calls: calls.map((call) => ({
      ...(call.name !== undefined && { name: call.name }),
      ...(hasInput(call) && { input: inputOf(call) }),
    })),
  };
}

function found({ expect: { content, reasoning, calls } }: Vector, answer: ParsedAnswer) {
  return {
    ...(content !== null && { text: answer.text.trim() }),
    ...(reasoning !== null && { reasoning: answer.reasoning.trim() }),
    calls: answer.calls.map(({ name, input }, at) => {
      const call = calls[at] ?? { name, arguments: input };
      return { ...(call.name !== undefined && { name }), ...(hasInput(call) && { input }) };
    }),
  };
}

const hasInput = (call: EngineCall) => call.arguments !== undefined || typeof call.__raw === 'string';

function inputOf({ arguments: given, __raw: raw }: EngineCall): unknown {
  const value = given ?? raw ?? {};
  // A stream whose only piece of arguments was empty.
  if (value === '') return {};
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const asStated = (vector: Vector, answer: ParsedAnswer) =>
  isDeepStrictEqual(found(vector, answer), stated(vector));
const equal = (vector: Vector, answer: ParsedAnswer) =>
  misstated[vector.id]?.(vector, answer) ?? asStated(vector, answer);

function countOf(verdict: Vector['verdict']): string {
  const all = vectors.filter((vector) => vector.verdict === verdict);
  const readings = all.map((vector) => [vector, readBothWays(vector)] as const);
  const same = readings.filter(([vector, answer]) => asStated(vector, answer));
  const mended = readings.filter((reading) => !same.includes(reading) && equal(...reading));
  const named = mended.map(([{ id }]) => id).join(' and ');
  return `${same.length} of ${all.length}${named && `, and ${named} as their tests state`}`;
}

describe('engines.jsonl', () => {
  if (vectors.length === 0) {
    it.skip(`is read as the engines do; NOT TESTED, for ${path} is not there`);
    return;
  }
  it('is printed: how many of each verdict are read as the engine does', () => {
    const verdicts = ['agree', 'ours', 'policy', 'theirs'] as const;
    const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, countOf(verdict)]));
    console.log(`engines.jsonl, read as the engine does: ${JSON.stringify(counts)}`);
    expect(vectors.length).toBeGreaterThanOrEqual(1000);
  });
  const held = vectors.filter(({ verdict }) => verdict === 'agree' || verdict === 'ours');
  it.each(held.map((vector) => [vector.dialect, vector.id, vector.source, vector] as const))(
    '%s: %s, %s',
    (_dialect, _id, _source, vector) => {
      const answer = readBothWays(vector);
      if (!equal(vector, answer)) expect(found(vector, answer)).toEqual(stated(vector));
    },
  );
});
