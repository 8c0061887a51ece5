// "May it run?": one question at a time, with the whole call in sight.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { extentOf } from '@dragoman/core/agent';
import { colors } from '../terminal.js';
import { wrapWords } from '../visible-text.js';
import type { GateAnswer, ToolAction } from './gate.js';
import type { Keyboard } from './keyboard.js';
import { plainly } from './plainly.js';
import type { Screen } from './screen.js';
import type { TerminalView } from './terminal-view.js';

const verdicts = new Map<string | undefined, GateAnswer>([
  ['y', 'yes'],
  ['a', 'always'],
]);

export class Questions {
  /** Resolves when no question is open. Until then nothing else is shown. */
  idle: Promise<void> = Promise.resolve();

  constructor(
    private readonly keyboard: Keyboard,
    private readonly view: TerminalView,
    private readonly screen: Screen,
  ) {}

  readonly ask = async (action: ToolAction, signal: AbortSignal): Promise<GateAnswer> => {
    // Output from before the question is shown first.
    await nextTurn();
    const verdict = this.idle.then(() => this.#ask(action, signal));
    this.idle = verdict.then(
      () => {},
      () => {},
    );
    return verdict;
  };

  async #ask({ name, input, summary }: ToolAction, signal: AbortSignal): Promise<GateAnswer> {
    const rows = this.view.showCall(name, input);
    const shown = plainly(name);
    const what = summary === undefined ? `May ${shown} run?` : firstLine(summary);
    const about = [what, ...aboutLength(input, rows > this.screen.rows - ROWS_BELOW)];
    const lines = about.flatMap((line) => wrapWords(line, this.screen.width - 4)).join('\n    ');
    const keys = `${key('y')}es  ${key('n')}o  ${key('a')}lways for ${shown}: `;
    this.screen.write(`  ${colors.yellow('?')} ${lines}\n    ${keys}`);
    const pressed = await this.keyboard.readKey(['y', 'n', 'a'], signal);
    const verdict = verdicts.get(pressed) ?? 'no';
    this.screen.write(`${colors.bold(verdict)}\n`);
    return verdict;
  }
}

/** Rows that the question itself takes. */
const ROWS_BELOW = 5;

/**
 * Says how long each text of many lines is, where it begins and ends, and that not all of the call is in sight. If no text
 * has many lines, but the call is long, its longest text is described.
 */
export function aboutLength(input: ToolAction['input'], isLong: boolean): string[] {
  const texts = textsIn(input, '');
  const many = texts.filter(({ text }) => text.split('\n').length > MANY_LINES);
  const longest = texts.toSorted((one, other) => other.text.length - one.text.length).slice(0, 1);
  const described = many.length > 0 ? many : isLong ? longest : [];
  const name = ({ path, text }: CallText) =>
    texts.length > 1 ? `${plainly(path)}: ${extentOf(text)}` : extentOf(text);
  const lines = described.slice(0, MOST_DESCRIBED).map(name);
  const rest = described.length - lines.length;
  if (rest > 0) lines.push(`${rest} more texts of more than ${MANY_LINES} lines.`);
  return [...lines, ...(isLong ? ['Not all of it is in sight: scroll up before you answer.'] : [])];
}

/** A text of more lines has its first and last one repeated at the question. */
const MANY_LINES = 8;
/** More texts than these are only counted: the question itself has to be in sight. */
const MOST_DESCRIBED = 8;

interface CallText {
  /** Where it is in the call: `steps.0.command`. */
  path: string;
  text: string;
}

function textsIn(value: unknown, path: string): CallText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return members.flatMap(([key, member]) => textsIn(member, path === '' ? `${key}` : `${path}.${key}`));
}

function key(letter: string): string {
  return colors.bold(`[${letter}]`);
}

/** The call itself stands above, whole. */
function firstLine(summary: string): string {
  const text = plainly(summary);
  const end = text.indexOf('\n');
  const line = end < 0 ? text : `${text.slice(0, end)} …`;
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
