// The type of a verb: its options, its help and its function.

import type { Arguments } from './arguments.js';

/** Shell completion of a word: names, files, folders, or nothing. */
export type Completes = 'file' | 'folder' | readonly string[];

/**
 * Options as the help prints them: `-o, --output <path>`, and a sentence with the default. `…` at the end: it may be
 * given several times.
 */
export type OptionTable = Readonly<Record<string, string>>;

export interface Command {
  usage: string;
  /** What it does, in a sentence or two. */
  about: string;
  /** By what they show. Each works when pasted into a POSIX shell. */
  examples: Readonly<Record<string, string>>;
  options: OptionTable;
  /** Shell completion of values, by option. Default: files for <file>, folders for <folder>, else none. */
  completes?: Readonly<Record<string, Completes>>;
  /** Shell completion of positional arguments. Absent: none. */
  words?: Completes;
  /** By their title. A function if it loads much: only help needs it. */
  sections: Readonly<Record<string, string | (() => Promise<string>)>>;
  /** Gives the exit code. */
  run(args: Arguments): Promise<number>;
}

/** An option of a table. */
export interface Option {
  name: string;
  short?: string;
  /** The placeholder of the value in the help. Absent: the option takes no value. */
  value?: string;
  completes?: Completes;
  many: boolean;
  about: string;
}
