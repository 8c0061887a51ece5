// Reads the calls from what a model wrote and its serving engine could not read (see call-failures.ts).
//
//   in the dialects that are watched ──> in any dialect, if all that fit agree ──> as the arguments of the only tool
//
// The first way that gives a whole call is taken. A call that is cut, unreadable, of an undeclared tool, against its
// schema, or copied from the conversation is never delivered: asking again costs one generation, a wrong call may cost
// more.

import type { Dialect } from '../../engine/dialect.js';
import { createParser } from '../../engine/parser.js';
import { rankReadings } from '../../engine/rank-readings.js';
import type {
  AnswerEvent,
  CallEnd,
  Issue,
  IssueCode,
  JsonObject,
  ParseEvent,
  Repair,
  Tool,
} from '../../model/index.js';
import { propertySchema } from '../../schema/schema.js';
import { NativeCall } from '../emulate/native-call.js';
import { EchoText } from './echo-text.js';
import type { HealedChoiceOptions } from './healed-choice.js';

/** A call without an id of its own gets one when it is delivered. */
type RescuedCall = Pick<CallEnd, 'name' | 'input' | 'raw' | 'range'> & { id?: string };

interface Reading {
  events: ParseEvent[];
  calls: RescuedCall[];
  issues: Issue[];
  repairs: Repair[];
}

export interface Rescued extends Pick<Reading, 'issues' | 'repairs'> {
  /** The calls, and a finish. */
  events: AnswerEvent[];
}

/** Reads the whole calls in the text. Undefined: there is none. */
export function rescueCalls(
  raw: string,
  dialects: readonly Dialect[],
  options: HealedChoiceOptions,
): Rescued | undefined {
  const reading = readIn(options.dialects, raw, options) ?? readInAny(dialects, raw, options);
  if (!reading) return undefined;
  if (options.onParse) reading.events.forEach(options.onParse);
  const calls = options.parallelCalls ? reading.calls : reading.calls.slice(0, 1);
  const rescued = calls.map(({ range }): Repair => ({ code: 'rescued-call', range }));
  return {
    issues: reading.issues,
    repairs: [...rescued, ...reading.repairs],
    events: [...callEvents(calls, options), { type: 'finish', reason: 'tool-calls' }],
  };
}

function callEvents(calls: readonly RescuedCall[], { newId, outwardId }: HealedChoiceOptions): AnswerEvent[] {
  return calls.flatMap(({ id: own, name, raw }) => {
    const id = outwardId(own ?? newId());
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

/** Longer texts are read in the watched dialects alone: to read them in all dialects would take long. */
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
  const parser = createParser(dialect, { ...options.parser, newId: (n) => fresh(n, made) });
  return toReading([...parser.feed(raw), ...parser.finish()], options, made);
}

function toReading(events: ParseEvent[], options: HealedChoiceOptions, made: ReadonlySet<string>): Reading {
  const reading: Reading = { events, calls: [], issues: [], repairs: [] };
  for (const event of events) addEvent(reading, event, options, made);
  // Half a file is no whole call. What shows it may come behind the call.
  const isCut = reading.issues.some(({ code }) => code === 'ambiguous-value');
  return isCut ? { ...reading, calls: [] } : reading;
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
  const { id, name, input, raw, range } = event;
  calls.push({ name, input, raw, range, ...(!made.has(id) && { id }) });
}

const refused: readonly IssueCode[] = ['unknown-tool', 'schema-mismatch', 'wrong-type', 'suspected-echo'];

function isDeliverable({ name, issues }: CallEnd, { tools, toolChoice }: HealedChoiceOptions): boolean {
  if (!tools.has(name) || (typeof toolChoice === 'object' && toolChoice.name !== name)) return false;
  return !issues?.some(({ code }) => refused.includes(code));
}

// --- arguments alone -----------------------------------------------------------------------------------------

/** Reads the text as arguments alone, where only one tool can be meant: Ollama leaves out the name. */
function readArguments(raw: string, options: HealedChoiceOptions): Reading | undefined {
  const tool = onlyTool(options);
  if (!tool || !raw.trimStart().startsWith('{')) return undefined;
  if (new EchoText(options.parser.untrusted ?? '').has(raw)) return undefined;
  const native = new NativeCall(tool.name, options.newId(), options.parser);
  const reading = toReading([...native.feed(raw), ...native.finish()], options, new Set());
  const [call] = reading.calls;
  const rest = reading.repairs.find(({ code }) => code === 'text-in-block')?.range[0] ?? raw.length;
  return call && hasOnlyNamed(tool, call.input) && isClosing(raw, rest) ? reading : undefined;
}

function onlyTool({ tools, toolChoice }: HealedChoiceOptions): Tool | undefined {
  if (typeof toolChoice === 'object') return tools.get(toolChoice.name);
  return tools.size === 1 ? [...tools.values()][0] : undefined;
}

/** Whether the tool's schema names all members: others would show that another tool is meant. */
function hasOnlyNamed({ parameters }: Tool, input: JsonObject): boolean {
  return Object.keys(input).every((key) => propertySchema(parameters, key) !== undefined);
}

/** Whether only closing brackets follow. Anything else may be a second value. */
function isClosing(text: string, from: number): boolean {
  return [...text.slice(from)].every((character) => ' \t\r\n]}'.includes(character));
}
