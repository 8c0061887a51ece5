// The type of a check: what it sends, what it expects, why it matters, and what the person who runs the endpoint can do.

import type { EngineName } from '@dragoman/core/bridge';
import type { Wire } from '@dragoman/core/wire';
import type { Answered, Probe } from './probe.js';
import type { Turn } from './turn.js';

export const checkIds = [
  'answers',
  'models',
  'calls-tool',
  'no-call-when-none-fits',
  'tool-choice-none',
  'tool-choice-required',
  'tool-choice-named',
  'parallel-calls',
  'arguments-json',
  'arguments-schema',
  'arguments-exact',
  'unknown-tool',
  'ids-unique',
  'finish-reason',
  'call-leak',
  'reasoning-leak',
  'special-tokens-stripped',
  'stream-equals-whole',
  'stream-order',
  'arguments-stream',
  'result-accepted',
  'history-tolerant',
  'system-order',
  'structured-output',
  'usage',
  'errors',
  'latency',
  'prefix-cache',
] as const;

export type CheckId = (typeof checkIds)[number];

/** The judgement of one answer by one check. */
export interface Finding {
  ok: boolean;
  /** Passed, but not as one would wish. */
  warning?: boolean;
  /** What is wrong, in a sentence. */
  message?: string;
  /** The turn of the probe that shows it. Default: the last. */
  turn?: number;
  /** It is not counted if one of these checks fails: they name the same fault. */
  unless?: readonly CheckId[];
  /** Answers can be judged all the same, so it explains no failure of another check. */
  hides?: false;
  /** It fails the whole verification, also where its check is not required. */
  required?: true;
}

export const PASS: Finding = { ok: true };
export const fail = (message: string, more: Omit<Finding, 'ok' | 'message'> = {}): Finding => ({
  ok: false,
  message,
  ...more,
});
export const warn = (message: string): Finding => ({ ok: true, warning: true, message });

/** What names a fault that only streams have. */
const streamed: Pick<Finding, 'unless'> = { unless: ['stream-equals-whole', 'stream-order'] };

/** The same failure, not counted where it shows in a stream and streams are what is wrong. */
export const failIn = ({ exchange }: Turn, message: string): Finding =>
  fail(message, exchange.streamed ? streamed : {});

/** An answer that did not come. An error with the status 200 is named by `errors` alone, a name by `unknown-tool`. */
export const missing = (turn: Turn): Finding | undefined =>
  turn.isInnerError || turn.audit?.nameless ? undefined : failIn(turn, turn.failure ?? 'No answer came.');

/** What to do, on any server and on those that people run themselves. */
type Advice = { any: string } & Partial<Record<EngineName, string>>;

/** What probes are made from. */
export interface ProbeContext {
  wire: Wire;
  model: string;
  /** `quick` has fewer and shorter probes than `full`. */
  size: 'quick' | 'full';
  seed: number;
}

export interface Check {
  id: CheckId;
  /** In a few words: what holds on a right endpoint. */
  title: string;
  /** Whether a failure fails the whole verification. */
  required: boolean;
  sends: string;
  expects: string;
  /** What goes wrong for users of an endpoint that fails it. */
  why: string;
  /** Public reports of it: `owner/name#number`, or `owner/name`. */
  reports?: readonly string[];
  advice: Advice;
  /** Checks whose failure explains a failure of this one, which is then not counted. */
  needs?: readonly CheckId[];
  /** Its own requests. */
  probes?(context: ProbeContext): Omit<Probe, 'check'>[];
  /** Judges its own probes. Undefined: they say nothing, for example because another fault hides it. */
  judge?(answered: Answered, context: ProbeContext): Finding | undefined;
  /** Judges every answer of the model, of any probe. */
  judgeTurn?(turn: Turn, probe: Probe): Finding | undefined;
}
