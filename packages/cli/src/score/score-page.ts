// The report of `dragoman score` as one page that needs nothing else: no script, no request, everything from outside
// escaped.

import {
  type ReportData,
  type ScoreData,
  type ScoreExample,
  scoreChecks,
  type VerdictCounts,
} from '@dragoman/convert';
import { escapeHtml, reportPage } from '@dragoman/verify';
import { count } from '../commands/report-words.js';
import { checkWords, columnsOf, headline, issueLines, parserLines, rateOf, reasonOf } from './score-words.js';

export function scorePage(report: ReportData, inputs: readonly string[]): string {
  const { score } = report;
  const isRight = score !== undefined && score.model + score.parser === 0 && report.badRows === 0;
  const body = `<h1>Scores of recorded tool calls</h1>
<p class="verdict ${isRight ? 'pass' : 'fail'}">${escapeHtml(headline(report))}</p>
<p class="soft">${escapeHtml(inputs.length === 0 ? 'standard input' : inputs.join(', '))}</p>
${score ? details(score, issueLines(report)) : ''}`;
  return reportPage('Scores of recorded tool calls', body);
}

function details(score: ScoreData, issues: readonly string[]): string {
  return `${[...parserLines(score), ...issues].map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<h2>By dialect</h2>
${dialectTable(score)}
<h2>By error</h2>
${errorTable(score)}
${score.examples.length > 0 ? `<h2>Examples</h2>\n${score.examples.map(exampleOf).join('\n')}` : ''}`;
}

/** Roles are given, because the style lays rows of a narrow page out as grids, which are no rows of a table by themselves. */
function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  label: string,
  kind: 'counts' | 'errors',
): string {
  const head = heads.map((one) => `<th role="columnheader">${escapeHtml(one)}</th>`).join('');
  const cell = (text: string, at: number) =>
    `<td role="cell" data-head="${escapeHtml(heads[at] ?? '')}">${escapeHtml(text)}</td>`;
  const body = rows.map((row) => `<tr role="row">${row.map(cell).join('')}</tr>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="${kind}" role="table">
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body.join('\n')}</tbody></table></div>`;
}

function dialectTable(score: ScoreData): string {
  const line = (name: string, counts: VerdictCounts) => [
    name,
    ...columnsOf.map((key) => count(counts[key])),
    rateOf(counts),
  ];
  const rows = Object.entries(score.dialects).map(([name, counts]) => line(name, counts));
  return table(['dialect', ...columnsOf, 'rate'], [...rows, line('all', score)], 'By dialect', 'counts');
}

function errorTable({ errors }: ScoreData): string {
  const rows = scoreChecks.map((check) => [
    check,
    count(errors.model[check] ?? 0),
    count(errors.parser[check] ?? 0),
    checkWords[check],
  ]);
  return table(['error', 'model', 'parser', 'meaning'], rows, 'By error', 'errors');
}

function exampleOf({ row, id, verdict, check, message, dialect, text }: ScoreExample): string {
  const status = verdict === 'unscored' ? 'skipped' : 'fail';
  const place = `row ${row}${id === undefined ? '' : ` (${id})`}`;
  return `<section class="check ${status}"><h3><span class="status ${status}">${verdict}</span> ${escapeHtml(check)}, ${escapeHtml(place)}</h3>
<p>${escapeHtml(message === '' ? reasonOf(check) : message)}${dialect === undefined ? '' : ` <span class="soft">(${escapeHtml(dialect)})</span>`}</p>
<pre tabindex="0">${escapeHtml(text)}</pre></section>`;
}
