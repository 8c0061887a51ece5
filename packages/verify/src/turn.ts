// One answer, read: leniently as a client of the library gets it, and strictly as the endpoint sent it.

import {
  type AnswerEvent,
  type FinishReason,
  type JsonObject,
  parseExact,
  type Tool,
  toPlain,
  type Usage,
} from '@dragoman/core';
import { type FoundLeak, findLeak } from '@dragoman/core/bridge';
import { createValidator } from '@dragoman/core/internal';
import type { AnswerAudit, Wire } from '@dragoman/core/wire';
import type { Exchange } from './endpoint.js';
import type { Question } from './probe.js';
import { type StrayMarkup, strayMarkup } from './stray-markup.js';

export type CallProblem = 'unknown-tool' | 'arguments-json' | 'arguments-schema';

export interface ReadCall {
  name: string;
  /** The arguments as they came. */
  raw: string;
  /** Absent: they are no JSON object. */
  input?: JsonObject;
  problem?: CallProblem;
  /** What is wrong, in a sentence. */
  message?: string;
}

export interface Turn extends StrayMarkup {
  exchange: Exchange;
  /** Absent: the step was no request to the model. */
  question?: Question;
  streamed: boolean;
  /** The body of the answer. */
  body: string;
  /** Why there is no answer, or none that can be read. */
  failure?: string;
  /** The stream began, and did not end as the API says. */
  isBroken: boolean;
  /** The status says that all is well, and the body is an error. */
  isInnerError: boolean;
  text: string;
  reasoning: string;
  calls: ReadCall[];
  finish?: FinishReason;
  usage?: Usage;
  audit?: AnswerAudit;
  /** A call that stands in the text, or in the reasoning of an answer without anything else. */
  leak?: FoundLeak & { place: 'text' | 'reasoning' };
  times: TurnTimes;
}

/** Milliseconds since the request, and characters. */
interface TurnTimes {
  firstByte: number;
  total: number;
  /** When a part of the answer came, and how many characters it has. */
  arrivals: [time: number, characters: number][];
  /** The lengths of the pieces that the arguments came in. */
  argumentPieces: number[];
}

export function readTurn(exchange: Exchange, wire: Wire, model: string, question?: Question): Turn {
  const body = exchange.pieces.map(([, text]) => text).join('');
  const streamed = exchange.streamed && wire.stream.begins(body.trimStart());
  const reader = new TurnReader();
  const turn: Turn = {
    exchange,
    ...(question && { question }),
    streamed,
    body,
    isBroken: false,
    isInnerError: false,
    text: '',
    reasoning: '',
    calls: [],
    times: reader.times,
  };
  reader.times.firstByte = exchange.pieces[0]?.[0] ?? 0;
  reader.times.total = exchange.pieces.at(-1)?.[0] ?? 0;
  if (!isAnswer(turn)) return turn;
  if (question === undefined) return turn;
  if (streamed) readStream(exchange, wire, reader);
  else readWhole(body, wire, reader);
  const { text, reasoning, finish, usage, failure } = reader;
  const tools = toolsOf(question);
  const audit = wire.auditAnswer?.(body, streamed);
  const isInnerError = failure !== undefined && audit?.error === true;
  const given =
    audit?.calls ?? reader.calls.map(({ name, pieces }) => ({ name, arguments: pieces.join('') }));
  const calls = given.map((call) => judgeCall(call.name, call.arguments, tools));
  const said = { ...turn, text, reasoning, calls, ...(finish && { finish }), ...(usage && { usage }) };
  const leak = leakOf(said, tools, model);
  return {
    ...said,
    isBroken: streamed && failure !== undefined && !isInnerError,
    isInnerError,
    ...(failure !== undefined && { failure }),
    ...(audit && { audit }),
    ...(leak && { leak }),
    ...strayMarkup(text, exchange.body),
  };
}

export function toolsOf({ tools, given }: Question): readonly Tool[] {
  return given?.conversation.tools ?? tools ?? [];
}

/** Sets the failure, where no answer came. */
function isAnswer(turn: Turn): boolean {
  const { exchange, body } = turn;
  const { status, error } = exchange;
  if (status === 0 || (error && error.code !== 'broken')) turn.failure = error?.message ?? 'No answer came.';
  else if (status < 200 || status > 299) turn.failure = `HTTP ${status}: ${oneLine(body)}`;
  else if (exchange.type.includes('text/html')) turn.failure = 'The answer is a web page.';
  else if (body.trim() === '' && !error) turn.failure = 'The answer has no body.';
  return turn.failure === undefined;
}

