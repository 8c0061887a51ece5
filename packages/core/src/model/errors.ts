// What the programmer did wrong. Thrown, and says what to do instead.
// What a model did wrong is never thrown: see issues.ts.

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
    /** Where in the caller's value, as a path such as `tools[0].function.name`. */
    readonly path?: string,
  ) {
    super(path ? `${path}: ${message}` : message);
  }
}
