// The report as one page that needs nothing else: no script, no request, everything from outside escaped.

import { engineOf } from '@dragoman/core/bridge';
import type { CheckId } from '../check.js';
import type { Compared } from '../compare.js';
import type { Reading } from '../reading.js';
import { type CheckResult, type Example, isRight, type VerifyReport, worstFirst } from '../report.js';
import { escapeHtml } from './escape.js';
import { reportPage } from './page.js';
import { growthPlot, passRates } from './plots.js';
import {
  answerLines,
  comparedFaults,
  comparedRows,
  mendedWords,
  retriedWords,
  scoreLines,
  timeLines,
  verdictOf,
  wayWords,
} from './words.js';

export function htmlReport(report: VerifyReport): string {
  const { endpoint, latency, compared } = report;
  const sorted = worstFirst(report);
  const open = sorted.filter(({ status }) => status === 'fail' || status === 'warn');
  const title = `Tool calls of ${endpoint.model}`;
  return reportPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p class="verdict ${isRight(report) ? 'pass' : 'fail'}">${escapeHtml(verdictOf(report))}</p>
${facts(report)}
<h2>Checks</h2>
${checkTable(sorted)}
${open.length > 0 ? `<h2>What is wrong, and what to do</h2>\n${open.map(checkSection).join('\n')}` : ''}
${compared ? comparison(report, compared) : ''}
<h2>Scores</h2>
${list(scoreLines(report.scores))}
<h2>Times</h2>
${list(timeLines(latency))}
${latency.growth ? growthPlot(latency.growth) : ''}
<h2>Pass rates</h2>
${passRates(sorted)}`,
  );
}

function facts(report: VerifyReport): string {
  const { endpoint, suite, seed, runs, requests, stopped, date, version } = report;
  const engine = engineOf(endpoint.engine)?.title ?? 'not recognised';
  const unjudged = (report.unjudged ?? []).join(', ');
  const done = `${requests.done} of ${requests.planned}${stopped ? ', stopped early' : ''}`;
  return list([
    ['Endpoint', endpoint.url],
    ['API', endpoint.api],
    ['Engine', engine],
    ['Suite', `${suite}, seed ${seed}, ${runs} ${runs === 1 ? 'run' : 'runs'}`],
    ['Probes', done],
    ...(unjudged === '' ? [] : [['Not judged', unjudged] as [string, string]]),
    ...(requests.retried === undefined
      ? []
      : [['Sent again', retriedWords(requests.retried)] as [string, string]]),
    ['Date', date],
    ['Version', `@dragoman/verify ${version}`],
  ]);
}

function list(lines: readonly [string, string][]): string {
  if (lines.length === 0) return '<p class="soft">Nothing was counted.</p>';
  const items = lines.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>${items.join('\n')}</dl>`;
}

const status = (word: string) => `<span class="status ${word}">${word}</span>`;

function checkTable(checks: readonly CheckResult[]): string {
  const rows = checks.map(
    ({
      id,
      title,
      status: word,
      passed,
      of,
      required,
      reason,
    }) => `<tr><td>${status(word)}</td><td>${id}${reason ? `<span class="narrow soft">${escapeHtml(reason)}</span>` : ''}</td>
<td>${of > 0 ? `${passed}/${of}` : ''}</td><td class="title">${escapeHtml(title)}${required ? '' : ' <span class="soft">(not required)</span>'}${reason ? `<br><span class="soft">${escapeHtml(reason)}</span>` : ''}</td></tr>`,
  );
  return `<table><thead><tr><th>Status</th><th>Check</th><th>Passed</th><th class="title">On a right endpoint, it</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}

function checkSection({ id, status: word, title, advice, examples }: CheckResult): string {
  return `<section class="check ${word}"><h3>${status(word)} ${id}: ${escapeHtml(title)}</h3>
${advice === undefined ? '' : `<p class="advice">${escapeHtml(advice)}</p>`}
${examples.map(exampleOf).join('\n')}</section>`;
}

function exampleOf({ probe, message, request, response, answer, reading }: Example): string {
  return `<p>${escapeHtml(message)} <span class="soft">(${escapeHtml(probe)})</span></p>
${reading ? `<pre tabindex="0" role="group" aria-label="The text, read as ${escapeHtml(reading.dialect)}">${coloured(reading)}</pre>` : ''}
${answer ? list(answerLines(answer).filter(([name]) => !(reading && name === 'text'))) : ''}
${fold('The request', request)}
${fold('What came', response)}`;
}

function fold(title: string, text: string): string {
  return text === ''
    ? ''
    : `<details><summary>${title}</summary><pre tabindex="0">${escapeHtml(text)}</pre></details>`;
}

function coloured({ text, spans }: Reading): string {
  return spans
    .map(({ start, end, role }) => `<span class="${role}">${escapeHtml(text.slice(start, end))}</span>`)
    .join('');
}

// --- straight and through Dragoman ---------------------------------------------------------------------------

function comparison(report: VerifyReport, compared: readonly Compared[]): string {
  const heads = compared.map(({ way, dialect }) => {
    return `<th>${escapeHtml(wayWords[way])}${dialect === undefined ? '' : ` (${escapeHtml(dialect)})`}</th>`;
  });
  const ids = compared[0]?.checks.map(({ id }) => id) ?? [];
  const rows = [
    ...ids.filter((id) => differs(id, compared)).map((id) => checkRow(id, compared)),
    ...comparedRows(compared).map(([name, values]) => valueRow(name, values)),
  ];
  return `<h2>Straight, and through Dragoman</h2>
<p>${escapeHtml(mendedWords(report))}</p>
<p class="soft">Checks with the same result everywhere are left out.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Comparison"><table><thead><tr><th>Check</th>${heads.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
${comparedFaults(compared)
  .map((line) => `<p class="soft">${escapeHtml(line)}</p>`)
  .join('\n')}`;
}

export function differs(id: CheckId, compared: readonly Compared[]): boolean {
  const found = compared.map(({ checks }) => checks.find((check) => check.id === id)?.status);
  return new Set(found).size > 1;
}

function checkRow(id: CheckId, compared: readonly Compared[]): string {
  const cells = compared.map(({ checks }) => {
    const { status: word = 'skipped', passed = 0, of = 0 } = checks.find((check) => check.id === id) ?? {};
    return `<td>${status(word)} ${of > 0 ? `${passed}/${of}` : ''}</td>`;
  });
  return `<tr><td>${id}</td>${cells.join('')}</tr>`;
}

function valueRow(name: string, values: readonly string[]): string {
  return `<tr><td>${name}</td>${values.map((value) => `<td>${escapeHtml(value)}</td>`).join('')}</tr>`;
}
