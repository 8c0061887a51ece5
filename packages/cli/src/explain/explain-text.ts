// Everything that is known about one output of a model. Shown by explain-view, or given as JSON.

import { acceptTools, type Detection, type Dialect } from '@dragoman/core';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { type Ranking, rankDialects, recognises } from './rank.js';
import { type ShouldBe, shouldBe } from './should-be.js';
import { findSigns, type Sign } from './signs.js';
import { type RoleSpan, roleSpans } from './spans.js';
import { isBetter } from './verdict.js';

export interface ExplainOptions {
  tools?: unknown;
  dialect?: Dialect | undefined;
  /** What the model's name or its template tells. */
  told?: Detection | undefined;
  thinking?: boolean | undefined;
}

export interface Explanation {
  text: string;
  ranking: Ranking;
  /** Why this dialect is shown, where the text alone does not decide. */
  told: string | undefined;
  /** Names that may be called; undefined where no tools were given. */
  toolNames: string[] | undefined;
  spans: RoleSpan[];
  shouldBe: ShouldBe[];
  signs: Sign[];
  code: ExitCode;
}

export function explainText(text: string, options: ExplainOptions): Explanation {
  const { tools, told } = options;
  const toolNames = tools === undefined ? undefined : acceptTools(tools).map(({ name }) => name);
  const ranking = rankDialects(text, options);
  const { best } = ranking;
  const signs = recognises(best) ? [] : findSigns(text);
  return {
    text,
    ranking,
    told: told?.dialect === best.dialect ? told.reason : undefined,
    toolNames,
    spans: roleSpans(best.events),
    shouldBe: shouldBe(best.dialect, text, best.events, tools),
    signs,
    code: isAllRight(ranking, signs) ? EXIT.done : EXIT.partial,
  };
}

/** No issue; and where no call was read, nothing that looks like one. */
function isAllRight({ best, all }: Ranking, signs: readonly Sign[]): boolean {
  if (best.issues.length > 0) return false;
  const [first] = all;
  if (first && first !== best && isBetter(first, best)) return false;
  return recognises(best) || (best.left.length === 0 && signs.length === 0);
}
