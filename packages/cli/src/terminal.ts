// Properties of standard output, and writing to it.

import { once } from 'node:events';
import picocolors from 'picocolors';

export const isTerminal = process.stdout.isTTY === true;

/** NO_COLOR and FORCE_COLOR are obeyed, a pipe gets no colours. */
function wantsColors(env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

export const colors = { ...picocolors.createColors(wantsColors(process.env)) };

/** `--no-color`: for us, for what is loaded later, and for what we start. */
export function withoutColors(): void {
  process.env.NO_COLOR = '1';
  Object.assign(colors, picocolors.createColors(false));
}

let quiet = false;

/** Resets the options, for a second command in the same process. */
export function askTerminal(): void {
  Object.assign(colors, picocolors.createColors(wantsColors(process.env)));
  quiet = false;
}

/** `--quiet`: suppresses notes from here on. */
export function withoutNotes(): void {
  quiet = true;
}

/** A line for the person at the terminal, beside the result. Errors are no notes. */
export function note(text: string): void {
  if (!quiet) process.stderr.write(`${text}\n`);
}

/** Columns to fill: as many as there are, within what is pleasant to read. */
export function columns(): number {
  return Math.min(Math.max(process.stdout.columns ?? 80, 40), 100);
}

/** Waits where the reader is slower than we are. */
export async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

export function writeLine(text: string): Promise<void> {
  return write(`${text}\n`);
}

/** A reader that has gone away (`dragoman … | head`) is no error. */
export function endQuietlyWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
}
