// An explanation for programs.

import { type ExactValue, parseExact } from '@dragoman/core';
import type { Answer } from '../json-lines.js';
import { Places } from '../places.js';
import type { Explanation } from './explain-text.js';
import { whyLeft } from './left-over.js';
import { meaningOfIssue, meaningOfRepair } from './meanings.js';
import { verdictOf } from './verdict.js';

export function explanationAnswer(explanation: Explanation): Answer {
  const { text, ranking, told, spans, signs } = explanation;
  const { best } = ranking;
  const places = new Places(text);
  const at = (range: readonly [number, number]) => ({ range: [...range], ...places.of(range[0]) });
  return {
    dialect: ranking.confidence === 'none' ? null : best.dialect.name,
    confidence: ranking.confidence,
    why: verdictOf(ranking, told),
    thinking: best.thinking,
    dialects: ranking.all.map(({ dialect, calls, lost, issues, repairs, left }) => ({
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
    left: best.left.map((marker) => ({ why: whyLeft(text, marker, best), ...at(marker.range) })),
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

/** With the model's own digits. */
function exact(raw: string): ExactValue {
  try {
    return parseExact(raw);
  } catch {
    return raw;
  }
}
