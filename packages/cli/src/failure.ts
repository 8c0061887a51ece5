// Turns an error into a message and an exit code.

import { CommandError, isForReader } from './command-error.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { visibleText } from './visible-text.js';

export interface Failure {
  text: string;
  code: ExitCode;
}

export function failureOf(error: unknown): Failure {
  if (isForReader(error)) return { text: visibleText(error.message), code: codeOf(error) };
  // A bug of the command: a report needs the stack.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, code: EXIT.internal };
}

/** Error codes of core that concern the input, not the options. */
const aboutInput: ReadonlySet<string> = new Set(
  'input bad-tools bad-tool-name bad-conversation bad-template template-too-much-work hostile-text'.split(
    ' ',
  ),
);

function codeOf(error: Error): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  const { code } = error as { code?: unknown };
  // The codes of a ConvertError are names of exit codes.
  if (code === 'upstream') return EXIT.upstream;
  return typeof code === 'string' && aboutInput.has(code) ? EXIT.input : EXIT.usage;
}
