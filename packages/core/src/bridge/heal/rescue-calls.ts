// Reads the calls from what a model wrote and its serving engine could not read (see call-failures.ts).
//
//   in the dialects that are watched ──> in any dialect, if all that fit agree ──> as the arguments of the only tool
//
// The first way that gives a whole call is taken. A call that is cut, unreadable, of an undeclared tool, against its
// schema, or copied from the conversation is never delivered: asking again costs one generation, a wrong call may cost
// more.

import type { Dialect } from '../../engine/dialect.js';
import { createParser } from '../../engine/parser.js';
import { DEFAULT_LIMITS, type ParserOptions } from '../../engine/parser-options.js';
import { rankReadings } from '../../engine/rank-readings.js';
import {
  type AnswerEvent,
  type CallEnd,
  type Issue,
  type IssueCode,
  isObject,
  type JsonObject,
  type ParseEvent,
  type Range,
  type Repair,
  type Tool,
} from '../../model/index.js';
import { schemaHint } from '../../schema/coerce.js';
import { propertySchema } from '../../schema/schema.js';
import { readJson } from '../../text/json.js';
import { inputOf, validateInput } from '../emulate/validate-input.js';
import type { HealedChoiceOptions } from './healed-choice.js';

/** A call without an id of its own gets one when it is delivered. */
type RescuedCall = Pick<CallEnd, 'name' | 'raw' | 'range'> & { id?: string };

interface Reading {
  events: ParseEvent[];
  calls: RescuedCall[];
  issues: Issue[];
  repairs: Repair[];
}

/** Gives the events of the whole calls in the text, and a finish. Undefined: there is none. */
export function rescueCalls(
  raw: string,
  dialects: readonly Dialect[],
  options: HealedChoiceOptions & { parallel: boolean },
): AnswerEvent[] | undefined {
  const reading = readIn(options.dialects, raw, options) ?? readInAny(dialects, raw, options);
  if (!reading) return undefined;
  const { report, parallel, onParse } = options;
  if (onParse) reading.events.forEach(onParse);
  const calls = parallel ? reading.calls : reading.calls.slice(0, 1);
  report.issues.push(...reading.issues);
  report.repairs.push(
    ...calls.map(({ range }) => ({ code: 'rescued-call' as const, range })),
    ...reading.repairs,
  );
  return [...callEvents(calls, options), { type: 'finish', reason: 'tool-calls' }];
}

function callEvents(calls: readonly RescuedCall[], { usedIds, newId }: HealedChoiceOptions): AnswerEvent[] {
  const used = new Set(usedIds);
  return calls.flatMap(({ id: own, name, raw }) => {
    const id = own === undefined || used.has(own) ? newId() : own;
    used.add(id);
    return [
      { type: 'call-start' as const, id, name },
      { type: 'call-delta' as const, id, text: raw },
      { type: 'call-end' as const, id },
    ];
  });
}

// --- in a dialect ------------------------------------------------------------------------------------------

function readIn(
  dialects: readonly Dialect[],
  raw: string,
  options: HealedChoiceOptions,
): Reading | undefined {
  for (const dialect of dialects) {
    const reading = read(dialect, raw, options);
    if (reading.calls.length > 0) return reading;
  }
  return undefined;
}

/** Longer texts are read in the watched dialects alone: all others cost tens of milliseconds for so many characters. */
const MOST_RANKED = 16 * 1024;

/**
 * Reads in the dialects that fit best. They must agree: which of them the model meant is not known. Where none sees even
 * the beginning of a call, the text may be arguments alone.
 */
function readInAny(
  dialects: readonly Dialect[],
  raw: string,
  options: HealedChoiceOptions,
): Reading | undefined {
  if (raw.length > MOST_RANKED) return undefined;
  const { fitting } = rankReadings(dialects, raw, { tools: options.parser.tools });
  if (fitting.every(({ calls, lost }) => calls.length + lost.length === 0))
    return readArguments(raw, options);
  if (fitting.some(({ lost }) => lost.length > 0)) return undefined;
  const [best, ...others] = fitting.map(({ dialect }) => read(dialect, raw, options));
  if (!best || best.calls.length === 0) return undefined;
  const key = keyOf(best);
  return others.every((other) => keyOf(other) === key) ? best : undefined;
}

