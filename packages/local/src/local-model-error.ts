/** What keeps a model of this machine from being used, in one sentence that says what to do. */
export class LocalModelError extends Error {
  override readonly name = 'LocalModelError';

  constructor(
    readonly code:
      | 'no-file' // no such file or folder, or it cannot be opened
      | 'bad-file' // not a GGUF file, or damaged
      | 'no-template' // the file has no chat template, and the dialect no whole prompt
      | 'no-engine' // node-llama-cpp is not installed
      | 'not-loaded', // the engine refused the file
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
