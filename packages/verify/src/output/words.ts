// The words and numbers that all reports share.

import type { Compared, Way } from '../compare.js';
import type { Latency } from '../latency.js';
import { isRight, type ReadAnswer, type VerifyReport } from '../report.js';
import type { Rate, Scores } from '../scores.js';

export const wayWords: Record<Way, string> = {
  straight: 'straight',
  heal: 'through Dragoman, healing',
  emulate: 'through Dragoman, emulating',
};

function percent(share: number): string {
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

export const retriedWords = (count: number): string =>
  `${count} ${count === 1 ? 'request' : 'requests'}, because the endpoint failed for a moment or the connection was lost`;

/** What came, as a client reads it: a name and a value a line. */
export function answerLines({
  reasoning,
  text,
  calls = [],
  finish,
}: ReadAnswer): [name: string, value: string][] {
  const lines: [string, string][] = [];
  if (reasoning !== undefined) lines.push(['reasoning', reasoning]);
  if (text !== undefined) lines.push(['text', text]);
  for (const { name, arguments: given } of calls) lines.push(['call', `${name} ${given}`]);
  if (lines.length === 0) lines.push(['text', '(nothing)']);
  return finish === undefined ? lines : [...lines, ['ended', finish]];
}

/** The whole report in a sentence. */
export function verdictOf(report: VerifyReport): string {
  const count = (wanted: string) => report.checks.filter(({ status }) => status === wanted).length;
  const failed = count('fail');
  const warned = count('warn');
  const judged = report.checks.length - count('skipped');
  const skipped = count('skipped');
  const some = `${failed} of ${judged} checks ${failed === 1 ? 'fails' : 'fail'}${skipped > 0 ? `, ${skipped} cannot be judged` : ''}`;
  const warnings = warned > 0 ? `, ${warned} with a warning` : '';
  if (report.lost !== undefined) return lostWords(report, report.lost);
  if (judged === 0) return 'Nothing was judged: no answer is there.';
  if (report.stopped) return `${unfinishedWords(report)} ${failed === 0 ? 'None fails so far' : some}.`;
  if (failed === 0)
    return isRight(report)
      ? `All ${judged} checks pass${warnings}.`
      : `No check fails, but required ones cannot be judged: ${skippedRequired(report).join(', ')}.`;
  return isRight(report) ? `${some}, none of them required.` : `${some}.`;
}

function skippedRequired({ checks }: VerifyReport): string[] {
  return checks.flatMap(({ id, required, status }) => (required && status === 'skipped' ? [id] : []));
}

function unfinishedWords({ requests: { done, planned }, checks, unjudged = [] }: VerifyReport): string {
  const open = checks.filter(({ id, status }) => status === 'skipped' || unjudged.includes(id)).length;
  return `The run is not finished: ${done} of ${planned} probes were answered, ${open} of ${checks.length} checks are not judged, or not with all of their probes.`;
}

function lostWords({ requests: { done, planned } }: VerifyReport, reason: string): string {
  return `The endpoint stopped answering after ${done} of ${planned} probes: ${reason}`;
}

/** The checks that a run which was stopped has not judged, or not wholly; '': none. */
export function unjudgedWords({ unjudged = [] }: VerifyReport): string {
  return unjudged.length === 0 ? '' : `Not judged, or not with all probes: ${unjudged.join(', ')}.`;
}

// --- straight and through Dragoman ---------------------------------------------------------------------------

/** What Dragoman would mend on this endpoint, and what it costs, in a sentence or two. */
export function mendedWords({ compared = [], endpoint }: VerifyReport): string {
  const [straight, ...others] = compared;
  const failed = failing(straight);
  const [best] = others.map((one) => changeOf(failed, one)).sort((a, b) => b.gain - a.gain);
  if (!straight || !best) return '';
  return [mends(failed, best), costs(straight, best.one), leftOut(endpoint.gateway)]
    .filter(Boolean)
    .join(' ');
}

interface Change {
  one: Compared;
  mended: string[];
  broken: string[];
  gain: number;
}

const failing = (one: Compared | undefined): string[] =>
  one?.checks.flatMap(({ id, status }) => (status === 'fail' ? [id] : [])) ?? [];

/** A check that is skipped is not mended: no answer shows it. */
function changeOf(failed: readonly string[], one: Compared): Change {
  const holds = one.checks.filter(({ status }) => status === 'pass' || status === 'warn').map(({ id }) => id);
  const mended = failed.filter((id) => (holds as string[]).includes(id));
  const broken = failing(one).filter((id) => !failed.includes(id));
  return { one, mended, broken, gain: mended.length - broken.length };
}

function mends(failed: readonly string[], { one: { way, dialect }, mended, broken }: Change): string {
  if (failed.length === 0) return 'Nothing fails straight: Dragoman has nothing to mend here.';
  if (mended.length === 0) return `Dragoman mends none of what fails here (${failed.join(', ')}).`;
  const how = `${way === 'heal' ? 'healing' : 'emulating'}${dialect === undefined ? '' : ` in ${dialect}`}`;
  const rest = failed.length === mended.length ? 'all that fails' : `${mended.length} of ${failed.length}`;
  const but =
    broken.length === 0 ? '' : ` Then ${broken.join(', ')} ${broken.length === 1 ? 'fails' : 'fail'}.`;
  return `Dragoman mends ${rest} here by ${how}: ${mended.join(', ')}.${but}`;
}

function costs(straight: Compared, { way, tokens, latency }: Compared): string {
  const parts: string[] = [];
  const [before, after] = [straight.tokens, tokens];
  if (before && after) {
    const more = (after.input + after.output) / (before.input + before.output) - 1;
    parts.push(`${percent(Math.abs(more))} ${more < 0 ? 'fewer' : 'more'} tokens an answer`);
  }
  const [first, then] = [straight.latency.first_byte?.median, latency.first_byte?.median];
  if (first !== undefined && then !== undefined) parts.push(`${signed(then - first)} to the first byte`);
  return parts.length === 0 ? '' : `The cost (${way}): ${parts.join(', ')}.`;
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${milliseconds(Math.abs(value))}`;

function leftOut(gateway: string | undefined): string {
  return gateway === 'emulate'
    ? 'The endpoint is a Dragoman gateway that emulates already, so emulating once more is left out.'
    : '';
}

/** What fails through Dragoman, and why. */
export function comparedFaults([, ...others]: readonly Compared[]): string[] {
  return others.flatMap(({ way, checks }) =>
    checks.flatMap(({ id, message }) => (message === undefined ? [] : [`${way}: ${id} fails: ${message}`])),
  );
}

/** The rows below the checks: a name, and a value for each way. */
export function comparedRows(compared: readonly Compared[]): [name: string, values: string[]][] {
  const row = (name: string, value: (one: Compared) => string | undefined): [string, string[]] => [
    name,
    compared.map((one) => value(one) ?? ''),
  ];
  return [
    row('Schema accuracy', ({ scores: { schema_accuracy: rate } }) => rate && percent(rate.value)),
    row('Trigger F1', ({ scores: { trigger_f1: f1 } }) => (f1 === undefined ? undefined : percent(f1))),
    row('First byte', ({ latency: { first_byte: first } }) => first && milliseconds(first.median)),
    row('Input tokens', ({ tokens }) => tokens?.input.toFixed(0)),
    row('Output tokens', ({ tokens }) => tokens?.output.toFixed(0)),
  ];
}
