// The report: what every check found, the scores and the times. Its shape is documented in docs/verify.md.

import type { EngineName } from '@dragoman/core/bridge';
import type { CheckId } from './check.js';
import type { Compared } from './compare.js';
import type { Latency } from './latency.js';
import type { Reading } from './reading.js';
import type { Scores } from './scores.js';

export type CheckStatus = 'pass' | 'fail' | 'warn' | 'skipped';

export interface Example {
  /** The probe, and what is wrong with its answer. */
  probe: string;
  message: string;
  /** The body of the request and of the answer, cut if long. */
  request: string;
  response: string;
  /** The text of the answer, and what each part of it is. */
  reading?: Reading;
}

export interface CheckResult {
  id: CheckId;
  title: string;
  required: boolean;
  status: CheckStatus;
  passed: number;
  of: number;
  /** Why it was skipped. */
  reason?: string;
  /** What to do. Only of a check that did not pass. */
  advice?: string;
  examples: Example[];
}

export interface VerifyReport {
  endpoint: { url: string; api: string; model: string; engine?: EngineName };
  suite: string;
  seed: number;
  runs: number;
  /** Requests that were answered, of those planned. */
  requests: { done: number; planned: number };
  /** It was stopped before all requests were sent. */
  stopped?: true;
  scores: Scores;
  latency: Latency;
  checks: CheckResult[];
  /** The same straight, and through Dragoman in two ways. */
  compared?: Compared[];
}

/** Whether all required checks hold, and something was judged. */
export function isRight({ checks }: VerifyReport): boolean {
  return (
    checks.some(({ status }) => status !== 'skipped') &&
    checks.every(({ status, required }) => status !== 'fail' || !required)
  );
}

const order: readonly CheckStatus[] = ['fail', 'warn', 'pass', 'skipped'];

/** The checks with the worst first; those that are required before the others. */
export function worstFirst({ checks }: VerifyReport): CheckResult[] {
  const rank = ({ status, required }: CheckResult) => order.indexOf(status) * 2 + (required ? 0 : 1);
  return [...checks].sort((a, b) => rank(a) - rank(b));
}
