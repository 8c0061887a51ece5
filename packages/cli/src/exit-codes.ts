// Exit codes. The same number means the same in every verb.

export const EXIT = {
  done: 0,
  /** Done with exceptions: rows set aside, issues in the input. */
  partial: 1,
  /** Invalid command-line option. */
  usage: 2,
  /** The input is missing or invalid. */
  input: 3,
  /** The model's server, a tool's server or the queue did not answer, or refused. */
  upstream: 4,
  /** A fault of the command itself. */
  internal: 70,
  /** Stopped by Ctrl-C. */
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
