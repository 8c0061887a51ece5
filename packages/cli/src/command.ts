// What a verb is: options that are read, help that teaches, and what it does.

import type { Arguments } from './arguments.js';

/** What a shell offers for a word: names, files, folders, or nothing. */
export type Completes = 'file' | 'folder' | readonly string[];

export interface Option {
  name: string;
  short?: string;
  /** What stands for the value in the help. Absent: the option takes none. */
  value?: string;
  /** What a shell offers for the value. Absent: nothing. */
  completes?: Completes;
  /** May be given several times. */
  many?: boolean;
  /** One sentence, with the default. */
  about: string;
}

interface Example {
  says: string;
  /** Works when pasted into a POSIX shell. */
  run: string;
  /** Goes on until it is stopped. */
  stays?: true;
}

interface Section {
  title: string;
  /** A function where much has to be loaded for it: not every run asks for help. */
  text: string | (() => Promise<string>);
}

export interface Command {
  usage: string;
  /** What it does, in a sentence or two. */
  about: string;
  examples: readonly Example[];
  options: readonly Option[];
  /** What a shell offers for words that are no options. Absent: nothing. */
  words?: Completes;
  sections: readonly Section[];
  /** Gives the exit code. */
  run(args: Arguments): Promise<number>;
}
