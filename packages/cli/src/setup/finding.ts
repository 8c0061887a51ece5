import type { ExitCode } from '../exit-codes.js';

/** What one check of `dragoman doctor` found. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  text: string;
  /** What to do. */
  advice?: string;
  /** The exit code that it leads to. Absent: 0. */
  code?: ExitCode;
}
