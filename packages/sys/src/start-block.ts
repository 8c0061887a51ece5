// Takes keys out of what the system shows of this process.
//
// Linux shows the environment and the arguments that a process was started with to every process of the same user, in
// /proc/<pid>/environ and /proc/<pid>/cmdline: to a command of the model as well. Both are read from the memory of the
// process, where the kernel put them. Changing `process.env` does not change that memory, so this writes over it:
//
//   arguments  node bin chat --upstream-key sk-1        environment  PATH=/bin  OPENAI_API_KEY=sk-1
//              node bin chat --upstream-key ****                     PATH=/bin  (NUL characters)
//
// Hidden are the values of options for keys, headers and MCP servers (before whose command keys are written), and the
// user and the keys in URLs.
//
// `process.env` keeps its values: each is set again first, for which the C library takes memory of its own.
//
// Not promised: processes around this one (npx, a shell, a gateway) show what they were started with; a debugger of the
// same user can read all memory. docs/security.md says what helps against both.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** Places of fields in /proc/self/stat behind the name, see proc(5): arg_start, arg_end, env_start, env_end. */
const FIELDS = { arguments: [45, 46], environment: [47, 48] } as const;

/** An option whose value is or holds a key, given in the next argument or behind `=`. */
const keyOption = /^(?:--?[a-z0-9-]*(?:key|token|secret|password|headers?|mcp)|-H)(?:=|$)/i;
/** `//user:password@host`. */
const urlUser = /\/\/[^/\s@]{1,1024}@/g;
/** `?api_key=…`, `&token=…`. */
const urlKey = /[?&][\w.-]{0,40}(?:key|token|secret|password|signature)=[^&#\s]{1,4096}/gi;

/** Hides the environment but for variables that commands get, and arguments that hold keys. Gives whether it could. */
export function hideStartBlock(isShown: (name: string) => boolean): boolean {
  // The environment of a worker thread is a copy: the original is still in use.
  if (process.platform !== 'linux' || !isMainThread) return false;
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ofArguments = hide(fields, 'arguments', readFileSync('/proc/self/cmdline'), withoutKeys);
    const environment = readFileSync('/proc/self/environ');
    return hide(fields, 'environment', environment, (all) => withoutOthers(all, isShown)) && ofArguments;
  } catch {
    return false;
  }
}

/** Gives whether it could. */
export function hide(
  fields: readonly string[],
  block: keyof typeof FIELDS,
  bytes: Buffer,
  hidden: (entries: Buffer[]) => Buffer[],
): boolean {
  const [start = 0, end = 0] = FIELDS[block].map((field) => Number(fields[field]));
  // A process that renamed itself shows something else here.
  if (start === 0 || end - start !== bytes.length) return false;
  const entries = bytes.toString('latin1').split('\0');
  const written = hidden(entries.map((entry) => Buffer.from(entry, 'latin1')));
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const text = written.map((entry) => entry.toString('latin1')).join('\0');
    return writeSync(memory, Buffer.from(text, 'latin1'), 0, bytes.length, start) === bytes.length;
  } finally {
    closeSync(memory);
  }
}

/** The entries are read as Latin-1, so that a character is a byte. */
export function withoutKeys(entries: Buffer[]): Buffer[] {
  const texts = entries.map((entry) => entry.toString('latin1'));
  return texts.map((text, at) => Buffer.from(withoutKey(text, texts[at - 1] ?? ''), 'latin1'));
}

function withoutKey(text: string, before: string): string {
  const isOption = keyOption.test(text);
  // A key may begin with a dash; another option for a key is none.
  if (keyOption.test(before) && !before.includes('=') && !isOption) return '*'.repeat(text.length);
  if (isOption && text.includes('=')) return starred(text, text.indexOf('=') + 1, text.length);
  return text
    .replace(urlUser, (found) => starred(found, 2, found.length - 1))
    .replace(urlKey, (found) => starred(found, found.indexOf('=') + 1, found.length));
}

function starred(text: string, from: number, to: number): string {
  return text.slice(0, from) + '*'.repeat(to - from) + text.slice(to);
}

function withoutOthers(entries: Buffer[], isShown: (name: string) => boolean): Buffer[] {
  return entries.map((entry) => {
    const text = entry.toString();
    const name = text.slice(0, text.indexOf('='));
    if (isShown(name) || !isSetAgain(name, text, entry)) return entry;
    return Buffer.alloc(entry.length);
  });
}

/** Moves a variable into memory of the C library. One that is no UTF-8 cannot be set again as it was. */
function isSetAgain(name: string, text: string, entry: Buffer): boolean {
  const value = process.env[name];
  if (name === '' || !Buffer.from(text).equals(entry)) return false;
  if (value !== undefined) process.env[name] = value;
  return true;
}