function keyOf({ calls }: Reading): string {
  return JSON.stringify(calls.map(({ name, raw }) => [name, raw]));
}

function read(dialect: Dialect, raw: string, options: HealedChoiceOptions): Reading {
  const made = new Set<string>();
  const parser = createParser(dialect, { ...parserOptions(options), newId: (n) => fresh(n, made) });
  const reading: Reading = {
    events: [...parser.feed(raw), ...parser.finish()],
    calls: [],
    issues: [],
    repairs: [],
  };
  for (const event of reading.events) addEvent(reading, event, options, made);
  return reading;
}

/** Strings that can only be meant as numbers or booleans become those, as the schema wants. */
function parserOptions({ parser }: HealedChoiceOptions): ParserOptions {
  return { ...parser, policies: { coerceStrings: true, ...parser.policies } };
}

function fresh(n: number, made: Set<string>): string {
  const id = ` ${n}`;
  made.add(id);
  return id;
}

function addEvent(
  { calls, issues, repairs }: Reading,
  event: ParseEvent,
  options: HealedChoiceOptions,
  made: ReadonlySet<string>,
): void {
  issues.push(...(event.issues ?? []));
  repairs.push(...(event.repairs ?? []));
  if (event.type !== 'call-end' || !isDeliverable(event, options)) return;
  const { id, name, raw, range } = event;
  calls.push({ name, raw, range, ...(!made.has(id) && { id }) });
}

const refused: readonly IssueCode[] = ['unknown-tool', 'schema-mismatch', 'wrong-type', 'suspected-echo'];

function isDeliverable({ name, issues }: CallEnd, { tools, toolChoice }: HealedChoiceOptions): boolean {
  if (!tools.has(name) || (typeof toolChoice === 'object' && toolChoice.name !== name)) return false;
  return !issues?.some(({ code }) => refused.includes(code));
}

// --- arguments alone -----------------------------------------------------------------------------------------

/** More closing brackets than these at the end mean that the text is something else. */
const MOST_EXTRA = 3;

/** Reads the text as arguments alone, where only one tool can be meant: Ollama leaves out the name. */
function readArguments(text: string, options: HealedChoiceOptions): Reading | undefined {
  const tool = onlyTool(options);
  const raw = text.trim();
  if (!tool || !raw.startsWith('{') || options.parser.untrusted?.includes(raw)) return undefined;
  const { depth, members, argumentLength } = { ...DEFAULT_LIMITS, ...options.parser.limits };
  const hint = schemaHint(tool.parameters);
  for (let extra = 0; extra <= MOST_EXTRA; extra++) {
    const source = raw.slice(0, raw.length - extra);
    const json = readJson(source, { maxDepth: depth, maxMembers: members, ...(hint && { hint }) });
    const input = json && json.json.length <= argumentLength ? inputOf(json.json) : undefined;
    if (json && input) {
      return fits(tool, input) ? argumentsReading(tool.name, text, json, extra) : undefined;
    }
    if (!/[\]}]$/.test(source)) return undefined;
  }
  return undefined;
}

/** Whether the input fulfils the schema and has no member that the schema does not name. */
function fits({ parameters }: Tool, input: JsonObject): boolean {
  if (!isObject(parameters)) return Object.keys(input).length === 0;
  const named = Object.keys(input).every((key) => propertySchema(parameters, key) !== undefined);
  return named && validateInput(parameters, input).length === 0;
}

function onlyTool({ tools, toolChoice }: HealedChoiceOptions): Tool | undefined {
  if (typeof toolChoice === 'object') return tools.get(toolChoice.name);
  return tools.size === 1 ? [...tools.values()][0] : undefined;
}

function argumentsReading(
  name: string,
  text: string,
  { json, repairs }: NonNullable<ReturnType<typeof readJson>>,
  extra: number,
): Reading {
  const from = text.length - text.trimStart().length;
  const range: Range = [from, text.trimEnd().length];
  const listed = repairs.map(({ code, at }): Repair => ({ code, range: [from + at, from + at] }));
  if (extra > 0) listed.push({ code: 'extra-bracket', range: [range[1] - extra, range[1]] });
  return { events: [], calls: [{ name, raw: json, range }], issues: [], repairs: listed };
}
