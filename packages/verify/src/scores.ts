// The scores that vendors' verifiers define (MoonshotAI/K2-Vendor-Verifier, README "Metrics"; MiniMax's are the same with
// other names): whether a call is triggered when it should be, whether its arguments fit, and how many requests succeed.

import { isObject } from '@dragoman/core/internal';
import type { Probe } from './probe.js';
import { type Turn, toolsOf } from './turn.js';

/** A share with its 95 % interval by Wilson; absent where nothing was counted. */
export interface Rate {
  value: number;
  low: number;
  high: number;
  of: number;
}

export interface Scores {
  /** Answers, of all requests of the suite. */
  success_rate?: Rate;
  /** Answers that triggered, and whose every call fits its schema, of those that triggered. */
  schema_accuracy?: Rate;
  trigger_precision?: Rate;
  trigger_recall?: Rate;
  /** The harmonic mean of precision and recall. It is no share, so it has no interval. */
  trigger_f1?: number;
  /** What the trigger is compared with. */
  trigger_against?: 'labels' | 'reference';
  counts: {
    requests: number;
    answered: number;
    triggered: number;
    valid: number;
    true_positive: number;
    false_positive: number;
    false_negative: number;
    true_negative: number;
  };
}

const Z = 1.959964;

export function wilson(hits: number, of: number): Rate | undefined {
  if (of === 0) return undefined;
  const share = hits / of;
  const z2 = Z * Z;
  const centre = (share + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))) / (1 + z2 / of);
  return { value: share, low: share === 0 ? 0 : centre - half, high: share === 1 ? 1 : centre + half, of };
}

export class ScoreCount {
  readonly #counts: Scores['counts'] = {
    requests: 0,
    answered: 0,
    triggered: 0,
    valid: 0,
    true_positive: 0,
    false_positive: 0,
    false_negative: 0,
    true_negative: 0,
  };
  #against: Scores['trigger_against'];

  /**
   * `reference`: the answer of the reference endpoint to the same request, which then decides instead of the label. If it
   * failed, nothing does.
   */
  add(probe: Probe, turn: Turn, reference?: Turn): void {
    const counts = this.#counts;
    counts.requests++;
    if (turn.failure !== undefined) return;
    counts.answered++;
    const triggered = isTriggered(turn);
    if (triggered) counts.triggered++;
    if (triggered && isValid(turn)) counts.valid++;
    if (reference && reference.failure !== undefined) return;
    const wanted = reference ? isTriggered(reference) : probe.label;
    if (wanted === undefined) return;
    this.#against = reference ? 'reference' : 'labels';
    if (triggered) counts[wanted ? 'true_positive' : 'false_positive']++;
    else counts[wanted ? 'false_negative' : 'true_negative']++;
  }

  scores(): Scores {
    const counts = { ...this.#counts };
    const { true_positive: hit, false_positive: extra, false_negative: missed } = counts;
    const precision = wilson(hit, hit + extra);
    const recall = wilson(hit, hit + missed);
    const f1 = 2 * hit + extra + missed > 0 ? (2 * hit) / (2 * hit + extra + missed) : undefined;
    return {
      ...member('success_rate', wilson(counts.answered, counts.requests)),
      ...member('schema_accuracy', wilson(counts.valid, counts.triggered)),
      ...member('trigger_precision', precision),
      ...member('trigger_recall', recall),
      ...member('trigger_f1', f1),
      ...member('trigger_against', this.#against),
      counts,
    };
  }
}

function member<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}

/** The finish reason says so; whether calls came is another question. */
function isTriggered({ audit, calls }: Turn): boolean {
  return audit?.triggered ?? calls.length > 0;
}

/** At least one call, and every one of a declared tool that has a schema, with arguments that fit it. */
function isValid({ calls, question }: Turn): boolean {
  const tools = question ? toolsOf(question) : [];
  return (
    calls.length > 0 &&
    calls.every(({ name, problem }) => {
      const schema = tools.find((tool) => tool.name === name)?.parameters;
      return problem === undefined && isObject(schema) && Object.keys(schema).length > 0;
    })
  );
}