export function oneLine(text: string, length = 300): string {
  const line = text
    .slice(0, 4 * length)
    .split(/\s+/)
    .join(' ')
    .trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}

// --- the events ----------------------------------------------------------------------------------------------

function readStream({ pieces, error }: Exchange, wire: Wire, reader: TurnReader): void {
  const decoder = wire.createStreamDecoder();
  for (const [time, text] of pieces) reader.read(decoder.feed(text), time);
  reader.read(decoder.finish(), pieces.at(-1)?.[0] ?? 0);
  if (error) reader.failure ??= error.message;
}

function readWhole(body: string, wire: Wire, reader: TurnReader): void {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    reader.failure = `The answer is no JSON: ${oneLine(body, 80)}`;
    return;
  }
  reader.read(wire.decodeResponse(value), reader.times.total);
}

class TurnReader {
  text = '';
  reasoning = '';
  finish: FinishReason | undefined;
  usage: Usage | undefined;
  failure: string | undefined;
  /** Two of them may have one id. */
  readonly calls: { name: string; pieces: string[] }[] = [];
  readonly #newest = new Map<string, string[]>();
  readonly times: TurnTimes = { firstByte: 0, total: 0, arrivals: [], argumentPieces: [] };

  read(events: readonly AnswerEvent[], time: number): void {
    for (const event of events) {
      if ('choice' in event && event.choice !== undefined && event.choice > 0) continue;
      this.#readOne(event, time);
    }
  }

  #readOne(event: AnswerEvent, time: number): void {
    if (event.type === 'text-delta') this.text += event.text;
    else if (event.type === 'reasoning-delta') this.reasoning += event.text;
    else if (event.type === 'call-start') this.#start(event.id, event.name);
    else if (event.type === 'call-delta') {
      this.#newest.get(event.id)?.push(event.text);
      this.times.argumentPieces.push(event.text.length);
    } else if (event.type === 'finish') this.finish = event.given ?? event.reason;
    else if (event.type === 'usage') this.usage = event.usage;
    else if (event.type === 'error')
      this.failure = event.error.message.replace('The upstream ', 'The endpoint ');
    if ('text' in event && event.text !== '') this.#arrive(time, event.text.length);
  }

  #start(id: string, name: string): void {
    const pieces: string[] = [];
    this.calls.push({ name, pieces });
    this.#newest.set(id, pieces);
  }

  #arrive(time: number, characters: number): void {
    const last = this.times.arrivals.at(-1);
    if (last?.[0] === time) last[1] += characters;
    else this.times.arrivals.push([time, characters]);
  }
}

// --- calls ---------------------------------------------------------------------------------------------------

/** One call is judged by its first fault: a tool that nobody declared has no schema to break. */
function judgeCall(name: string, raw: string, tools: readonly Tool[]): ReadCall {
  const tool = tools.find((one) => one.name === name);
  const call = { name, raw };
  if (!tool) {
    const message = `The tool ${JSON.stringify(name.slice(0, 80))} was not declared.`;
    return { ...call, problem: 'unknown-tool', message };
  }
  const input = objectOf(raw);
  if (!input) {
    const message = `The arguments of ${name} are no JSON object: ${oneLine(raw, 120) || '(nothing)'}`;
    return { ...call, problem: 'arguments-json', message };
  }
  const [problem] = createValidator(tool.parameters ?? true).check(input);
  if (!problem) return { ...call, input };
  const message = `The arguments of ${name} break its schema: ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}.`;
  return { ...call, input, problem: 'arguments-schema', message };
}

function objectOf(raw: string): JsonObject | undefined {
  try {
    const value = toPlain(parseExact(raw));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// --- what stands in the text ---------------------------------------------------------------------------------

function leakOf(turn: Turn, tools: readonly Tool[], model: string): Turn['leak'] {
  const inText = findLeak(turn.text, { tools, model });
  if (inText) return { ...inText, place: 'text' };
  // A model that reasons speaks of calls; one that only reasons has put its call there.
  if (turn.calls.length > 0 || turn.text.trim() !== '') return undefined;
  const inThought = findLeak(turn.reasoning, { tools, model });
  return inThought && { ...inThought, place: 'reasoning' };
}
