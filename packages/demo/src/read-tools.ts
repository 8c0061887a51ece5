// Finds the dialect of the tool instructions in a system message, and the tools in them.

import {
  acceptTools,
  type Dialect,
  readSignatures,
  readToolLines,
  type TaughtFrame,
  type Tool,
  taughtFrames,
  UsageError,
} from '@dragoman/core/internal';

export interface TaughtTools {
  /** More than one if several dialects have the same tool instructions. */
  dialects: readonly Dialect[];
  tools: readonly Tool[];
}

interface SharedFrame extends TaughtFrame {
  dialects: Dialect[];
}

const framesOfList = new WeakMap<readonly Dialect[], readonly SharedFrame[]>();

/** Takes the longest frame that matches: the instructions of one dialect may begin like those of another. */
export function readTaughtTools(system: string, known: readonly Dialect[]): TaughtTools | undefined {
  const frames = framesOfList.get(known) ?? sharedFrames(known);
  framesOfList.set(known, frames);
  const starts = new Map<string, number>();
  for (const { dialects, options, before, after } of frames) {
    const start = starts.get(before) ?? system.lastIndexOf(before);
    starts.set(before, start);
    const from = start + before.length;
    const to = start < 0 ? -1 : after === '' ? system.length : system.indexOf(after, from);
    const tools = to < 0 ? undefined : readTools(system.slice(from, to), dialects[0] as Dialect, options);
    if (tools) return { dialects, tools };
  }
  return undefined;
}

function sharedFrames(dialects: readonly Dialect[]): SharedFrame[] {
  const found = new Map<string, SharedFrame>();
  for (const dialect of dialects) {
    for (const frame of taughtFrames(dialect)) {
      const key = `${frame.before}\n${frame.after}`;
      const shared = found.get(key) ?? { ...frame, dialects: [] };
      shared.dialects.push(dialect);
      found.set(key, shared);
    }
  }
  const length = ({ before, after }: SharedFrame) => before.length + after.length;
  return [...found.values()].filter(({ before }) => before !== '').sort((a, b) => length(b) - length(a));
}

function readTools(
  text: string,
  dialect: Dialect,
  options: TaughtFrame['options'],
): readonly Tool[] | undefined {
  try {
    const read = dialect.render.back?.tools?.(text, options) ?? readToolLines(text);
    const tools = acceptTools(read ?? readSignatures(text));
    return tools.length > 0 ? tools : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
