// The end of an answer that had to be JSON: its faults become the problem of its attempt.

import { addRepair } from '../../engine/event-merge.js';
import type { FinishReason, Issue, Repair } from '../../model/index.js';
import type { AttemptCalls } from '../emulate/attempt-calls.js';
import type { StructuredText } from './structured-text.js';

/** How much text around the JSON is kept for the report. */
const ASIDE = 2000;

export interface EndedAttempt {
  readonly issues: Issue[];
  readonly repairs: Repair[];
  aside: string;
}

/**
 * Checks the answer, unless it has calls, or was cut by a limit, a filter or a stop string, and delivers the text that was
 * held until now. Gives whether the answer is right.
 */
export function endAnswer(
  structured: StructuredText,
  { calls, reason, stopped }: { calls: AttemptCalls; reason: FinishReason; stopped: boolean },
  attempt: EndedAttempt,
): boolean {
  const cut = stopped || reason === 'length' || reason === 'content-filter';
  const called = calls.delivered > 0 || calls.failure !== undefined;
  const { text, issues, repairs, aside } = structured.end({ called, cut: cut || calls.problems.length > 0 });
  attempt.issues.push(...issues);
  for (const repair of repairs) addRepair(attempt.repairs, repair);
  attempt.aside = [attempt.aside, aside].filter(Boolean).join('\n\n').slice(0, ASIDE);
  const wrong = issues.filter(({ code }) => code !== 'duplicate-key');
  if (wrong.length > 0 && !cut) calls.addProblem('bad-answer', wrong);
  calls.text.say(text);
  return !cut && !called && wrong.length === 0;
}
