// Reads the keyboard: lines at a prompt, single keys for a question, and Ctrl-C at any time. It owns standard input from
// start to stop. Input outside of a prompt or question is dropped, so that no key answers a question before it is shown.

import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { visibleText } from '../visible-text.js';
import { fromOneLine, PASTE_OFF, PASTE_ON, PasteReader, toOneLine } from './paste.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** Longer pastes are shown as a placeholder in the line. */
const LONG_PASTE = 1_000;

export type KeyboardInput =
  | {
      type: 'line';
      text: string /** As it can be edited again; absent where it is too long for that. */;
      entry?: string;
    }
  | { type: 'interrupt' /** Nothing was typed. */; isEmpty: boolean }
  | { type: 'end' };

export interface LineOptions {
  prompt: string;
  /** The newest first. */
  history: readonly string[];
  complete(line: string): [string[], string];
}

export class Keyboard {
  /** Called on Ctrl-C outside of a prompt and a question. */
  onInterrupt: () => void = () => {};
  #take: (text: string) => void = () => {};
  readonly #decoder = new StringDecoder('utf8');

  constructor(
    private readonly stdin: NodeJS.ReadStream = process.stdin,
    private readonly stdout: NodeJS.WriteStream = process.stdout,
  ) {}

  start(): void {
    this.#idle();
    this.stdin.setRawMode(true);
    this.stdin.on('data', this.#onData);
    this.stdin.on('end', this.#onEnd);
    this.stdout.write(PASTE_ON);
    process.on('SIGINT', this.#onSignal);
    process.on('SIGCONT', this.#onContinue);
  }

  stop(): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGCONT', this.#onContinue);
    this.stdout.write(PASTE_OFF);
    this.stdin.off('data', this.#onData);
    this.stdin.off('end', this.#onEnd);
    this.stdin.setRawMode(false);
    this.stdin.pause();
  }

  /** A line, or several: lines that come at once belong together. */
  async readLine(options: LineOptions): Promise<KeyboardInput> {
    const pasted: string[] = [];
    const typed = await this.#edit(options, pasted);
    if (typed.type !== 'line') return typed;
    const text = fromOneLine(typed.text);
    if (pasted.length === 0) return { type: 'line', text, entry: toOneLine(text) };
    return { type: 'line', text: text.replace(/\[#(\d+): \d+ lines?\]/g, (all, n) => pasted[n - 1] ?? all) };
  }

  /** Waits for one of these keys; undefined when the signal is aborted. Ctrl-C is reported and aborts the wait. */
  async readKey(keys: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    return new Promise((resolve) => {
      const settle = (key: string | undefined) => {
        signal.removeEventListener('abort', onAbort);
        this.#idle();
        resolve(key);
      };
      const onAbort = () => settle(undefined);
      signal.addEventListener('abort', onAbort);
      this.#take = (text) => {
        if (text.includes(CTRL_C)) this.onInterrupt();
        // A key alone, or with Enter: a paste is no answer.
        const key = withoutBreaksAtEnd(text).toLowerCase();
        if (text.includes(CTRL_D)) settle(undefined);
        else if (keys.includes(key)) settle(key);
      };
    });
  }

  #edit({ prompt, history, complete }: LineOptions, pasted: string[]): Promise<KeyboardInput> {
    const input = Object.assign(new PassThrough(), {
      setRawMode: (on: boolean) => this.stdin.setRawMode(on),
    });
    const lines = createInterface({
      input,
      output: this.stdout,
      terminal: true,
      prompt,
      history: [...history],
      historySize: 1_000,
      completer: complete,
    });
    return new Promise((resolve) => {
      const given: string[] = [];
      const settle = (typed: KeyboardInput) => {
        this.#idle();
        lines.removeAllListeners('close');
        lines.close();
        this.stdin.setRawMode(true);
        resolve(typed);
      };
      lines.on('line', (line) => {
        if (given.push(line) > 1) return;
        setImmediate(() => settle({ type: 'line', text: given.join('\n') }));
      });
      lines.on('SIGINT', () => settle({ type: 'interrupt', isEmpty: lines.line === '' }));
      lines.on('close', () => settle({ type: 'end' }));
      const pastes = new PasteReader();
      this.#take = (text) => {
        for (const piece of pastes.feed(text)) {
          if (piece.pasted) this.#insert(lines, piece.text, pasted);
          // Synchronous: a stream would change the order.
          else input.emit('data', Buffer.from(piece.text));
        }
      };
      lines.prompt();
    });
  }

  #insert(lines: Interface, text: string, pasted: string[]): void {
    const trimmed = withoutBreaksAtEnd(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    if (trimmed.length <= LONG_PASTE) {
      lines.write(visibleText(toOneLine(trimmed)));
      return;
    }
    const count = trimmed.split('\n').length;
    lines.write(`[#${pasted.push(trimmed)}: ${count} line${count === 1 ? '' : 's'}]`);
  }

  #idle(): void {
    this.#take = (text) => {
      if (text.includes(CTRL_C)) this.onInterrupt();
    };
  }

  readonly #onData = (bytes: Buffer): void => this.#take(this.#decoder.write(bytes));
  readonly #onSignal = (): void => this.#take(CTRL_C);
  readonly #onContinue = (): void => {
    this.stdin.setRawMode(true);
    this.stdout.write(PASTE_ON);
  };
  /** The terminal went away. */
  readonly #onEnd = (): void => this.#take(CTRL_D);
}

function withoutBreaksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return text.slice(0, end);
}
