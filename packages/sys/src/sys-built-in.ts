// The built-in tools: bash, read_file, write_file, list_files, in one folder of this machine.
//
// The file tools cannot leave the folder (see folder.ts for what that means and what it does not). A shell command
// can: no library confines a shell. So `bash` asks for approval before every command. To allow it without approval,
// run the program in a container or a virtual machine.

import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Tool } from '@dragoman/core';
import { type AgentTool, extentOf, foldBlanks, spellHidden, ToolError } from '@dragoman/core/agent';
import { SYS_NAMESPACE, type SysToolName, sysDefinitions } from './definitions.js';
import { Folder } from './folder.js';
import { listFiles } from './list-files.js';
import { passesOn, type SysOptions, type SysSettings, toSettings } from './options.js';
import { Permission } from './permission.js';
import { readFile } from './read-file.js';
import { type CommandResult, runCommand } from './run-command.js';
import { hideStartBlock } from './start-block.js';
import { visible } from './visible.js';
import { findTarget, type Target, writeFile } from './write-file.js';

/** What the four tools share. */
interface Room {
  folder: Folder;
  settings: SysSettings;
  permission: Permission;
}

type Run = (input: Input, room: Room, signal: AbortSignal) => Promise<string>;

/** Throws a UsageError if an option is wrong or there is no such folder. */
export function sysBuiltIn(options: SysOptions): AgentTool[] {
  if (!hideStartBlock(passesOn)) options.onKeysInSight?.();
  const room: Room = {
    settings: toSettings(options),
    folder: Folder.at(options.folder),
    permission: new Permission(options),
  };
  // No timeout of the agent loop: a person may take long to approve, and a command has a timeout of its own.
  const acts = { parallel: false, timeout: Number.POSITIVE_INFINITY };
  return [
    toTool('bash', room, bash, acts),
    toTool('read_file', room, read),
    toTool('write_file', room, write, acts),
    toTool('list_files', room, list),
  ];
}

/** The definitions alone, for a prompt or a request whose calls run elsewhere. */
export function sysTools(namespace: string = SYS_NAMESPACE): Tool[] {
  const names = Object.keys(sysDefinitions) as SysToolName[];
  return names.map((name) => ({ name: fullName(namespace, name), ...sysDefinitions[name] }));
}

function fullName(namespace: string, name: SysToolName): string {
  return namespace === '' ? name : `${namespace}.${name}`;
}

function toTool(name: SysToolName, room: Room, run: Run, more: Partial<AgentTool> = {}): AgentTool {
  return {
    name: fullName(room.settings.namespace, name),
    ...sysDefinitions[name],
    ...more,
    run: async (input, { signal }) => await run(new Input(input), room, signal),
  };
}

async function bash(input: Input, { folder, settings, permission }: Room, signal: AbortSignal) {
  const command = input.text('command');
  const timeout = Math.min(input.count('timeoutMs', settings.timeout), settings.timeout);
  const { env, grace, outputLength } = settings;
  const shell = findShell({ path: env.PATH, given: settings.shell });
  const summary = `Run in ${spellHidden(folder.root)}${linesOf(command)}: ${foldBlanks(spellHidden(command))}`;
  await permission.get({ tool: 'bash', input: { command, timeoutMs: timeout }, summary }, signal);
  // Says in clear words if the folder is gone, where spawning would blame the shell.
  await folder.findExisting('.');
  const options = { shell, folder: folder.root, env, timeout, grace, outputLength, signal };
  return commandText(await runCommand(command, options), timeout, outputLength);
}

function read(input: Input, { folder, settings }: Room, signal: AbortSignal) {
  const offset = input.count('offset', 1);
  const limit = input.count('limit', Number.MAX_SAFE_INTEGER);
  return readFile(folder, input.text('path'), { offset, limit, length: settings.outputLength, signal });
}

