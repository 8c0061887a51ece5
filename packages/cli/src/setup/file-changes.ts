// Changes of files: shown as a diff before they are made, and remembered, so that they can be undone.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stateFolder } from '../state-folder.js';
import { colors } from '../terminal.js';
import { visibleLine } from '../visible-text.js';
import { type DiffLine, diffLines } from './diff-lines.js';

export interface FileChange {
  path: string;
  /** Null: there is no such file. */
  before: string | null;
  after: string;
}

/** Null where there is none. Other errors are thrown. */
export function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The lines that differ, with a few around them. */
export function showChange({ path, before, after }: FileChange): string {
  const lines = diffLines(linesOf(before ?? ''), linesOf(after));
  return [`${colors.bold(path)}${before === null ? ' (new)' : ''}`, ...lines.map(shownLine)].join('\n');
}

function shownLine({ kind, line }: DiffLine): string {
  const text = visibleLine(line);
  if (kind === 'removed') return colors.red(`  - ${text}`);
  if (kind === 'added') return colors.green(`  + ${text}`);
  return kind === 'gap' ? colors.dim('    …') : `    ${text}`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** What `--undo` undoes. Readable by its owner alone. */
export function recordFile(env: NodeJS.ProcessEnv): string {
  return join(stateFolder(env), 'init.json');
}

/** Remembers the change first, then makes it. */
export function makeChange(change: FileChange, record: string): void {
  const made = readRecord(record);
  const earlier = made.find(({ path }) => path === change.path);
  const others = made.filter(({ path }) => path !== change.path);
  writeRecord(record, [...others, { ...change, before: earlier ? earlier.before : change.before }]);
  mkdirSync(dirname(change.path), { recursive: true });
  writeFileSync(change.path, change.after);
}

export interface Undone {
  restored: string[];
  /** Files that were not there before. */
  removed: string[];
  /** Files that were changed since: they stay as they are, and remembered. */
  changed: string[];
}

export function undoChanges(record: string): Undone {
  const made = readRecord(record);
  const isOurs = ({ path, after }: FileChange) => textAt(path) === after;
  const ours = made.filter(isOurs);
  for (const { path, before } of ours) {
    if (before === null) rmSync(path);
    else writeFileSync(path, before);
  }
  const changed = made.filter((change) => !ours.includes(change));
  if (changed.length > 0) writeRecord(record, changed);
  else rmSync(record, { force: true });
  const pathsOf = (some: readonly FileChange[]) => some.map(({ path }) => path);
  return {
    restored: pathsOf(ours.filter(({ before }) => before !== null)),
    removed: pathsOf(ours.filter(({ before }) => before === null)),
    changed: pathsOf(changed),
  };
}

function readRecord(record: string): FileChange[] {
  const text = textAt(record);
  return text === null ? [] : (JSON.parse(text) as FileChange[]);
}

function writeRecord(record: string, changes: readonly FileChange[]): void {
  mkdirSync(dirname(record), { recursive: true, mode: 0o700 });
  writeFileSync(record, `${JSON.stringify(changes, null, 2)}\n`, { mode: 0o600 });
}
