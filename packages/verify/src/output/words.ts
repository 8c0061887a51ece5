// The words and numbers that all reports share.

import type { Way } from '../compare.js';
import type { Latency } from '../latency.js';
import { isRight, type VerifyReport } from '../report.js';
import type { Rate, Scores } from '../scores.js';

export const wayWords: Record<Way, string> = {
  straight: 'straight',
  heal: 'through Dragoman, healing',
  emulate: 'through Dragoman, emulating',
};

export function percent(share: number): string {
  const value = share * 100;
  return `${value > 99.95 || value < 0.05 ? Math.round(value) : value.toFixed(1)} %`;
}

function rateText({ value, low, high, of }: Rate): string {
  return `${percent(value)} (${percent(low)} to ${percent(high)}, ${of} ${of === 1 ? 'answer' : 'answers'})`;
}

/** Names and values of the scores that could be counted. */
export function scoreLines(scores: Scores): [name: string, value: string][] {
  const rates: [string, Rate | undefined][] = [
    ['Success rate', scores.success_rate],
    ['Schema accuracy', scores.schema_accuracy],
    ['Trigger precision', scores.trigger_precision],
    ['Trigger recall', scores.trigger_recall],
  ];
  const against = scores.trigger_against === 'reference' ? 'the reference' : 'the labels of the suite';
  return [
    ...rates.flatMap(([name, rate]): [string, string][] => (rate ? [[name, rateText(rate)]] : [])),
    ...(scores.trigger_f1 === undefined
      ? []
      : ([['Trigger F1', `${percent(scores.trigger_f1)} (against ${against})`]] as [string, string][])),
  ];
}

export function timeLines({ first_byte, per_token, silence }: Latency): [name: string, value: string][] {
  const lines: [string, string][] = [];
  if (first_byte)
    lines.push(['First byte', `${milliseconds(first_byte.median)} (p90 ${milliseconds(first_byte.p90)})`]);
  if (per_token)
    lines.push(['Per token', `${milliseconds(per_token.median)} (p90 ${milliseconds(per_token.p90)})`]);
  if (silence)
    lines.push([
      'Longest silence',
      `${percent(silence.median)} of an answer’s time (p90 ${percent(silence.p90)})`,
    ]);
  return lines;
}

function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** The whole report in a sentence. */
export function verdictOf(report: VerifyReport): string {
  const count = (wanted: string) => report.checks.filter(({ status }) => status === wanted).length;
  const failed = count('fail');
  const warned = count('warn');
  const judged = report.checks.length - count('skipped');
  const some = `${failed} of ${judged} checks ${failed === 1 ? 'fails' : 'fail'}`;
  const warnings = warned > 0 ? `, ${warned} with a warning` : '';
  if (judged === 0) return 'Nothing was judged: no answer is there.';
  if (failed === 0) return `All ${judged} checks pass${warnings}.`;
  return isRight(report) ? `${some}, none of them required.` : `${some}.`;
}
