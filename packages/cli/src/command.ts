// What a verb is: options that are read, help that teaches, and what it does.

import type { Arguments } from './arguments.js';

export interface Option {
  name: string;
  short?: string;
  /** What stands for the value in the help. Absent: the option takes none. */
  value?: string;
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
  text: string;
}

export interface Command {
  usage: string;
  /** What it does, in a sentence or two. */
  about: string;
  examples: readonly Example[];
  options: readonly Option[];
  sections: readonly Section[];
  /** Gives the exit code. */
  run(args: Arguments): Promise<number>;
}
