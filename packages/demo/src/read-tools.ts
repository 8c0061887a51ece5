// Finds the dialect of the tool instructions in a system message, and the tools in them.

import {
  acceptTools,
  type Dialect,
  type TaughtFrame,
  type Tool,
  taughtFrames,
  UsageError,
} from '@dragoman/core/internal';
import { readSignatures } from './read-signatures.js';

export interface TaughtTools {
  /** More than one if several dialects have the same tool instructions. */
  dialects: readonly Dialect[];
  tools: Tool[];
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

function readTools(text: string, dialect: Dialect, options: TaughtFrame['options']): Tool[] | undefined {
  const reader = dialect.render.back?.tools;
  const isTypeScript = text.trimStart().startsWith('declare ') || text.trimStart().startsWith('type ');
  try {
    return acceptTools(
      reader?.(text, options) ??
        (isTypeScript ? readSignatures(text, dialect.traits.namespace) : jsonLines(text)),
    );
  } catch (error) {
    if (error instanceof UsageError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads definitions of a dialect without a reader of its own: JSON, one a line. */
function jsonLines(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim().startsWith('{'));
  return lines.map((line) => JSON.parse(line.slice(0, line.lastIndexOf('}') + 1)));
}
