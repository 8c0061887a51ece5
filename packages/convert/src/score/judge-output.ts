// Reads a recorded output again, and decides who was wrong: nobody, the model, or the parser.

import type { Dialect, ParsedAnswer, Tool } from '@dragoman/core';
import { all, parse, parseExact, rankReadings, toolsByName } from '@dragoman/core/internal';
import type { FoundCall } from './calls.js';
import { type CheckedReading, checkCalls, checkReading, leakIn, type ScoreError } from './check-calls.js';
import type { Expected } from './expected.js';

/** `unscored`: no raw text is recorded, or the layout cannot judge it; `reason` says which. */
export type Verdict = 'right' | 'model' | 'parser' | 'unscored';

/** One output of a model, as its layout has it. */
export interface Output {
  /** The raw text of each turn. Calls of all turns count. */
  texts: readonly string[];
  tools: readonly Tool[];
  expected: Expected | undefined;
  /** The engine's own reading, where it was recorded. */
  reader: CheckedReading | undefined;
  /** Undefined: every dialect is tried, and the one that reads most is taken. */
  dialect: Dialect | undefined;
  /** Whether the prompt ended inside the reasoning. */
  thinking: boolean;
}

export interface Judged {
  verdict: Verdict;
  /** The name of the dialect it was read in; undefined if nothing was read, or no dialect recognises a call. */
  dialect?: string;
  /** What is wrong: with the reading of the parser that erred, or with what the model wrote. */
  errors: ScoreError[];
  /** Of a parser error: who erred. `dragoman`: read in this dialect, not in the engine. */
  by?: 'engine' | 'dragoman';
  /** The dialect in which the same text is read right, and whether its prompt ended inside the reasoning. */
  readsAs?: { dialect: string; thinking: boolean };
  /** Whether the engine's own reading is right; absent if it was not recorded. */
  readerRight?: boolean;
  calls: { name: string; raw: string }[];
  /** Each code once. */
  issues: string[];
  repairs: string[];
  /** Why it is unscored. */
  reason?: string;
}

export function judgeOutput(output: Output): Judged {
  const { expected, tools, reader } = output;
  const dialect = output.dialect ?? likeliest(output);
  const answers = readAll(output, dialect ?? plainDialect(), output.thinking);
  const leak = leakIn(leftIn(answers), expected, tools);
  const errors = [...checkCalls(callsOf(answers), expected, tools), ...(leak ? [leak.error] : [])];
  const base: Pick<Judged, 'calls' | 'issues' | 'repairs' | 'dialect'> = {
    ...(dialect && { dialect: dialect.name }),
    calls: answers.flatMap(({ calls }) => calls.map(({ name, raw }) => ({ name, raw }))),
    issues: codesOf(answers.flatMap(({ issues }) => issues)),
    repairs: codesOf(answers.flatMap(({ repairs }) => repairs)),
  };
  const readerErrors = reader && checkReading(reader, expected, tools);
  const compared = readerErrors && { readerRight: readerErrors.length === 0 };
  if (errors.length === 0)
    return readerErrors?.length
      ? { verdict: 'parser', errors: readerErrors, by: 'engine', ...compared, ...base }
      : { verdict: 'right', errors, ...compared, ...base };
  if (readerErrors?.length === 0 && reader && isProof(reader, errors))
    return { verdict: 'parser', errors, by: 'dragoman', ...compared, ...base };
  const readsAs = betterReading(output, dialect, base.calls.length, leak?.source);
  return readsAs
    ? { verdict: 'parser', errors, by: 'dragoman', readsAs, ...compared, ...base }
    : { verdict: 'model', errors, ...compared, ...base };
}

function readAll({ texts, tools }: Output, dialect: Dialect, thinking: boolean): ParsedAnswer[] {
  const known = toolsByName(tools);
  return texts.map((text) => parse(dialect, text, { tools: known, thinking }));
}

/**
 * Whether an engine that is right shows that these errors are of the reading here. One that read no call does not:
 * where none is due, it is right about every text. One whose text is unknown may have left the same call in it.
 */
