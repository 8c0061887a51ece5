// The files that a command names each have one use: what one option writes must not replace what another reads or writes,
// nor a file of a folder that is read.

import { existsSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
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
    ...args.values('tokenizer').flatMap(besideTokenizer),
  ];
  for (const { use, path } of read) if (isOfOneUse(path)) uses.set(fileBehindLinks(path), use);
  for (const name of WRITTEN) {
    const path = args.value(name);
    if (path === undefined || !isOfOneUse(path)) continue;
    const other = uses.get(fileBehindLinks(path));
    // What becomes of an output that is there, or is the input, the conversion itself says.
    if (other && !(name === 'output' && other === 'the input'))
      throw new CommandError(`--${name}: ${path} is ${other} as well and would be lost; name another file`);
    if (name !== 'output') checkFolders(args, name, path);
    uses.set(fileBehindLinks(path), `--${name}`);
    if (name === 'output' && !args.has('bad'))
      uses.set(fileBehindLinks(`${path}.bad.jsonl`), 'the file of rows that are set aside');
  }
}

/** What is read beside a tokenizer, for taught messages. */
function besideTokenizer(path: string): { use: string; path: string }[] {
  const names = ['tokenizer_config.json', 'chat_template.jinja'];
  return names.map((name) => ({ use: 'a file of --tokenizer', path: join(dirname(path), name) }));
}

/** Files that are not there yet may be written into a folder that is read. */
function checkFolders(args: Arguments, name: string, path: string): void {
  if (!existsSync(path)) return;
  const folder = args.words.find(
    (word) => isFolder(word) && fileBehindLinks(path).startsWith(fileBehindLinks(word) + sep),
  );
  if (folder !== undefined)
    throw new CommandError(
      `--${name}: ${path} is a file of the input folder ${folder} and would be lost; name another file`,
    );
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function isOfOneUse(path: string): boolean {
  if (path === '-') return false;
  try {
    return statSync(path).isFile();
  } catch {
    // Not there yet, or not to be reached, which its own use says.
    return true;
  }
}
