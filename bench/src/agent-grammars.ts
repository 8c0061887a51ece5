// What an agent's tools and long arguments cost: the grammars of sixty tools, made and found again; and a string of
// 1 MB that arrives whole, in the dialects that write calls as expressions.

import { type Dialect, dialects, findDialect, prepareTools, UsageError } from '@dragoman/core';
import { constrain, GRAMMAR_FORMATS, type GrammarFormat } from '@dragoman/core/grammar';
import { agentTools } from './agent-tools.js';
import { callText, fileText, MB } from './inputs.js';
import * as limits from './limits.js';
import { cpuOf, cpuOfEnough, median, race } from './measure.js';
import { readWith } from './read.js';
import { type CheckLimit, heading, ms, note, progress, table, times, worst } from './report.js';

export interface GrammarSpeed {
  dialect: string;
  format: GrammarFormat;
  /** Milliseconds for tools that were never seen before, and for the same ones again. */
  first: number;
  again: number;
  /** Characters of the grammar. */
  length: number;
}

const TOOLS = 60;
const ROUNDS = 7;

interface Spelled {
  dialect: Dialect;
  format: GrammarFormat;
}

const freshTools = () => prepareTools(agentTools(TOOLS));

/** Makes the grammar, or finds it, and gives its characters. */
function make({ dialect, format }: Spelled, tools: unknown): number {
  const { grammar = '' } = constrain(dialect, tools, 'required', { format });
  return typeof grammar === 'string' ? grammar.length : JSON.stringify(grammar).length;
}

/** The formats of each dialect that has any. Each grammar is made once, as in a gateway that has run for a while. */
function warmedUp(): Spelled[][] {
  const all = dialects.map((dialect) => {
    progress(`agent: first grammars of ${dialect.name}`);
    return GRAMMAR_FORMATS.map((format) => ({ dialect, format })).filter(exists);
  });
  return all.filter((formats) => formats.length > 0);
}

function exists(spelled: Spelled): boolean {
  try {
    make(spelled, freshTools());
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

function speedOf(spelled: Spelled): GrammarSpeed {
  let tools = freshTools();
  const rounds = Array.from({ length: ROUNDS }, () => {
    tools = freshTools();
    return cpuOf(() => make(spelled, tools));
  });
  return {
    dialect: spelled.dialect.name,
    format: spelled.format,
    first: median(rounds),
    again: cpuOfEnough(() => found(spelled, tools), 50),
    length: make(spelled, tools),
  };
}

const found = ({ dialect, format }: Spelled, tools: unknown) =>
  constrain(dialect, tools, 'required', { format }).limits.length;

export function agentGrammars(hold: CheckLimit): GrammarSpeed[] {
  heading(`Grammars of ${TOOLS} tools as an agent has them: CPU of the slowest format, first and again`);
  const tools = freshTools();
  const cold = cpuOf(() => make({ dialect: findDialect('hermes'), format: 'gbnf' }, tools));
  const results = warmedUp().map((formats) => {
    progress(`agent: grammars of ${formats[0]?.dialect.name}`);
    return worst(formats.map(speedOf), ({ first }) => first);
  });
  table(
    ['', 'format', 'first', 'again', 'characters'],
    results.map(({ dialect, format, first, again, length }) => [
      dialect,
      format,
      ms(first),
      ms(again),
      String(length),
    ]),
  );
  note(
    `Each is the median of ${ROUNDS} times, with new tools each time. The very first grammar of the process took`,
  );
  note(
    `${ms(cold)} (hermes, gbnf): it waits for its code to be compiled. Milliseconds of this machine, unlike elsewhere:`,
  );
  note('the limit is what a request may wait for its grammar.');
  const slow = worst(results, ({ first }) => first);
  const at = ` (${slow.dialect}, ${slow.format})`;
  hold('a grammar of sixty tools, the first time', slow.first, limits.GRAMMAR_FIRST, ms, at);
  const late = worst(results, ({ again }) => again);
  hold('the same again', late.again, limits.GRAMMAR_AGAIN, ms, ` (${late.dialect}, ${late.format})`);
  return results;
}

export interface WholeArgument {
  dialect: string;
  /** Milliseconds. */
  ours: number;
  toHermes: number;
  toJson: number;
}

/** The dialects whose calls are expressions. */
const EXPRESSIONS = ['lfm2', 'gemma4', 'olmo3', 'pythonic', 'llama4-pythonic', 'functiongemma'];

export function wholeArguments(hold: CheckLimit): WholeArgument[] {
  heading('One string argument of 1 MB that arrives whole: CPU, against hermes and JSON.parse');
  const text = fileText(MB);
  const json = JSON.stringify({ text });
  const readings = ['hermes', ...EXPRESSIONS].map((name): [string, () => number] => {
    const dialect = findDialect(name);
    const { head, argument, tail } = callText(dialect, text);
    const whole = [head + argument + tail];
    return [name, () => readWith(dialect, whole)];
  });
  progress('agent: whole arguments');
  const parsed = () => (JSON.parse(json) as { text: string }).text.length;
  const arms: Record<string, () => number> = { ...Object.fromEntries(readings), 'JSON.parse': parsed };
  const best = race(arms, 30);
  const hermes = best.hermes as number;
  const results = readings.map(([dialect]) => {
    const ours = best[dialect] as number;
    return { dialect, ours, toHermes: ours / hermes, toJson: ours / (best['JSON.parse'] as number) };
  });
  table(
    ['', 'CPU', 'against hermes', 'against JSON.parse'],
    results.map(({ dialect, ours, toHermes, toJson }) => [dialect, ms(ours), times(toHermes), times(toJson)]),
  );
  const slow = worst(results, ({ toHermes }) => toHermes);
  const at = ` (${slow.dialect})`;
  hold('a whole argument of expressions ÷ hermes', slow.toHermes, limits.EXPRESSION_TO_HERMES, times, at);
  return results;
}
