// The files of the suite, in `suite/` of this package, one JSON value a line. To extend the suite, add lines there, or
// copy lines into a file of your own: `--suite` takes them (see `readSuite`).
//
//   tools.jsonl      the tools that every case offers; one with `own` is offered to its own cases alone, since some
//                    servers refuse such tools
//   exact.jsonl      cases that spell their calls out
//   judgement.jsonl  questions, and whether a call is right
//   values.jsonl     what `{city}` in the others stands for, by language or for all

import type { JsonValue, Tool } from '@dragoman/core';
import type { WantedCall } from '../probe.js';
import type { Language } from './exact-prompt.js';
import { SuiteError } from './suite-error.js';

export interface ExactCase {
  language: Language;
  calls: WantedCall[];
}

export interface JudgementCase {
  language: Language;
  ask: string;
  expect_call: boolean;
}

interface Values {
  /** Absent: the same in all languages. */
  language?: Language;
  name: string;
  values: JsonValue[];
}

export interface SuiteTool extends Tool {
  own?: true;
}

export interface SuiteFiles {
  tools: readonly SuiteTool[];
  exact: readonly ExactCase[];
  judgement: readonly JudgementCase[];
  values: readonly Values[];
}

interface FileSystem {
  readFileSync(path: URL, encoding: 'utf8'): string;
}

interface Runtime {
  process?: { getBuiltinModule?(name: string): unknown };
}

let known: SuiteFiles | undefined;

/** Read once, and only where a suite is drawn: a page that shows reports needs no files. */
export function suiteFiles(): SuiteFiles {
  known ??= {
    tools: linesOf<SuiteTool>('tools'),
    exact: linesOf<ExactCase>('exact'),
    judgement: linesOf<JudgementCase>('judgement'),
    values: linesOf<Values>('values'),
  };
  return known;
}

/** Asked for by its name, so that bundles for browsers hold no module of Node. */
function linesOf<T>(name: string): T[] {
  const files = (globalThis as Runtime).process?.getBuiltinModule?.('node:fs') as FileSystem | undefined;
  if (!files)
    throw new SuiteError('quick and full are files, which Node, Bun and Deno can read: give cases instead');
  const here = import.meta.url;
  const text = files.readFileSync(new URL(`../../suite/${name}.jsonl`, here), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): T => JSON.parse(line));
}
