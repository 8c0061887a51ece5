// Explains one output of a model. explain-view.ts formats the result for people, explain-answer.ts for programs.

import { acceptTools } from '@dragoman/core';
import { rankReadings, recognises } from '@dragoman/core/internal';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { withDialect } from '../find-dialect.js';
import { type LeftMarker, leftMarkers } from './left-markers.js';
import { type ShouldBe, shouldBe } from './should-be.js';
import { findSigns, type Sign } from './signs.js';
import { type RoleSpan, roleSpans } from './spans.js';
import { type DialectHints, isBetter, judge, type ReadingVerdict } from './verdict.js';

export interface ExplainOptions extends DialectHints {
  tools?: unknown;
  thinking?: boolean | undefined;
}

export interface Explanation {
  text: string;
  verdict: ReadingVerdict;
  /** The reason for this dialect, if the model's name or its template names it. */
  told: string | undefined;
  /** Names that may be called; undefined where no tools were given. */
  toolNames: string[] | undefined;
  spans: RoleSpan[];
  left: LeftMarker[];
  shouldBe: ShouldBe[];
  signs: Sign[];
  code: ExitCode;
}

export function explainText(text: string, options: ExplainOptions): Explanation {
  const { tools, told } = options;
  const toolNames = tools === undefined ? undefined : acceptTools(tools).map(({ name }) => name);
  const verdict = judge(rankReadings(withDialect(options.dialect).dialects, text, options), options);
  const { best } = verdict;
  const signs = recognises(best) ? [] : findSigns(text);
  return {
    text,
    verdict,
    told: told?.dialect === best.dialect ? told.reason : undefined,
    toolNames,
    spans: roleSpans(best.events),
    left: leftMarkers(text, best),
    shouldBe: shouldBe(best.dialect, text, best.events, tools),
    signs,
    code: isAllRight(verdict, signs) ? EXIT.done : EXIT.partial,
  };
}

/** Whether there is no issue, no dialect that fits better, and, where no call was read, nothing that looks like one. */
function isAllRight({ best, all }: ReadingVerdict, signs: readonly Sign[]): boolean {
  if (best.issues.length > 0) return false;
  const [first] = all;
  if (first && first !== best && isBetter(first, best)) return false;
  return recognises(best) || (best.left.length === 0 && signs.length === 0);
}