async function write(input: Input, { folder, permission }: Room, signal: AbortSignal) {
  const path = input.text('path');
  const content = input.text('content');
  if (!content.isWellFormed()) throw new ToolError('The content holds half a surrogate pair: it is no text.');
  const target = await findTarget(folder, path, signal);
  const summary = writeSummary(target, content);
  await permission.get({ tool: 'write_file', input: { path, content }, summary }, signal);
  // Looked at again: the answer may have taken its time.
  const written = await writeFile(folder, await findTarget(folder, path, signal), content, signal);
  return `Wrote ${written} bytes to ${visible(target.place.name)}.`;
}

function writeSummary({ place, old }: Target, content: string): string {
  const kind = old ? `in place of ${old.size} bytes` : 'a new file';
  const bytes = Buffer.byteLength(content);
  return `Write ${bytes} bytes to ${spellHidden(place.name)}, ${kind}${linesOf(content)}`;
}

/** How many lines a text has, if it has several: not all of them may be in sight. */
function linesOf(text: string): string {
  return text.includes('\n') ? ` (${extentOf(text)})` : '';
}

function list(input: Input, { folder, settings }: Room, signal: AbortSignal) {
  const recursive = input.flag('recursive');
  return listFiles(folder, input.text('path', '.'), { recursive, entries: settings.listLength, signal });
}

/** Gives the text for the model: how the command ended first, so that its output cannot pass for it. */
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
  const { code, signal, timedOut, leftovers, remaining, strays, escaped } = result;
  const notes = [code === null ? `ended by ${signal}` : `exit code ${code}`];
  if (timedOut) notes[0] = `ended after ${timeout} ms, which is the time limit`;
  else if (leftovers.length > 0)
    notes.push(`processes left in the background were ended: ${listed(leftovers)}`);
  if (remaining.length > 0) notes.push(`processes that could not be ended: ${listed(remaining)}`);
  if (strays.length > 0) notes.push(`processes that may be left of it and were not ended: ${listed(strays)}`);
  if (escaped) notes.push('a process that left its session may still be running');
  return notes.join('; ');
}

const MOST_LISTED = 10;

function listed(names: readonly string[]): string {
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
  return visible(names.slice(0, MOST_LISTED).join(', ')).replaceAll('\n', ' ') + more;
}

interface ShellSearch {
  /** The shell given by the caller, used as it is. */
  given?: string | undefined;
  /** The value of PATH. Relative folders in it are skipped: they depend on the working folder. */
  path?: string | undefined;
  isExecutable?: (path: string) => boolean;
}

export function findShell(search: ShellSearch = {}): string {
  const { path = '', isExecutable = isExecutableFile } = search;
  if (search.given !== undefined) return search.given;
  const folders = path.split(':').filter(isAbsolute);
  const candidates = [
    ...folders.map((folder) => join(folder, 'bash')),
    '/bin/bash',
    '/usr/bin/bash',
    '/bin/sh',
    ...folders.map((folder) => join(folder, 'sh')),
  ];
  const found = candidates.find(isExecutable);
  if (found === undefined) throw new ToolError('There is neither bash nor sh on this machine.');
  return found;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

class Input {
  readonly #members: Map<string, unknown>;

  constructor(input: unknown) {
    if (typeof input !== 'object' || input === null) throw new ToolError('The input must be an object.');
    this.#members = input instanceof Map ? input : new Map(Object.entries(input));
  }

  text(key: string, otherwise?: string): string {
    const value = this.#members.get(key) ?? otherwise;
    if (typeof value !== 'string') throw new ToolError(`${key} must be a text.`);
    return value;
  }

  /** A whole number from 1 on. */
  count(key: string, otherwise: number): number {
    const value = this.#members.get(key) ?? otherwise;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw new ToolError(`${key} must be a whole number from 1 on.`);
    }
    return value;
  }

  flag(key: string): boolean {
    const value = this.#members.get(key) ?? false;
    if (typeof value !== 'boolean') throw new ToolError(`${key} must be true or false.`);
    return value;
  }
}
