// Which client runs which case in which dialect. All three times each other would be thousands of runs that say the
// same: what a client sees hangs on the case, and what the library reads on the dialect. So every two of them meet
// (each client has each case and each dialect, each case is run in each dialect that it is for), and not every three.
// test/clients/spread.test.ts holds that.

import type { Dialect } from '@dragoman/core';
import { representatives } from '../../packages/core/src/dialects/every.fixture.js';
import type { Case } from './case.js';
import { cases } from './cases.js';

/** The dialects the project began with. */
export const seeds = ['alkaid', 'xnl', 'glm-4.5', 'deepseek-v4'];

/**
 * The clients in the order of their turns. Those that read whole answers stand before those that stream: so of the
 * neighbours that share the dialects of a case among them there are some of either kind.
 */
export const clientNames = [
  'chat.completions.create',
  'responses.create',
  'messages.create',
  'chat.completions.runTools',
  'beta.messages.toolRunner',
  'generateText, openai.chat',
  'generateText, openai.responses',
  'generateText, openai.responses, store: false',
  'generateText, openai-compatible',
  'generateText, anthropic',
  'chat.completions.create, stream: true',
  'responses.create, stream: true',
  'messages.stream',
  'chat.completions.stream',
  'responses.stream',
  'beta.messages.toolRunner, stream: true',
  'chat.completions.runTools, stream: true',
  'streamText, openai.chat',
  'streamText, openai.responses',
  'streamText, openai.responses, store: false',
  'streamText, openai-compatible',
  'streamText, anthropic',
];

export interface Run {
  dialect: Dialect;
  one: Case;
}

/**
 * Each case in one of its dialects, and each dialect that this leaves in one of its cases; the next client has the
 * next.
 */
export function runsOf(clientName: string): Run[] {
  const place = clientNames.indexOf(clientName);
  if (place < 0) throw new Error(`${clientName} has no place among the clients`);
  const runs = cases.map((one, at): Run => ({ one, dialect: inTurn(dialectsOf(one), place + at) }));
  const left = representatives.filter((dialect) => !runs.some((run) => run.dialect === dialect));
  return [...runs, ...left.map((dialect) => ({ dialect, one: inTurn(casesOf(dialect), place) }))];
}

export function dialectsOf(one: Case): Dialect[] {
  return representatives.filter((dialect) => isFor(one, dialect));
}

function casesOf(dialect: Dialect): Case[] {
  return cases.filter((one) => isFor(one, dialect));
}

function inTurn<Value>(values: readonly Value[], turn: number): Value {
  return values[turn % values.length] as Value;
}

function isFor({ dialects: which, unframed }: Case, dialect: Dialect): boolean {
  const { reasoning } = dialect.traits;
  if (unframed && (dialect.grammar.frames || reasoning?.open !== '<think>')) return false;
  if (typeof which === 'function') return which(dialect);
  if (which === 'every') return true;
  return which === 'one' ? dialect.name === seeds[0] : seeds.includes(dialect.name);
}
