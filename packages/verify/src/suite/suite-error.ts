/** A suite that cannot be read: the number of the line, and what is wrong with it. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}
