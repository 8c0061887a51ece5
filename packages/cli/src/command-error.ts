/** What the person at the keyboard did wrong. Printed as a sentence, without a stack; the exit code is 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Errors that are sentences for a reader. Told by name, so that the core need not be loaded to ask. */
export function isForReader(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'CommandError' || error.name === 'UsageError');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
