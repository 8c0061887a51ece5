// Compares the calls of a reading with the expected ones, check by check.

import type { Tool } from '@dragoman/core';
import { findBareLeak, findLeak } from '@dragoman/core/bridge';
import { createValidator, type JsonObject, toPlain } from '@dragoman/core/internal';
import type { FoundCall } from './calls.js';
import { argumentFault, type Expected, type ExpectedCall, isSameName } from './expected.js';

export const scoreChecks = ['count', 'name', 'arguments', 'schema', 'leak'] as const;

/**
 * `count`: another number of calls. `name`: another tool, or none that was offered. `arguments`: other values than
 * expected. `schema`: values that the tool's schema forbids. `leak`: a call is left in the text.
 */
export type ScoreCheck = (typeof scoreChecks)[number];

export interface ScoreError {
  check: ScoreCheck;
  message: string;
}

export interface CheckedReading {
  calls: readonly FoundCall[];
  /** All text that is no call, before, between and behind the calls. Undefined: unknown, so no leak is looked for. */
  texts: readonly string[] | undefined;
  /** Reasoning that the text never closes. A call on lines of its own in it is left there. */
  thoughts?: readonly string[];
}

/** Gives what is wrong; an empty list if nothing is. Without `expected`, only names, schemas and leaks are checked. */
export function checkReading(
  reading: CheckedReading,
  expected: Expected | undefined,
  tools: readonly Tool[],
): ScoreError[] {
  const leak = leakIn(reading, expected, tools);
  return [...checkCalls(reading.calls, expected, tools), ...(leak ? [leak.error] : [])];
}

/** Checks all but leaks. */
export function checkCalls(
  calls: readonly FoundCall[],
  expected: Expected | undefined,
  tools: readonly Tool[],
): ScoreError[] {
  const errors: ScoreError[] = [];
  const rest = expected ? compare(calls, expected, errors) : calls;
  // A call that is the expected one is right, whatever the schema says of the expectation.
  for (const call of rest) checkByTool(call, tools, expected?.looseNames ?? false, errors);
  return errors;
}

export interface Leak {
  error: ScoreError;
  /** The leaked call as the model wrote it. */
  source: string;
}

/** Gives the first leak. Each text is searched alone: text on both sides of a call is not one call. */
export function leakIn(
  { texts = [], thoughts = [] }: Omit<CheckedReading, 'calls'>,
  expected: Expected | undefined,
  given: readonly Tool[],
): Leak | undefined {
  // Without definitions, only calls of the expected tools can be told from prose.
  const tools = given.length > 0 ? given : namedTools(expected);
  const searched = [
    ...texts.map((text) => ({ text, place: 'the text', behindText: true })),
    ...thoughts.map((text) => ({ text, place: 'reasoning that does not end', behindText: false })),
  ];
  for (const { text, place, behindText } of searched) {
    const leak = findLeak(text, { tools, ...(behindText && { behindText: findBareLeak }) });
    if (!leak) continue;
    const message = `a call of ${leak.names[0]} is left in ${place} (${leak.dialect.name})`;
    return { error: { check: 'leak', message }, source: text.slice(...leak.range) };
  }
  return undefined;
}

/** Gives the calls that are not as expected. */
function compare(calls: readonly FoundCall[], expected: Expected, errors: ScoreError[]): FoundCall[] {
  if (expected.anyCall) {
    if (calls.length === 0) errors.push({ check: 'count', message: 'expected a call, found none' });
    return [...calls];
  }
  const loose = expected.looseNames ?? false;
  const found = [...calls];
  let wanted = [...expected.calls];
  if (found.length !== wanted.length)
    errors.push({ check: 'count', message: `expected ${callCount(wanted.length)}, found ${found.length}` });
  const pairs = (fits: (call: FoundCall, one: ExpectedCall) => boolean) => {
    const taken: [FoundCall, ExpectedCall][] = [];
    wanted = wanted.filter((one) => {
      const at = found.findIndex((call) => fits(call, one));
      if (at < 0) return true;
      taken.push([found.splice(at, 1)[0] as FoundCall, one]);
      return false;
    });
    return taken;
  };
  const hasName = (call: FoundCall, one: ExpectedCall) => isSameName(call.name, one.name, loose);
  // Parallel calls have no order: the right ones are taken out first, then those with the right name.
  pairs((call, one) => hasName(call, one) && argumentFault(call.input, one) === undefined);
  const named = pairs(hasName);
  for (const [call, one] of named)
    errors.push({ check: 'arguments', message: `${call.name}: ${argumentFault(call.input, one)}` });
  const left = [...found];
  for (const one of wanted) {
    const call = found.shift();
    if (call) errors.push({ check: 'name', message: `expected ${one.name}, found ${call.name}` });
  }
  return [...named.map(([call]) => call), ...left];
}

/** Names that no API takes are left out: the search for leaks refuses them. */
function namedTools(expected: Expected | undefined): Tool[] {
  const names = (expected?.calls ?? []).map(({ name }) => name);
  return names.filter((name) => /^[\w.:-]{1,128}$/.test(name)).map((name) => ({ name }));
}

function callCount(number: number): string {
  return number === 1 ? '1 call' : `${number === 0 ? 'no' : number} calls`;
}

function checkByTool(call: FoundCall, tools: readonly Tool[], loose: boolean, errors: ScoreError[]): void {
  if (tools.length === 0) return;
  const tool = tools.find(({ name }) => isSameName(call.name, name, loose));
  if (!tool) {
    if (!errors.some(({ check }) => check === 'name'))
      errors.push({ check: 'name', message: `no tool is called ${call.name}` });
    return;
  }
  const [problem] =
    tool.parameters === undefined
      ? []
      : createValidator(tool.parameters).check(toPlain(call.input) as JsonObject);
  if (problem)
    errors.push({
      check: 'schema',
      message: `${call.name}: ${problem.path || 'arguments'}: ${problem.message}`,
    });
}
