// The type of a verb: its options, its help and its function.

import type { Arguments } from './arguments.js';

/** Shell completion of a word: names, files, folders, or nothing. */
export type Completes = 'file' | 'folder' | readonly string[];

export interface Option {
  name: string;
  short?: string;
  /** The placeholder of the value in the help. Absent: the option takes no value. */
  value?: string;
  /** Shell completion of the value. Absent: none. */
  completes?: Completes;
  /** May be given several times. */
  many?: boolean;
  /** One sentence, with the default. */
  about: string;
}

interface HelpExample {
  says: string;
  /** Works when pasted into a POSIX shell. */
  run: string;
  /** It runs until it is stopped. */
  stays?: true;
}

interface Section {
  title: string;
  /** A function if it loads much: only help needs it. */
  text: string | (() => Promise<string>);
}

export interface Command {
  usage: string;
  /** What it does, in a sentence or two. */
  about: string;
  examples: readonly HelpExample[];
  options: readonly Option[];
  /** Shell completion of positional arguments. Absent: none. */
  words?: Completes;
  sections: readonly Section[];
  /** Gives the exit code. */
  run(args: Arguments): Promise<number>;
}
