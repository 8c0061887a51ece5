// What the reports of `dragoman score` say, on the terminal and on the page.

import {
  meaningOfCode,
  type ReportData,
  type ScoreCheck,
  type ScoreData,
  type VerdictCounts,
} from '@dragoman/convert';
import { count, firstPlace, many } from '../commands/report-words.js';

export const checkWords: Record<ScoreCheck, string> = {
  count: 'another number of calls',
  name: 'another tool, or none that was offered',
  arguments: 'other values than expected',
  schema: "values that the tool's schema forbids",
  leak: 'a call is left in the text',
};

const reasonWords: Record<string, string> = {
  'no-output': 'no raw text is recorded',
  'no-target': 'neither tools nor expected calls are recorded',
  'not-joined': 'the question or the answer of its id is missing: --join them',
  'several-turns': 'the calls would have to be run',
  'other-language': 'values are written in Java or JavaScript',
};

export function reasonOf(code: string): string {
  return reasonWords[code] ?? code;
}

export const columnsOf = ['outputs', 'right', 'repaired', 'model', 'parser', 'unscored'] as const;

/** Of the scored outputs; empty if there are none. */
export function rateOf({ right, outputs, unscored }: VerdictCounts): string {
  const scored = outputs - unscored;
  return scored === 0 ? '' : `${((right / scored) * 100).toFixed(1)} %`;
}

export function headline({ rows, badRows, score }: ReportData): string {
  if (!score) return `${many(rows, 'row')}, nothing was scored${aside(badRows)}.`;
  const scored = score.outputs - score.unscored;
  const rate = rateOf(score);
  return `${count(score.right)} of ${count(scored)} outputs are right${rate === '' ? '' : ` (${rate})`}, ${many(score.model, 'error')} of the model, ${score.parser} of a parser${aside(badRows)}.`;
}

function aside(badRows: number): string {
  return badRows > 0 ? `, ${many(badRows, 'row')} set aside` : '';
}

/** What is to know of the parsers, in sentences. */
export function parserLines({ by, reader, readsAs, unscored, reasons }: ScoreData): string[] {
  const others = Object.entries(readsAs).sort(([, one], [, other]) => other - one);
  return [
    ...(reader.of > 0
      ? [
          `The engine read ${count(reader.right)} of ${count(reader.of)} outputs right; ${count(by.engine)} that it got wrong are right here.`,
        ]
      : []),
    ...(by.dragoman > 0 && others.length === 0
      ? [`${count(by.dragoman)} outputs that the engine read right are wrong here.`]
      : []),
    ...(others.length > 0
      ? [
          `Right in another dialect: ${others.map(([name, number]) => `${name} (${count(number)})`).join(', ')}.`,
        ]
      : []),
    ...(unscored > 0
      ? [
          `Unscored: ${Object.entries(reasons)
            .map(([code, number]) => `${count(number)} (${reasonOf(code)})`)
            .join(', ')}.`,
        ]
      : []),
  ];
}

/** What was noted of the rows when they were read, a line for each code. */
export function issueLines({ issues }: ReportData): string[] {
  return Object.entries(issues).map(([code, { count: number, example }]) => {
    return `${code} (${count(number)}, ${firstPlace(example)}): ${meaningOfCode('issue', code) ?? ''}`;
  });
}
