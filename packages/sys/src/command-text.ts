// The result of a command as text for the model: how it ended first, so that output cannot pass for it.
//
//   exit code 1
//   stdout:
//   …
//   stderr:
//   …

import type { CommandResult } from './run-command.js';

export function commandText(result: CommandResult, timeout: number, length: number): string {
  const { stdout, stderr } = result;
  // Errors are short as a rule: they may take half, and what they leave is for the rest.
  const forErrors = Math.min(stderr.length, Math.max(Math.floor(length / 2), length - stdout.length));
  const lines = [ending(result, timeout)];
  if (stdout.length > 0) lines.push('stdout:', stdout.toText(length - forErrors));
  if (stderr.length > 0) lines.push('stderr:', stderr.toText(forErrors));
  if (stdout.length + stderr.length === 0) lines.push('(no output)');
  return lines.join('\n').trimEnd();
}

function ending(result: CommandResult, timeout: number): string {
  const { code, signal, timedOut, leftovers, escaped } = result;
  const notes = [code === null ? `ended by ${signal}` : `exit code ${code}`];
  if (timedOut) notes[0] = `ended after ${timeout} ms, which is the time limit`;
  else if (leftovers) notes.push('processes left in the background were ended');
  if (escaped) notes.push('a process that left its group may still be running');
  return notes.join('; ');
}
