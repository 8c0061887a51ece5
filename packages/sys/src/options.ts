// The options of `sysBuiltIn` and their defaults.

import process from 'node:process';
import { UsageError } from '@dragoman/core';
import { SYS_NAMESPACE } from './definitions.js';
import type { PermissionOptions } from './permission.js';

export interface SysOptions extends PermissionOptions {
  /** The working folder. File tools stay inside it; commands start in it, and are not confined to it. */
  folder: string;
  /**
   * Asked before `bash` and `write_file` act. `true` allows the action; `false` or a text refuses it, and the
   * model gets the text. Default: everything that acts is refused.
   */
  ask?: PermissionOptions['ask'];
  /** The tools that act without approval: `'all'`, or a list of `'bash'`, `'write_file'`. Default none. */
  allow?: PermissionOptions['allow'];
  /** Milliseconds a command may take. A model can ask for less, never for more. Default 60,000. */
  timeout?: number;
  /** Milliseconds a command has to end by itself after SIGTERM, before SIGKILL. Default 2,000. */
  grace?: number;
  /** Characters of a result: of a command both ends are kept, of a file the beginning. Default 30,000. */
  outputLength?: number;
  /** Entries of a listing. Default 1,000. */
  listLength?: number;
  /**
   * The environment of commands, whole. Default: of this program's own only PATH, HOME, USER, LOGNAME, SHELL,
   * LANG, LC_*, TERM, TZ, TMPDIR, so that no key of yours is within a model's reach by accident.
   */
  env?: Readonly<Record<string, string | undefined>>;
  /** The shell that runs commands by `-c`. Default: bash, or sh where there is none. */
  shell?: string;
  /** What stands before the names: `SysBuiltIn.bash`. `''` for bare names, where an API takes no dots. */
  namespace?: string;
  /** Called if the keys that this program was started with could not be hidden from commands. */
  onKeysInSight?(): void;
}

export interface SysSettings {
  timeout: number;
  grace: number;
  outputLength: number;
  listLength: number;
  env: Record<string, string>;
  shell: string | undefined;
  namespace: string;
}

/** setTimeout takes no more. */
const LONGEST = 2 ** 31 - 1;

/** The tools need process groups, file modes and the symbolic link rules of a POSIX `open`. */
export function toSettings(options: SysOptions, platform: NodeJS.Platform = process.platform): SysSettings {
  if (platform === 'win32') {
    throw new UsageError(
      'bad-options',
      'the built-in tools need Linux, macOS or another POSIX system: use WSL',
    );
  }
  if (typeof options.folder !== 'string' || options.folder === '') {
    throw new UsageError('bad-options', 'expected the path of a folder', 'folder');
  }
  checkAllow(options.allow);
  return {
    timeout: positive(options.timeout, 60_000, 'timeout'),
    grace: positive(options.grace, 2000, 'grace'),
    outputLength: positive(options.outputLength, 30_000, 'outputLength'),
    listLength: positive(options.listLength, 1000, 'listLength'),
    env: defined(options.env ?? smallEnv()),
    shell: options.shell,
    namespace: options.namespace ?? SYS_NAMESPACE,
  };
}

function checkAllow(allow: SysOptions['allow']): void {
  if (allow === undefined || allow === 'all') return;
  const known = Array.isArray(allow) && allow.every((name) => name === 'bash' || name === 'write_file');
  if (!known)
    throw new UsageError('bad-options', `expected 'all' or a list of 'bash', 'write_file'`, 'allow');
}

function positive(value: number | undefined, otherwise: number, path: string): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !(value >= 1)) {
    throw new UsageError('bad-options', `expected a number from 1 on, found ${value}`, path);
  }
  return Math.min(Math.floor(value), LONGEST);
}

const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TERM', 'TZ', 'TMPDIR'];

/** The variables of this program that its commands may see. */
export function passesOn(name: string): boolean {
  return passedOn.includes(name) || name.startsWith('LC_');
}

function smallEnv(): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter(passesOn);
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