function isProof({ calls, texts }: CheckedReading, errors: readonly ScoreError[]): boolean {
  return calls.length > 0 && (texts !== undefined || errors.some(({ check }) => check !== 'leak'));
}

function callsOf(answers: readonly ParsedAnswer[]): FoundCall[] {
  return answers.flatMap(({ calls }) => calls.map(({ name, raw }) => ({ name, input: exactInput(raw) })));
}

function exactInput(raw: string): FoundCall['input'] {
  return parseExact(raw) as FoundCall['input'];
}

/** Text that a dialect sets aside behind the calls is included: a call in it is lost like any other. */
function leftIn(answers: readonly ParsedAnswer[]): { texts: string[]; thoughts: string[] } {
  const texts = answers.flatMap((answer) => textsOfType(answer, 'text'));
  return { texts, thoughts: unclosedReasoning(answers) };
}

/** The reasoning of the answers that never close it. */
function unclosedReasoning(answers: readonly ParsedAnswer[]): string[] {
  const unclosed = answers.filter(
    ({ parts, repairs }) =>
      parts.at(-1)?.type === 'reasoning' || repairs.some(({ code }) => code === 'call-in-reasoning'),
  );
  return unclosed.flatMap((answer) => textsOfType(answer, 'reasoning'));
}

function textsOfType({ parts }: ParsedAnswer, type: 'text' | 'reasoning'): string[] {
  return parts.flatMap((part) => (part.type === type ? [part.text] : []));
}

function codesOf(notes: readonly { code: string }[]): string[] {
  return [...new Set(notes.map(({ code }) => code))].sort();
}

// --- other dialects --------------------------------------------------------------------------------------------

/** The most text that is read in all dialects, in characters. */
const MOST_READ = 256 * 1024;

function likeliest({ texts, tools, thinking }: Output): Dialect | undefined {
  const text = texts.find((one) => one.trim() !== '');
  if (text === undefined) return undefined;
  const options = { tools, ...(thinking && { thinking }) };
  return rankReadings(all.dialects, text.slice(0, MOST_READ), options).fitting[0]?.dialect;
}

/** Reads a text in which no dialect recognises a call: any dialect gives it as it is. */
function plainDialect(): Dialect {
  return all.dialects[0] as Dialect;
}

/**
 * Looks for a reading that is right: the same dialect with the other beginning, then the others. Where no call is
 * expected there is nothing to find, because a dialect that understands nothing would be right. A reading with fewer
 * calls is none either: it would only miss the ones too many. Nor is one that leaves the same leaked call in its text, or
 * in reasoning which the text never closes.
 */
function betterReading(
  output: Output,
  dialect: Dialect | undefined,
  found: number,
  leaked: string | undefined,
): Judged['readsAs'] {
  const { texts, expected, tools, thinking } = output;
  if (!expected || expected.anyCall || expected.calls.length === 0) return undefined;
  if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_READ) return undefined;
  // Every dialect writes names as they are; those of the leaderboard may have an underscore for a dot.
  const holds = (name: string) => texts.some((text) => text.includes(name));
  if (!expected.calls.every(({ name }) => holds(name) || holds(name.replaceAll('.', '_')))) return undefined;
  const isRight = (one: Dialect, startsThinking: boolean) => {
    const answers = readAll(output, one, startsThinking);
    const calls = callsOf(answers);
    if (calls.length < found || checkCalls(calls, expected, tools).length > 0) return false;
    const left = leftIn(answers);
    const holdsLeak =
      leaked !== undefined && [...left.texts, ...left.thoughts].some((text) => text.includes(leaked));
    return !holdsLeak && leakIn(left, expected, tools) === undefined;
  };
  if (dialect && isRight(dialect, !thinking)) return { dialect: dialect.name, thinking: !thinking };
  const text = texts.join('\n');
  const ranked = rankReadings(all.dialects, text, { tools, thinking }).all.map((reading) => reading.dialect);
  const other = ranked.find((one) => one !== dialect && isRight(one, thinking));
  return other && { dialect: other.name, thinking };
}
