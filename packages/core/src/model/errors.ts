// Errors of the programmer who calls us: thrown, with advice on what to do instead.
// Errors of a model are never thrown: see issues.ts.

export type UsageErrorCode =
  | 'unknown-dialect'
  | 'bad-dialect'
  | 'bad-tools'
  | 'bad-tool-name'
  | 'bad-conversation'
  | 'bad-options'
  | 'bad-template'
  | 'template-too-much-work'
  | 'no-prompt-form'
  | 'parser-finished'
  | 'no-grammar'
  | 'grammar-too-large'
  | 'hostile-text';

export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(
    readonly code: UsageErrorCode,
    message: string,
    /** The path in the caller's value, such as `tools[0].function.name`. */
    readonly path?: string,
  ) {
    super(path ? `${path}: ${message}` : message);
  }
}
