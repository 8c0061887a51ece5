// The exit codes in words, as the help and the documentation print them.

import { EXIT, type ExitCode } from './exit-codes.js';
import { indent, padTo, wrapWords } from './visible-text.js';

export const exitTable: readonly { code: ExitCode; name: string; means: string }[] = [
  { code: EXIT.done, name: 'done', means: 'Everything was done.' },
  {
    code: EXIT.partial,
    name: 'partial',
    means: 'Done, but not all of it: issues in what was read, or rows that were set aside.',
  },
  {
    code: EXIT.usage,
    name: 'usage',
    means: 'The command was called wrongly. The message states what was expected.',
  },
  {
    code: EXIT.input,
    name: 'input',
    means: 'The input is missing or invalid.',
  },
  {
    code: EXIT.upstream,
    name: 'upstream',
    means: "The model's server, a tool's server or the queue did not answer, or refused.",
  },
  {
    code: EXIT.internal,
    name: 'internal',
    means: 'A fault of the command itself: please report it, with what it printed.',
  },
  { code: EXIT.stopped, name: 'stopped', means: 'Stopped by Ctrl-C.' },
];

const CODE_WIDTH = 5;
const NAME_WIDTH = 10;

export function showExitTable(width: number): string {
  const margin = CODE_WIDTH + NAME_WIDTH;
  const rows = exitTable.map(({ code, name, means }) => {
    const [first = '', ...rest] = wrapWords(means, width - margin);
    const head = `${padTo(String(code), CODE_WIDTH)}${padTo(name, NAME_WIDTH)}${first}`;
    return [head, ...rest.map((line) => indent(line, margin))].join('\n');
  });
  return rows.join('\n');
}
