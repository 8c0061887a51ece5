import { EXIT, type ExitCode } from './exit-codes.js';

/** What went wrong outside of the command. Printed as a sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.usage,
  ) {
    super(message);
  }
}

const sentences: ReadonlySet<string> = new Set(['CommandError', 'ConvertError', 'UsageError']);

/** Errors that are sentences for a reader. Told by name, so that the core need not be loaded to ask. */
export function isForReader(error: unknown): error is Error {
  return error instanceof Error && sentences.has(error.name);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
