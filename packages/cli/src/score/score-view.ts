// The report of `dragoman score` on a terminal.

import {
  type ReportData,
  type ScoreData,
  type ScoreExample,
  scoreChecks,
  type VerdictCounts,
} from '@dragoman/convert';
import { count } from '../commands/report-words.js';
import { colors } from '../terminal.js';
import { cutTo, padTo, visibleLine, wrapWords } from '../visible-text.js';
import { checkWords, columnsOf, headline, issueLines, parserLines, rateOf, reasonOf } from './score-words.js';

export function showScore(report: ReportData, width: number): string {
  const { score } = report;
  const paint = score && score.right === score.outputs - score.unscored ? colors.green : colors.red;
  const head = wrapWords(headline(report), width).map((line) => paint(line));
  if (!score) return head.join('\n');
  const lines = [...parserLines(score), ...issueLines(report).map(visibleLine)];
  const sentences = lines.flatMap((line) => wrapWords(line, width));
  const parts = [
    [...head, ...sentences].join('\n'),
    dialectTable(score),
    errorTable(score, width),
    exampleList(score.examples, width),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const NAME = 17;
const CELL = 9;

function dialectTable(score: ScoreData): string {
  const names = Object.keys(score.dialects);
  const cells = (counts: VerdictCounts) =>
    columnsOf.map((key) => count(counts[key]).padStart(CELL)).join('') + rateOf(counts).padStart(CELL - 1);
  const line = (name: string, counts: VerdictCounts) =>
    `${padTo(cutTo(name, NAME - 1), NAME)}${cells(counts)}`.trimEnd();
  const title = `${padTo('dialect', NAME)}${columnsOf.map((key) => key.padStart(CELL)).join('')}`;
  return [
    colors.bold(title),
    ...names.map((name) => line(name, score.dialects[name] as VerdictCounts)),
    ...(names.length > 1 ? [line('all', score)] : []),
  ].join('\n');
}

function errorTable({ errors }: ScoreData, width: number): string {
  const rows = scoreChecks.filter((check) => errors.model[check] || errors.parser[check]);
  if (rows.length === 0) return '';
  const title = `${padTo('error', NAME)}${'model'.padStart(CELL)}${'parser'.padStart(CELL)}`;
  const left = NAME + 2 * CELL + 2;
  return [
    colors.bold(title),
    ...rows.map((check) => {
      const cells = [errors.model[check], errors.parser[check]].map((one) => count(one ?? 0).padStart(CELL));
      return `${padTo(check, NAME)}${cells.join('')}  ${colors.dim(cutTo(checkWords[check], width - left))}`;
    }),
  ].join('\n');
}

/** How many are shown; --json and --html have more. */
const SHOWN = 6;

function exampleList(examples: readonly ScoreExample[], width: number): string {
  const seen = new Set<string>();
  const first = examples.filter(({ verdict, check }) => {
    const key = `${verdict}:${check}`;
    return !seen.has(key) && seen.add(key);
  });
  return first
    .slice(0, SHOWN)
    .map(({ row, id, verdict, check, message, text }) => {
      const place = `row ${row}${id === undefined ? '' : ` (${id})`}`;
      const what = message === '' ? reasonOf(check) : message;
      const head = wrapWords(visibleLine(`${place}, ${verdict}, ${check}: ${what}`), width);
      return [...head, colors.dim(`  ${cutTo(visibleLine(text), width - 2)}`)].join('\n').trimEnd();
    })
    .join('\n');
}
