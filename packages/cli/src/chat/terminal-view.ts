// An answer on a terminal: text as it comes, reasoning dimmed, calls while they are written, results folded.

import {
  indentJson,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  type ToolCall,
  type ToolResult,
} from '@dragoman/core';
import { foldBlanks } from '@dragoman/core/agent';
import { colors } from '../terminal.js';
import { cutLines, visibleText, widthOf, wrapWords } from '../visible-text.js';
import { Flow } from './flow.js';
import { plainly } from './plainly.js';
import { RawPairs } from './raw-pairs.js';
import type { Screen } from './screen.js';
import type { ReadPiece, TurnView } from './turn-view.js';

type ViewBlock = 'reasoning' | 'text' | 'aside' | 'call' | 'result' | 'note';

/** Rows of arguments that are shown while they are written. */
const PREVIEW_ROWS = 12;

export class TerminalView implements TurnView {
  /** Show the model's own text, too. */
  raw = false;
  /** Results that were folded, for /show. */
  readonly folded: { name: string; text: string }[] = [];
  #block: ViewBlock | undefined;
  #flow: Flow | undefined;
  #pairs: RawPairs | undefined;
  /** The last call, if it is still fully visible above. */
  #seen: string | undefined;
  #calls = 0;

  constructor(
    private readonly screen: Screen,
    private readonly quiet: boolean,
    readonly takesCommands = true,
  ) {}

  wait(text: string): void {
    this.#close();
    this.screen.status(text);
  }

  read(reading: ReadPiece): void {
    if (reading.kind === 'call-start') this.#calls++;
    if (this.raw) this.#readPairs(reading);
    else this.#readPlain(reading);
  }

  /** Shows the whole call before the approval question, unless it is visible right above. Gives the rows that it took. */
  showCall(name: string, input: JsonObject): number {
    this.#close();
    if (this.#seen === name && isPlainCall(input)) return 1;
    if (this.#block !== undefined) this.screen.write('\n');
    this.#block = 'call';
    const shown = showCall(name, input, this.screen.width);
    this.screen.write(`${shown}\n`);
    return shown.split('\n').length;
  }

  result(call: ToolCall, result: ToolResult, ran: boolean): void {
    this.#close();
    const isError = result.isError === true || !ran;
    const text = outputText(result);
    const { lines, more } = foldText(text, this.screen.width - 4);
    // Of several calls, each result says whose it is.
    const named = this.#calls > 1 ? [colors.bold(plainly(call.name)), ...lines] : lines;
    this.#block = 'result';
    this.#seen = undefined;
    this.screen.write(`${inGutter(named, isError)}\n`);
    if (more === 0) return;
    this.folded.push({ name: call.name, text });
    const show = this.takesCommands ? `: /show ${this.folded.length}` : '';
    const count = `… ${more} more line${more === 1 ? '' : 's'}${show}`;
    this.screen.write(`  ${colors.dim(count)}\n`);
  }

  note(text: string): void {
    if (this.quiet) return;
    this.#space('note');
    const lines = wrapWords(visibleText(text).replaceAll('\n', ' '), this.screen.width - 2);
    this.screen.write(`${lines.map((line) => colors.dim(`  ${line}`)).join('\n')}\n`);
  }

  stepEnd(): void {
    this.#close();
  }

  /** Ends the turn; the next begins afresh. */
  end(): void {
    this.#close();
    this.#block = undefined;
    this.#seen = undefined;
    this.#calls = 0;
  }

  /** A new step: its calls are counted anew. */
  step(): void {
    this.#calls = 0;
  }

  #readPlain(reading: ReadPiece): void {
    const { kind, text } = reading;
    if (kind === 'text' || kind === 'aside' || kind === 'reasoning') this.#prose(kind, text);
    else if (kind === 'call-start') this.#beginCall(text);
    else if (kind === 'call-delta') this.#flow?.feed(text);
    else if (kind === 'call-end') this.#endCall();
    else if (kind === 'call-error') this.#failCall(reading);
  }

  #prose(kind: 'text' | 'aside' | 'reasoning', text: string): void {
    if (this.#block !== kind || !this.#flow) {
      // White space alone opens nothing: models put it between their calls.
      if (text.trim() === '') return;
      this.#space(kind);
      this.#seen = undefined;
      this.#flow = this.#newFlow(kind === 'text' ? {} : { style: colors.dim });
    }
    this.#flow.feed(text);
  }

