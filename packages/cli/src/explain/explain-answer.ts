// An explanation as JSON, for programs.

import { type ExactValue, parseExact } from '@dragoman/core';
import { meaningOfIssue, meaningOfRepair, verdictWords } from '@dragoman/core/internal';
import type { LineAnswer } from '../json-lines.js';
import { Places } from '../places.js';
import type { Explanation } from './explain-text.js';

export function explanationAnswer(explanation: Explanation): LineAnswer {
  const { text, verdict, told, spans, left, signs } = explanation;
  const { best } = verdict;
  const places = new Places(text);
  const at = (range: readonly [number, number]) => ({ range: [...range], ...places.of(range[0]) });
  return {
    dialect: verdict.confidence === 'none' ? null : best.dialect.name,
    confidence: verdict.confidence,
    why: verdictWords(verdict, told),
    thinking: best.thinking,
    dialects: verdict.all.map(({ dialect, calls, lost, issues, repairs, left }) => ({
      name: dialect.name,
      calls: calls.length,
      lost: lost.length,
      issues: issues.length,
      repairs: repairs.length,
      left: left.length,
    })),
    spans: spans.map(({ start, end, role }) => ({ start, end, role })),
    calls: best.calls.map(({ id, name, raw }) => ({ id, name, input: exact(raw), raw })),
    lost: best.lost.map(({ name, raw }) => ({ name: name ?? null, raw: raw ?? null })),
    issues: best.issues.map((issue) => ({
      code: issue.code,
      message: issue.message,
      means: meaningOfIssue(issue),
      ...at(issue.range),
    })),
    repairs: best.repairs.map(({ code, range }) => ({ code, means: meaningOfRepair(code), ...at(range) })),
    left: left.map(({ range, why }) => ({ why, ...at(range) })),
    signs: signs.map(({ at: offset, words }) => ({ at: offset ?? null, words })),
    shouldBe: explanation.shouldBe.map(({ range, text: spelled, salvaged, missing, reason }) => ({
      ...at(range),
      text: spelled ?? null,
      salvaged,
      missing,
      ...(reason !== undefined && { reason }),
    })),
  };
}

/** Parses JSON with the model's own digits; gives text that is no JSON as it is. */
function exact(raw: string): ExactValue {
  try {
    return parseExact(raw);
  } catch {
    return raw;
  }
}
