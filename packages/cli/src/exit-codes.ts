// How a verb ended, for scripts. The same numbers mean the same in every verb.

export const EXIT = {
  done: 0,
  /** Done, but not all of it: rows set aside, issues in what was read. */
  partial: 1,
  /** Called wrongly. */
  usage: 2,
  /** What was to be read is not there, or is not what it should be. */
  input: 3,
  /** The model's server, a tool's server or the queue did not answer, or refused. */
  upstream: 4,
  /** A fault of the command itself. */
  internal: 70,
  /** Stopped by Ctrl-C. */
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
