// Scores answers to the frozen test: node score.js <answers> [failures]
// `answers` is JSON: the id of each question with the tokens or the text that was written for it.

import { readFileSync, writeFileSync } from 'node:fs';
import { type Dialect, dialects, parse } from '@dragoman/core';
import { END } from '@dragoman/tiny';
import type { Answer, Answers } from './answers.js';
import { type Question, questionsOf } from './frozen-test.js';
import { END_ID, Tokenizer, type Vocabulary } from './tokenizer.js';

interface Counts {
  calls: number;
  readable: number;
  tool: number;
  exact: number;
  repaired: number;
  others: number;
  right: number;
}

const [file = 'answers.json', failures] = process.argv.slice(2);
const vocabulary = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
const tokenizer = new Tokenizer(JSON.parse(vocabulary) as Vocabulary);
const answers = JSON.parse(readFileSync(file, 'utf8')) as Answers;
const groups = new Map<string, Counts>();
const failed: string[] = [];

for (const dialect of dialects)
  for (const question of questionsOf(dialect, (id) => answers[id] !== undefined)) {
    const counts = scored(dialect, question, answers[question.id] as Answer);
    const { split, language, source } = question.sample;
    for (const group of [
      split,
      `${split}, ${language === 'zh' ? 'Chinese' : 'English'}`,
      `${split}, ${source}`,
      `${split}, ${question.form}`,
    ])
      add(group, counts);
    add(`  ${dialect.name}`, counts);
  }

print();
if (failures !== undefined) writeFileSync(failures, failed.join('\n'));

function scored(dialect: Dialect, question: Question, given: Answer): Counts {
  const { written, ended } = writtenOf(given);
  const text = withoutStop(dialect, written);
  const { tools, expected, messages, split } = question.sample;
  const counts: Counts = { calls: 0, readable: 0, tool: 0, exact: 0, repaired: 0, others: 0, right: 0 };
  const isWrong = (wanted: unknown, got: unknown) => {
    const asked = messages.at(-1)?.content;
    failed.push(JSON.stringify({ id: question.id, split, asked, wanted, got, text }));
  };
  if (expected.length === 0) {
    counts.others = 1;
    const answer = question.answer.map((piece) => piece.text).join('');
    const wanted = withoutStop(dialect, answer.replace(END, ''));
    if (ended && text === wanted) counts.right = 1;
    else isWrong(wanted, text);
    return counts;
  }
  const { calls, issues, repairs } = parse(question.dialect, text, { tools, thinking: question.isThinking });
  const got = calls.map(({ name, input }) => ({ name, input }));
  counts.calls = 1;
  counts.readable = Number(calls.length > 0 && issues.length === 0 && ended);
  counts.repaired = Number(repairs.length > 0);
  counts.tool = Number(
    same(
      got.map(({ name }) => name),
      expected.map(({ name }) => name),
    ),
  );
  counts.exact = Number(ended && same(got, expected));
  if (counts.exact === 0) isWrong(expected, got);
  return counts;
}

function writtenOf(given: Answer): { written: string; ended: boolean } {
  if (typeof given === 'string') return { written: given, ended: true };
  if ('text' in given) return { written: given.text, ended: !given.isCut };
  const end = given.indexOf(END_ID);
  return { written: tokenizer.decode(end < 0 ? given : given.slice(0, end)), ended: end >= 0 };
}

/** Takes the end token of the dialect away: engines end an answer there and leave it out. */
function withoutStop({ render }: Dialect, text: string): string {
  const stop = render.stop.find((end) => text.endsWith(end));
  return (stop === undefined ? text : text.slice(0, -stop.length)).trimEnd();
}

/** Whether two values are the same, whatever the order of members. */
function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left, sorted) === JSON.stringify(right, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function add(group: string, counts: Counts): void {
  const all = groups.get(group);
  if (!all) groups.set(group, { ...counts });
  else for (const key of Object.keys(counts) as (keyof Counts)[]) all[key] += counts[key];
}

function print(): void {
  const share = (part: number, all: number) => (all === 0 ? '–' : ((100 * part) / all).toFixed(1));
  console.log('| group | calls | readable | right tool | exact | repaired | other answers | right |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [group, { calls, readable, tool, exact, repaired, others, right }] of [...groups].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  )) {
    const cells = [
      group.trim(),
      calls,
      share(readable, calls),
      share(tool, calls),
      share(exact, calls),
      share(repaired, calls),
      others,
      share(right, others),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
