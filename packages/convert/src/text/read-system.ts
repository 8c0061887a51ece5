// Reads a system message from text: its own text, and the tools in its instructions.
//
//   You are helpful.\n\n# Tools … <tools>\n{"type": "function" …}\n</tools> …
//   ^ text              ^ before          ^ definitions         ^ after

import type { Dialect, RenderOptions, TaughtFrame, Tool } from '@dragoman/core/internal';
import { acceptTools, readText, UsageError } from '@dragoman/core/internal';
import { RowError } from '../forms/form.js';
import { quickly } from '../quick/index.js';
import { recallTools, rememberTools } from '../quick/shared-tools.js';
import { layoutOf, USUAL_GAP, writeInstructions } from './layout.js';

export interface ReadSystem {
  text: string;
  /** The tools it defines; undefined if it has no tool instructions. */
  tools?: readonly Tool[];
  taught?: TaughtFrame;
  /** The text after the tool instructions: in a prompt, the next system text may have no token. */
  behind: string;
}

/** How many places to try: the opening of the instructions may also occur in a text or a definition. */
const TRIES = 8;

/** `given`: the tools, if they are known. Throws a RowError for tool instructions in other words than ours. */
export function readSystem(
  dialect: Dialect,
  written: string,
  given: readonly Tool[] | undefined,
  path: string,
  gap = USUAL_GAP,
): ReadSystem {
  const found = given && given.length > 0 ? findGiven(dialect, written, given) : findTaught(dialect, written);
  const front = found ? written.slice(0, found.start) : written;
  const text = readText(dialect, found ? withoutGap(front, gap) : front);
  const behind = readText(dialect, found ? written.slice(found.end) : '');
  // Instructions without a marker can only be recognised by their words.
  const isOther = !found && isTeaching(dialect, written);
  if (text === undefined || behind === undefined || isOther) throw otherTeaching(dialect, written, path);
  return { text, behind, ...(found && { tools: found.tools, taught: found.taught }) };
}

interface Found {
  start: number;
  end: number;
  tools: readonly Tool[];
  taught: TaughtFrame;
}

function findGiven(dialect: Dialect, written: string, tools: readonly Tool[]): Found | undefined {
  for (const taught of layoutOf(dialect).taught) {
    if (!written.endsWith(taught.after)) continue;
    const { text } = writeInstructions(dialect, tools, taught.options);
    if (written.endsWith(text))
      return { start: written.length - text.length, end: written.length, tools, taught };
  }
  return undefined;
}

function findTaught(dialect: Dialect, written: string): Found | undefined {
  for (const taught of layoutOf(dialect).taught) {
    const { before, after } = taught;
    let start = before === '' ? -1 : written.indexOf(before);
    for (let tries = 0; start >= 0 && tries < TRIES; tries++) {
      const inner = start + before.length;
      const end = written.indexOf(after, inner);
      const tools = end < 0 ? undefined : readTools(dialect, written.slice(inner, end), taught);
      if (tools) return { start, end: end + after.length, tools, taught };
      start = written.indexOf(before, start + 1);
    }
  }
  return undefined;
}

function readTools(dialect: Dialect, text: string, { options }: TaughtFrame): readonly Tool[] | undefined {
  return quickly(
    'taught-tools',
    () => recallTools(options, text),
    () => readDefinitions(dialect, text, options),
  );
}

function readDefinitions(
  dialect: Dialect,
  text: string,
  options: RenderOptions,
): readonly Tool[] | undefined {
  const read = dialect.render.back?.tools?.(text, options);
  if (read === undefined) return undefined;
  try {
    return rememberTools(options, text, acceptTools(read));
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** Removes the separator between a system text and the tool instructions. */
function withoutGap(front: string, gap: string): string {
  if (front.endsWith(gap)) return front.slice(0, -gap.length);
  return front.trim() === '' ? '' : front;
}

/** Whether the text holds the beginning of tool instructions. */
export function isTeaching(dialect: Dialect, written: string): boolean {
  return layoutOf(dialect).taught.some(({ before }) => before !== '' && written.includes(before));
}

function otherTeaching(dialect: Dialect, written: string, path: string): RowError {
  const isOurs = isTeaching(dialect, written);
  const canRead = dialect.render.back?.tools !== undefined;
  const found = !isOurs
    ? `found markers of ${dialect.name} in other words than ours`
    : canRead
      ? `found the words that teach ${dialect.name}, but not with the tools of this row, or changed`
      : `found the words that teach ${dialect.name}, from which tools cannot be read`;
  const message =
    `expected a system text, with what teaches ${dialect.name} as it is rendered here; ${found}. ` +
    'Take the part that teaches out of the text and give the definitions as the member `tools`.';
  return new RowError(path, message);
}
