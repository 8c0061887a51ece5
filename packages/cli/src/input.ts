// Reads the input of a verb: a file, or standard input.

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ExactValue, parseExact } from '@dragoman/core';
import { CommandError, messageOf } from './command-error.js';
import { EXIT } from './exit-codes.js';
import { toolsIn } from './fields.js';
import { note } from './terminal.js';
import { TextInput } from './text-input.js';

/** Whether standard input is read. */
let isReading = false;

/** The bytes as they come. Without a file, standard input. */
export function openInput(file: string | undefined): Readable {
  if (file !== undefined) return createReadStream(file);
  if (process.stdin.isTTY) note('Reading from the terminal; end with Ctrl-D.');
  isReading = true;
  return process.stdin;
}

/** Reads no more of standard input: a pipe that stays open would keep a process that is done, or has failed. */
export function closeInput(): void {
  if (isReading) process.stdin.destroy();
}

/** The text, whole. A byte order mark is part of it. */
export async function readInput(file: string | undefined): Promise<string> {
  const input = new TextInput(note);
  const pieces: string[] = [];
  try {
    for await (const piece of openInput(file)) pieces.push(input.push(piece as Buffer));
    return pieces.join('') + input.end();
  } catch (error) {
    throw unreadable(file ?? 'standard input', error);
  }
}

export async function readTextFile(file: string): Promise<string> {
  try {
    const input = new TextInput((text) => note(`${file}: ${text}`));
    return input.push(await readFile(file)) + input.end();
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Parses JSON with the author's own digits and order. `name` is for the error. */
export function readJson(text: string, name: string): ExactValue {
  try {
    return parseExact(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CommandError(`${name} is no JSON: ${messageOf(error)}`, EXIT.input);
  }
}

/** Reads the tools in a file: a list of them, or a request that holds one. */
export async function readTools(file: string | undefined): Promise<ExactValue | undefined> {
  return file === undefined ? undefined : toolsIn(readJson(await readTextFile(file), file));
}

export function unreadable(name: string, error: unknown): CommandError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CommandError(`there is no file ${name}`, EXIT.input);
  if (code === 'EISDIR') return new CommandError(`${name} is a folder, not a file`, EXIT.input);
  return new CommandError(`cannot read ${name}: ${messageOf(error)}`, EXIT.input);
}
