// The files that a command names each have one use: what one option writes must not replace what another reads or writes.
// Files inside of folders that it names are not looked for.

import { statSync } from 'node:fs';
import type { Arguments } from './arguments.js';
import { CommandError } from './command-error.js';
import { fileBehindLinks } from './file-behind-links.js';

/** Options that name a file to read, and a file to write. */
const READ = ['tokenizer', 'join', 'dialect'];
const WRITTEN = ['output', 'bad', 'report', 'html'];

/** Throws a CommandError where a file that is written is another file of the command. Folders and pipes may be shared. */
export function checkOwnFiles(args: Arguments): void {
  const uses = new Map<string, string>();
  const read = [
    ...args.words.map((path) => ({ use: 'the input', path })),
    ...READ.flatMap((name) => args.values(name).map((path) => ({ use: `--${name}`, path }))),
  ];
  for (const { use, path } of read) if (isOfOneUse(path)) uses.set(fileBehindLinks(path), use);
  for (const name of WRITTEN) {
    const path = args.value(name);
    if (path === undefined || !isOfOneUse(path)) continue;
    const other = uses.get(fileBehindLinks(path));
    // What becomes of an output that is there, or is the input, the conversion itself says.
    if (other && !(name === 'output' && other === 'the input'))
      throw new CommandError(`--${name}: ${path} is ${other} as well and would be lost; name another file`);
    uses.set(fileBehindLinks(path), `--${name}`);
    if (name === 'output' && !args.has('bad'))
      uses.set(fileBehindLinks(`${path}.bad.jsonl`), 'the file of rows that are set aside');
  }
}

function isOfOneUse(path: string): boolean {
  if (path === '-') return false;
  try {
    return statSync(path).isFile();
  } catch {
    // Not there yet, or not to be reached, which its own use says.
    return true;
  }
}