  #newFlow(more: Partial<ConstructorParameters<typeof Flow>[0]>): Flow {
    const write = (piece: string) => this.screen.write(piece);
    return new Flow({ write, width: this.screen.width, clean: visibleText, ...more });
  }

  #beginCall(name: string): void {
    this.#space('call');
    const head = `${callHead(name)} `;
    this.screen.write(head);
    this.#seen = name;
    const from = widthOf(plainly(name)) + 3;
    this.#flow = this.#newFlow({ margin: '    ', from, wrap: 'cut', rows: PREVIEW_ROWS, clean: plainly });
  }

  #endCall(): void {
    const isCut = this.#flow?.isCut === true;
    this.#close();
    if (!isCut) return;
    this.#seen = undefined;
    this.screen.write(`    ${colors.dim('…')}\n`);
  }

  #failCall({ issues = [] }: ReadPiece): void {
    this.#close();
    this.#seen = undefined;
    const reason = issues.map(({ message }) => message).join(' ');
    this.note(`This call is not delivered. ${reason}`);
  }

  #readPairs(reading: ReadPiece): void {
    if (!this.#pairs) {
      this.#close();
      this.#space('text');
      this.#pairs = new RawPairs((text) => this.screen.write(text), this.screen.columns);
    }
    this.#pairs.read(reading);
    if (reading.kind === 'call-start') this.#seen = undefined;
  }

  /** A blank line between things of different kinds; a result stands under its call. */
  #space(block: ViewBlock): void {
    this.#close();
    const before = this.#block;
    if (before !== undefined && !(before === 'call' && block === 'call') && before !== block)
      this.screen.write('\n');
    else if (before === 'result' && block === 'result') this.screen.write('\n');
    this.#block = block;
  }

  #close(): void {
    this.screen.status('');
    this.#pairs?.end();
    this.#pairs = undefined;
    if (!this.#flow) return;
    this.#flow.end();
    this.#flow = undefined;
    this.screen.write('\n');
  }
}

/** Lines of a result that are shown before it is folded. */
const SHOWN = 6;

/** The whole call, an argument a line; texts of several lines as they are. */
function showCall(name: string, input: JsonObject, width: number): string {
  const lines = Object.entries(input).flatMap(([key, value]) => showArgument(plainly(key), value, width));
  return [callHead(name), ...lines].join('\n');
}

function callHead(name: string): string {
  return `${colors.cyan('→')} ${colors.bold(colors.cyan(plainly(name).replaceAll('\n', '⏎')))}`;
}

function showArgument(key: string, value: JsonValue, width: number): string[] {
  const label = `  ${key.replaceAll('\n', '⏎')}: `;
  const text = plainly(typeof value === 'string' ? value : stringifyJson(value, 'compact'));
  const lines = cutLines(foldBlanks(text.replaceAll('\t', '    ')), width - 4);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && label.length + only.length <= width) return [label + only];
  return [label, ...lines.map((line) => `  ${colors.dim('│')} ${line}`)];
}

/** Whether a call says all of itself in one line of JSON that is easily read. */
function isPlainCall(input: JsonObject): boolean {
  const json = stringifyJson(input, 'compact');
  return json.length <= 200 && !json.includes('\\n');
}

function outputText({ output }: ToolResult): string {
  return typeof output === 'string' ? output : indentJson(output, 2);
}

interface Folded {
  lines: string[];
  /** How many lines are not among them. */
  more: number;
}

/** The first lines, cut to the width. One line more is shown rather than announced. */
function foldText(text: string, width: number): Folded {
  const lines = cutLines(plainly(text.trimEnd().replaceAll('\r\n', '\n').replaceAll('\t', '    ')), width);
  if (lines.length <= SHOWN + 1) return { lines, more: 0 };
  return { lines: lines.slice(0, SHOWN), more: lines.length - SHOWN };
}

function inGutter(lines: readonly string[], isError: boolean): string {
  const gutter = isError ? colors.red('│') : colors.dim('│');
  return lines.map((line) => `  ${gutter} ${line}`).join('\n');
}
