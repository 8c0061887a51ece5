// The report of a verification for people: the worst first, each failure with what was sent, what came, and what to do.

import { engineOf } from '@dragoman/core/bridge';
import {
  answerLines,
  type CheckResult,
  type CheckStatus,
  type Compared,
  comparedFaults,
  comparedRows,
  differs,
  type Example,
  isRight,
  mendedWords,
  retriedWords,
  scoreLines,
  timeLines,
  unjudgedWords,
  type VerifyReport,
  verdictOf,
  wayWords,
  worstFirst,
} from '@dragoman/verify';
import { showText } from '../explain/text-view.js';
import { colors } from '../terminal.js';
import { cutTo, indent, padTo, visibleLine, wrapWords } from '../visible-text.js';

const paints: Record<CheckStatus, (text: string) => string> = {
  fail: (text) => colors.red(text),
  warn: (text) => colors.yellow(text),
  pass: (text) => colors.green(text),
  skipped: (text) => colors.dim(text),
};

export function showReport(report: VerifyReport, width: number): string {
  const sorted = worstFirst(report);
  const open = sorted.filter(({ status }) => status === 'fail' || status === 'warn');
  const parts = [
    head(report, width),
    sorted.map((check) => row(check, width)).join('\n'),
    ...(report.compared ? [showCompared(report, report.compared, width)] : []),
    [...scoreLines(report.scores), ...timeLines(report.latency)]
      .map(([name, value]) => `${padTo(name, 18)} ${value}`)
      .join('\n'),
    ...open.map((check) => details(check, width)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function head(report: VerifyReport, width: number): string {
  const { endpoint, requests, stopped, date, version } = report;
  const engine = engineOf(endpoint.engine)?.title;
  const where = `${visibleLine(endpoint.model)} at ${visibleLine(endpoint.url)} (${endpoint.api}${engine ? `, ${engine}` : ''})`;
  const paint = isRight(report) ? colors.green : colors.red;
  const early = stopped
    ? [`Stopped: ${requests.done} of ${requests.planned} probes were answered.`, unjudgedWords(report)]
    : [];
  const again = requests.retried === undefined ? [] : [`Sent again: ${retriedWords(requests.retried)}.`];
  return [
    ...wrapWords(where, width).map((line) => colors.bold(line)),
    ...wrapWords(verdictOf(report), width).map((line) => paint(line)),
    ...again.flatMap((line) => wrapWords(line, width)).map((line) => colors.yellow(line)),
    colors.dim(`${visibleLine(date)}, @dragoman/verify ${version}`),
    ...early.flatMap((line) => wrapWords(line, width)).map((line) => colors.yellow(line)),
  ].join('\n');
}

const STATUS = 8;
const ID = 24;
const COUNT = 9;

function row({ id, status, passed, of, title, required, reason }: CheckResult, width: number): string {
  const count = of > 0 ? `${passed}/${of}` : '';
  const words = reason ?? `${title}${required ? '' : ' (not required)'}`;
  const space = width - STATUS - ID - COUNT;
  const shown = cutTo(words, space);
  const cut = shown.length < words.length ? `${cutTo(words, space - 1)}…` : shown;
  const rest = space > 20 ? colors.dim(cut) : '';
  return `${paints[status](padTo(status, STATUS))}${padTo(id, ID)}${padTo(count, COUNT)}${rest}`.trimEnd();
}

// --- one check -----------------------------------------------------------------------------------------------

function details({ id, title, status, examples, advice }: CheckResult, width: number): string {
  const shown = examples.map((example) => indent(showExample(example, width - 2), 2));
  return [
    ...heading(id, title, status, width),
    ...shown,
    ...(advice === undefined ? [] : [indent(paragraphs(`What to do: ${advice}`, width - 2), 2)]),
  ].join('\n');
}

function heading(id: string, title: string, status: CheckStatus, width: number): string[] {
  const [first = '', ...rest] = wrapWords(`${id}: on a right endpoint, it ${title}.`, width);
  return [paints[status](colors.bold(id)) + first.slice(id.length), ...rest];
}

function paragraphs(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapWords(line, width))
    .join('\n');
}

/** How much of a request and of an answer is shown; `--json` and `--html` have more. */
const SHOWN = 3;

function showExample(example: Example, width: number): string {
  const { probe, message, request, response, answer, reading } = example;
  const lines = wrapWords(`${visibleLine(message)} (${visibleLine(probe)})`, width);
  const read = reading
    ? [showText({ text: reading.text, spans: reading.spans, faults: [], mended: [] }, width)]
    : answer
      ? answerLines(answer).map(([name, value]) => labelled(name, value, width))
      : [labelled('came', response, width)];
  return [...lines, labelled('sent', request, width), ...read].filter((line) => line !== '').join('\n');
}

const LABEL = 10;

function labelled(label: string, text: string, width: number): string {
  if (text === '') return '';
  const line = visibleLine(text);
  const shown = cutTo(line, SHOWN * (width - LABEL));
  const more = shown.length < line.length ? '…' : '';
  const rows: string[] = [];
  for (let rest = shown + more; rest !== ''; ) {
    const piece = cutTo(rest, width - LABEL) || rest.slice(0, 2);
    rows.push(piece);
    rest = rest.slice(piece.length);
  }
  return rows.map((piece, at) => `${colors.dim(padTo(at === 0 ? label : '', LABEL))}${piece}`).join('\n');
}

// --- straight and through Dragoman ---------------------------------------------------------------------------

const CELL = 18;

function showCompared(report: VerifyReport, compared: readonly Compared[], width: number): string {
  const ids = compared[0]?.checks.map(({ id }) => id) ?? [];
  const titles = compared.map(({ way }) => way);
  const rows = ids
    .filter((id) => differs(id, compared))
    .map((id) => {
      const cells = compared.map(({ checks }) => {
        const { status = 'skipped', passed = 0, of = 0 } = checks.find((check) => check.id === id) ?? {};
        return paints[status](padTo(`${status}${of > 0 ? ` ${passed}/${of}` : ''}`, CELL));
      });
      return `${padTo(id, ID)}${cells.join('')}`.trimEnd();
    });
  const values = comparedRows(compared).map(([name, cells]) =>
    `${padTo(name, ID)}${cells.map((cell) => padTo(cell, CELL)).join('')}`.trimEnd(),
  );
  const ways = compared.map(({ way, dialect }) => `${way}: ${wayWords[way]}${dialect ? `, ${dialect}` : ''}`);
  return [
    colors.bold('Straight, and through Dragoman'),
    ...wrapWords(mendedWords(report), width),
    ...wrapWords(`${ways.join('; ')}.`, width),
    `${' '.repeat(ID)}${titles.map((title) => colors.bold(padTo(title, CELL))).join('')}`.trimEnd(),
    ...(rows.length > 0 ? rows : ['Every check has the same result in all of them.']),
    ...values,
    ...comparedFaults(compared).flatMap((line) => wrapWords(visibleLine(line), width)),
  ].join('\n');
}
