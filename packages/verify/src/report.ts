// The report: what every check found, the scores and the times. Its shape is documented in docs/verify.md.

import type { EngineName } from '@dragoman/core/bridge';
import type { CheckId } from './check.js';
import type { Compared } from './compare.js';
import type { Latency } from './latency.js';
import type { Reading } from './reading.js';
import type { Scores } from './scores.js';
import type { Tokens } from './token-count.js';

export type CheckStatus = 'pass' | 'fail' | 'warn' | 'skipped';

export interface Example {
  /** The probe, and what is wrong with its answer. */
  probe: string;
  message: string;
  /** The body of the request and of the answer, cut if long. */
  request: string;
  response: string;
  /** The answer as a client reads it. Absent: none came. */
  answer?: ReadAnswer;
  /** The text of the answer, and what each part of it is. */
  reading?: Reading;
}

/** Its members are absent where the answer has none. Texts are cut if long. */
export interface ReadAnswer {
  text?: string;
  reasoning?: string;
  calls?: { name: string; arguments: string }[];
  /** In the word of the API. */
  finish?: string;
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
  endpoint: {
    url: string;
    api: string;
    model: string;
    engine?: EngineName;
    /** It is a Dragoman gateway, which works in this mode. */
    gateway?: string;
  };
  /** When the exchanges were made, as ISO 8601. */
  date: string;
  /** The version of @dragoman/verify that judged them. */
  version: string;
  suite: string;
  seed: number;
  runs: number;
  /** Probes that were answered, of those planned, and requests that were sent again (429, 5xx, lost). */
  requests: { done: number; planned: number; retried?: number };
  /** It was stopped before all requests were sent. */
  stopped?: true;
  /** Of a run that was stopped: the checks with probes that were not judged. */
  unjudged?: CheckId[];
  /** The endpoint stopped answering within the run: why, in a sentence. */
  lost?: string;
  scores: Scores;
  latency: Latency;
  tokens?: Tokens;
  checks: CheckResult[];
  /** The same straight, and through Dragoman in two ways. */
  compared?: Compared[];
}

/** Whether all required checks were judged and hold, with the answers to all probes. */
export function isRight({ checks, lost, stopped }: VerifyReport): boolean {
  return (
    lost === undefined &&
    stopped === undefined &&
    checks.every(({ status, required }) => !required || (status !== 'fail' && status !== 'skipped'))
  );
}

const order: readonly CheckStatus[] = ['fail', 'warn', 'pass', 'skipped'];

/** The checks with the worst first; those that are required before the others. */
export function worstFirst({ checks }: VerifyReport): CheckResult[] {
  const rank = ({ status, required }: CheckResult) => order.indexOf(status) * 2 + (required ? 0 : 1);
  return [...checks].sort((a, b) => rank(a) - rank(b));
}
