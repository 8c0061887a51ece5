// One question, one answer, for scripts: the answer's text on standard output, everything else on standard error.

import {
  ApiError,
  type Issue,
  indentJson,
  type JsonObject,
  type JsonValue,
  type Repair,
  type ToolCall,
  type ToolResult,
} from '@dragoman/core';
import type { AgentEvent, AgentResult } from '@dragoman/core/agent';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { isTerminal, write, writeLine } from '../terminal.js';
import { visibleText } from '../visible-text.js';
import type { ChatSession, FinishedTurn } from './chat-session.js';
import { endWords } from './end-words.js';
import { explainFailure } from './explain-failure.js';
import type { Gate } from './gate.js';
import { Screen } from './screen.js';
import { TerminalView } from './terminal-view.js';
import type { ReadPiece, TurnView } from './turn-view.js';

export interface OnceOptions {
  session: ChatSession;
  gate: Gate;
  form: 'text' | 'json' | 'jsonl';
  quiet: boolean;
}

export async function answerOnce(question: string, options: OnceOptions): Promise<ExitCode> {
  const { session, form, quiet } = options;
  if (question.trim() === '')
    throw new CommandError('expected a question on standard input, found nothing', EXIT.input);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  const answer = new AnswerOutput(form, session.options.tools.length > 0);
  const side = new SideView(quiet);
  try {
    const turn = await session.ask(question.trim(), side, stop.signal, (event) => answer.take(event));
    side.end();
    await answer.end(turn, session);
    return report(turn, options);
  } finally {
    process.off('SIGINT', onSignal);
  }
}

/** Writes warnings to standard error and gives the exit code. */
function report({ result }: FinishedTurn, { session, gate, quiet }: OnceOptions): ExitCode {
  const say = (text: string) => void process.stderr.write(`dragoman: ${visibleText(text)}\n`);
  if (result.reason === 'error') {
    if (!(result.error instanceof ApiError)) throw result.error;
    say(explainFailure(result.error, session.options.reached, session.model));
    return EXIT.upstream;
  }
  const words = endWords(result.reason, session.options.maxTurns);
  if (words !== undefined && !quiet) say(words);
  if (result.reason === 'aborted') return EXIT.stopped;
  const refused = [...new Set(gate.refused)].join(', ');
  if (refused !== '' && !quiet)
    say(`refused, because nobody can be asked: ${refused}. --yes allows all tools`);
  return refused !== '' || result.reason !== 'done' ? EXIT.partial : EXIT.done;
}

interface CallRecord {
  id: string;
  name: string;
  input: JsonObject;
  output?: JsonValue;
  isError?: boolean;
  ran: boolean;
}

/** What goes to standard output. */
class AnswerOutput {
  #text = '';
  #reasoning = '';
  #endsLine = true;
  readonly #calls: CallRecord[] = [];

  constructor(
    private readonly form: OnceOptions['form'],
    /** Only the last turn is the answer, and only its end shows that it is the last. */
    private readonly waits: boolean,
  ) {}

  async take(event: AgentEvent): Promise<void> {
    if (this.form === 'jsonl') await writeLine(JSON.stringify(toLine(event)));
    if (event.type === 'step-start') this.#text = '';
    if (event.type === 'reasoning-delta') this.#reasoning += event.text;
    if (event.type === 'tool-end') this.#record(event);
    if (event.type !== 'text-delta') return;
    if (this.waits || this.form !== 'text') this.#text += event.text;
    else await this.#say(event.text);
  }

  async end({ result, feed }: FinishedTurn, session: ChatSession): Promise<void> {
    if (this.form === 'json') await writeLine(indentJson(this.#whole(result, feed, session), 2));
    if (this.form !== 'text') return;
    await this.#say(this.#text);
    if (!this.#endsLine) await write('\n');
  }

  /** The model's own bytes into a pipe; on a terminal they must not act. */
  async #say(text: string): Promise<void> {
    if (text === '') return;
    this.#endsLine = text.endsWith('\n');
    await write(isTerminal ? visibleText(text) : text);
  }

  #record({ call, result, ran }: Extract<AgentEvent, { type: 'tool-end' }>): void {
    const { id, name, input } = call;
    this.#calls.push({
      id,
      name,
      input,
      output: result.output,
      ...(result.isError && { isError: true }),
      ran,
    });
  }

  #whole(result: AgentResult, { reports }: FinishedTurn['feed'], session: ChatSession): JsonValue {
    const { reason, steps, usage, error } = result;
    const issues: Issue[] = reports.flatMap((one) => one.issues);
    const repairs: Repair[] = reports.flatMap((one) => one.repairs);
    const dialect = reports.at(-1)?.dialect ?? session.spoken.name;
    const value = {
      model: session.model,
      dialect,
      text: result.text,
      reasoning: this.#reasoning,
      calls: this.#calls,
      reason,
      turns: steps,
      ...(usage && { usage }),
      issues,
      repairs,
      ...(reason === 'error' && { error: toError(error) }),
    };
    return value as unknown as JsonValue;
  }
}

/** Writes everything but the answer to standard error: reasoning, calls, results, notes. */
class SideView implements TurnView {
  readonly takesCommands = false;
  readonly #view = new TerminalView(new Screen(process.stderr), false, this.takesCommands);

  constructor(private readonly quiet: boolean) {}

  wait(): void {}

  read(reading: ReadPiece): void {
    if (!this.quiet && reading.kind !== 'text') this.#view.read(reading);
  }

  result(call: ToolCall, result: ToolResult, ran: boolean): void {
    if (!this.quiet) this.#view.result(call, result, ran);
  }

  note(text: string): void {
    if (!this.quiet) this.#view.note(text);
  }

  stepEnd(): void {
    this.#view.stepEnd();
  }

  end(): void {
    this.#view.end();
  }
}

function toLine(event: AgentEvent): unknown {
  if (event.type !== 'agent-end') return event;
  const { error, ...rest } = event;
  return rest.reason === 'error' ? { ...rest, error: toError(error) } : rest;
}

function toError(error: unknown): { code: string; message: string } {
  return { code: error instanceof ApiError ? error.code : 'internal', message: messageOf(error) };
}
