import { EXIT, type ExitCode } from './exit-codes.js';

/** An error that is not a fault of the command. Printed as a sentence, without a stack. */
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

/** Whether the message of an error is written for users. Checked by name, so that core need not be loaded. */
export function isForReader(error: unknown): error is Error {
  return error instanceof Error && sentences.has(error.name);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
