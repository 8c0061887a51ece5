// Where a conversation stands: what was asked last, what came back since, and what the reply must be.

import type { JsonObject } from '@dragoman/core';
import { withoutAsides } from './asides.js';
import { callsIn } from './calls-in.js';
import { isNotRun, type Notes, readNotes } from './notes.js';
import { plainText } from './plain-text.js';
import type { PromptReading } from './read-prompt.js';

export interface AnsweredCall {
  /** Absent where no call is known for the result. */
  name?: string;
  input?: JsonObject;
  output: string;
}

export interface Exchange {
  /** The user's last question. */
  question: string;
  system: string;
  /** What the calls of the last turn gave; empty before the first call. */
  answered: AnsweredCall[];
  /** A call is required: of this tool, or of any (''). */
  required?: string;
  once: boolean;
  /** The last reply was wrong, and this was said about it. */
  again?: string;
  /** How often in a row. */
  refused: number;
  /** How many answers there are already: makes ids differ. */
  said: number;
}

/** So often a reply that was refused is written again. */
const MAX_AGAIN = 3;

/** Of a long text the rules read its two ends, in characters each. */
const MAX_END = 2_000;

export function readExchange(reading: PromptReading): Exchange {
  const { turns } = reading;
  const exchange: Exchange = {
    question: '',
    system: turns
      .filter(({ role }) => role === 'system')
      .map(({ text }) => text)
      .join('\n'),
    answered: [],
    once: false,
    refused: 0,
    said: turns.filter(({ role }) => role === 'assistant').length,
  };
  for (let at = turns.length - 1; at >= 0 && exchange.question === ''; at--) {
    const role = turns[at]?.role;
    if (role !== 'user' && role !== 'tool') continue;
    const isLast = !turns.slice(at + 1).some(({ role }) => role === 'assistant');
    if (readUserTurn(reading, at, isLast, exchange)) exchange.refused++;
  }
  if (exchange.refused > MAX_AGAIN) exchange.answered = [{ output: exchange.again ?? '' }];
  return exchange;
}

/** Whether the turn says that a reply was wrong. */
function readUserTurn(reading: PromptReading, at: number, isLast: boolean, exchange: Exchange): boolean {
  const text = reading.turns[at]?.text ?? '';
  const found = resultsAt(reading, at);
  const notes = readNotes(withoutNothink(text.slice(found?.end ?? 0).trim()));
  const outputs = found ? outputsOf(reading, found.results) : [];
  const refused = outputs.length > 0 && outputs.every(isNotRun);
  if (isLast && refused) exchange.again = outputs.join('\n');
  else if (isLast && found) exchange.answered = answeredCalls(reading, at, found.results, outputs);
  obey(notes, isLast || exchange.answered.length === 0, exchange);
  if (isLast && notes.again !== undefined) exchange.again = notes.again;
  // Text that came with the last results is most often a reminder; the question stands before them.
  const isReminder = isLast && (found !== undefined || resultsAt(reading, at - 1) !== undefined);
  if (!isReminder) exchange.question = questionOf(reading, notes.text);
  return refused || notes.again !== undefined;
}

function resultsAt({ turns, form, dialect, tools }: PromptReading, at: number) {
  const turn = turns[at];
  if (turn?.role !== 'user' && turn?.role !== 'tool') return undefined;
  const said = turns[at - 1];
  return form?.results.read(turn.text, () => {
    return (
      said?.role === 'assistant' && dialect !== undefined && callsIn(said.text, dialect, tools).length > 0
    );
  });
}

function obey(notes: Notes, holds: boolean, exchange: Exchange): void {
  if (!holds) return;
  if (notes.required !== undefined) exchange.required ??= notes.required;
  exchange.once ||= notes.once;
}

function questionOf({ dialect }: PromptReading, text: string): string {
  const said = withoutQuotes(withoutAsides(plainText(text, dialect)).trim());
  return said.length > 2 * MAX_END ? `${said.slice(0, MAX_END)}\n${said.slice(-MAX_END)}` : said;
}

/** Commands that take the question as an argument may pass it on as a shell would quote it. */
function withoutQuotes(text: string): string {
  const inner = text.slice(1, -1);
  const isQuoted = inner.includes(' ') && text === `"${inner}"`;
  const plain = inner.replaceAll('\\"', '');
  return isQuoted && !plain.includes('"') ? inner.replaceAll('\\"', '"') : text;
}

/** A word that some prompts put behind what the user said. */
function withoutNothink(text: string): string {
  return text.endsWith('/nothink') ? text.slice(0, -'/nothink'.length).trimEnd() : text;
}

function outputsOf({ form, dialect }: PromptReading, results: readonly { text: string }[]): string[] {
  return results.map(({ text }) => (form?.results.broken ? plainText(text, dialect) : text));
}

/** Results belong to the calls of the turn before, by id or, where there are as many, by order. */
function answeredCalls(
  { turns, dialect, tools }: PromptReading,
  at: number,
  results: readonly { id?: string }[],
  outputs: readonly string[],
): AnsweredCall[] {
  const said = turns.slice(0, at).findLast(({ role }) => role === 'assistant')?.text ?? '';
  const calls = dialect ? callsIn(said, dialect, tools) : [];
  const byOrder = calls.length === results.length ? calls : [];
  return results.map(({ id }, place) => {
    const call = calls.find((one) => id !== undefined && one.id === id) ?? byOrder[place];
    const output = outputs[place] ?? '';
    return call ? { name: call.name, input: call.input, output } : { output };
  });
}
