// An error that ends a conversion, or prevents it, with a sentence for the person who started it. The sentences name
// options as the command spells them (`--force`): the options of this package have the same names.

/** `usage`: wrong options, or the output exists; `input`: the input cannot be read; `upstream`: the queue. */
export type ConvertErrorCode = 'usage' | 'input' | 'upstream';

export class ConvertError extends Error {
  override readonly name = 'ConvertError';

  constructor(
    message: string,
    readonly code: ConvertErrorCode = 'usage',
  ) {
    super(message);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
