// A chat at a terminal: read a line, show the answer, until the person leaves.

import { EXIT, type ExitCode } from '../exit-codes.js';
import { colors } from '../terminal.js';
import { visibleLine, visibleText, wrapWords } from '../visible-text.js';
import { endWords } from './end-words.js';
import { explainFailure } from './explain-failure.js';
import type { History } from './history.js';
import type { Keyboard, KeyboardInput } from './keyboard.js';
import type { Questions } from './questions.js';
import { completeSlash, runSlashCommand, type SlashContext } from './slash-commands.js';

export interface TalkOptions extends SlashContext {
  keyboard: Keyboard;
  questions: Questions;
  history: History;
  quiet: boolean;
}

export class Talk {
  /** The next Ctrl-C at an empty prompt leaves. */
  #armed = false;

  constructor(private readonly options: TalkOptions) {}

  async run(): Promise<ExitCode> {
    const { screen, quiet, keyboard } = this.options;
    if (!quiet) screen.write(`${greeting(this.options)}\n\n`);
    keyboard.start();
    try {
      for (;;) {
        const typed = await this.#input();
        const code = typed.type === 'line' ? await this.#hear(typed) : this.#leaves(typed);
        if (code !== undefined) return code;
      }
    } finally {
      keyboard.stop();
    }
  }

  /** A line, with those that it goes on in. */
  async #input(): Promise<KeyboardInput> {
    const lines: string[] = [];
    let isLong = false;
    for (;;) {
      const prompt = colors.bold(colors.green(lines.length === 0 ? '> ' : '… '));
      const { entries } = this.options.history;
      const typed = await this.options.keyboard.readLine({
        prompt,
        history: entries,
        complete: completeSlash,
      });
      if (typed.type === 'interrupt') return { ...typed, isEmpty: typed.isEmpty && lines.length === 0 };
      if (typed.type === 'end') return typed;
      isLong ||= typed.entry === undefined;
      lines.push(typed.text);
      if (!typed.text.endsWith('\\')) {
        const text = lines.map((line, at) => (at < lines.length - 1 ? line.slice(0, -1) : line)).join('\n');
        return { type: 'line', text, ...(!isLong && { entry: text }) };
      }
    }
  }

  /** The exit code, if this was the last word. */
  async #hear({ text, entry }: { text: string; entry?: string }): Promise<ExitCode | undefined> {
    this.#armed = false;
    if (text.trim() === '') return undefined;
    if (entry !== undefined) this.options.history.add(toEntry(entry));
    if (!text.startsWith('/')) return this.#answer(text.trim());
    const goesOn = await runSlashCommand(text, this.options);
    if (goesOn) this.options.screen.write('\n');
    return goesOn ? undefined : EXIT.done;
  }

  #leaves(typed: Exclude<KeyboardInput, { type: 'line' }>): ExitCode | undefined {
    const { screen } = this.options;
    screen.write('\n');
    if (typed.type === 'end') return EXIT.done;
    if (!typed.isEmpty) {
      this.#armed = false;
      return undefined;
    }
    if (this.#armed) return EXIT.stopped;
    this.#armed = true;
    screen.write(`${colors.dim('  Ctrl-C again leaves; so does Ctrl-D.')}\n`);
    return undefined;
  }

  async #answer(question: string): Promise<ExitCode | undefined> {
    const { session, view, screen, keyboard, questions } = this.options;
    const stop = new AbortController();
    const left = new Promise<'left'>((leave) => {
      keyboard.onInterrupt = () => (stop.signal.aborted ? leave('left') : stop.abort());
    });
    screen.write('\n');
    const turn = session.ask(question, view, stop.signal, async ({ type }) => {
      await questions.idle;
      if (type === 'step-start') view.step();
    });
    try {
      const outcome = await Promise.race([turn, left]);
      if (outcome === 'left') return EXIT.stopped;
      const { reason, error } = outcome.result;
      if (reason === 'error') this.#fail(error);
      const words = endWords(reason, session.options.maxTurns);
      if (words !== undefined) view.note(reason === 'aborted' ? `${words} Ctrl-C again leaves.` : words);
      this.#armed = reason === 'aborted';
      return undefined;
    } finally {
      keyboard.onInterrupt = () => {};
      view.end();
      screen.write('\n');
    }
  }

  #fail(error: unknown): void {
    const { session, view, screen } = this.options;
    view.end();
    const words = visibleText(explainFailure(error, session.options.reached, session.model));
    screen.write(`${wrapWords(words.replaceAll('\n', ' '), screen.width).map(colors.red).join('\n')}\n`);
  }
}

/** In one line, as it is edited. */
function toEntry(text: string): string {
  return text.replaceAll('\n', '␤').replaceAll('\t', '␉');
}

const DEMO =
  'This is the demo model: a few rules, no neural network. It picks a tool by the words of your question, fills it in and quotes what comes back. A tiny neural network: --model tiny. A real one: --upstream <url>.';

const TINY =
  'This is the tiny model: a neural network of 8 MB that runs in this program. It writes calls in every dialect, and knows little else. A large one: --upstream <url>.';

function greeting({ session, sources, screen }: TalkOptions): string {
  const { reached } = session.options;
  const { name, why } = session.spoken;
  const speaks = reached.mode === 'heal' ? 'with native calls' : `in ${colors.bold(name)}, ${why}`;
  const place = reached.isDemo || reached.speak ? '' : ` at ${visibleLine(reached.place)}`;
  const tools = sources.map((source) => `${source.tools.length} of ${visibleLine(source.name)}`);
  const lines = [
    ...(reached.isDemo ? [DEMO] : reached.speak ? [TINY] : []),
    tools.length === 0
      ? 'No tools: --tools sys or --mcp "<command>" give it some.'
      : `Tools: ${tools.join('; ')}`,
    '/help lists what you can type. Ctrl-C stops an answer, Ctrl-D leaves.',
  ];
  const wrapped = lines.flatMap((line) => wrapWords(line, screen.width)).map(colors.dim);
  return [`${colors.bold(visibleLine(session.model))}${place}, ${speaks}`, ...wrapped].join('\n');
}
