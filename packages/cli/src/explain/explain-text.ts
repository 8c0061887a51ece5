// Explains one output of a model. explain-view.ts formats the result for people, explain-answer.ts for programs.

import { acceptTools } from '@dragoman/core';
import {
  type DialectHints,
  type FoundMarker,
  isBetter,
  judge,
  type RankedReading,
  type ReadingVerdict,
  rankReadings,
  recognises,
} from '@dragoman/core/internal';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { withDialect } from '../find-dialect.js';
import { type ShouldBe, shouldBe } from './should-be.js';
import { findSigns, type Sign } from './signs.js';
import { type RoleSpan, roleSpans } from './spans.js';

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

/** A marker that was left in the text, with the reason and what to do. */
interface LeftMarker extends Pick<FoundMarker, 'range'> {
  why: string;
}

function leftMarkers(text: string, { dialect, left }: RankedReading): LeftMarker[] {
  const fence = new FenceScan(text);
  return left.map(({ range, of }) => {
    if (fence.isOpenAt(range[0])) return { range, why: FENCED };
    if (text.charAt(range[0] - 1) === '`') return { range, why: MENTIONED };
    if (of.includes(dialect)) return { range, why: `It is markup of ${dialect.name}, but ${OUT_OF_PLACE}` };
    const names = of.map(({ name }) => name).join(', ');
    return { range, why: `It belongs to ${names}, not to ${dialect.name}.` };
  });
}

const FENCED =
  'It is in a fenced block: quoted, so no call. If a call was meant, ask for calls without a fence.';
const MENTIONED = 'It is in backquotes: mentioned, so no call.';
const OUT_OF_PLACE =
  'the text around it is no call: the marker is mentioned, out of place, or spelled differently.';

/** Tracks fenced blocks. Offsets must be asked for in ascending order: each line is read once. */
class FenceScan {
  #line = 0;
  #open = false;

  constructor(readonly text: string) {}

  isOpenAt(at: number): boolean {
    for (;;) {
      const end = this.text.indexOf('\n', this.#line);
      if (end < 0 || end >= at) return this.#open;
      if (isFenceLine(this.text, this.#line, end)) this.#open = !this.#open;
      this.#line = end + 1;
    }
  }
}

function isFenceLine(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && text.charAt(at) === ' ') at++;
  return text.startsWith('```', at);
}
