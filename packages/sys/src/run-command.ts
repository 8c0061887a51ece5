// One command in a session of its own, from its start until nothing of it is left.
//
//   running ──────────── shell ends ──► draining ── pipes close, or DRAIN is over ──► ending what is left ──► done
//      └─ time is up, or aborted ──► SIGTERM to the group ── GRACE ──► SIGKILL ──────────────┘
//
// What is written is read until the end, whatever its amount, and only the two ends of it are kept: memory stays
// bounded, and the command never blocks on a full pipe. Processes that leave the group or the session are found by
// command-processes.ts and ended, too; one that may be of the command is named, or reported if it holds the pipes.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolError } from '@dragoman/core/agent';
import { BoundedText } from './bounded-text.js';
import {
  type CommandProcesses,
  type RunningProcess,
  runningProcesses,
  signalAll,
  signalGroup,
  startOf,
  strayProcesses,
} from './command-processes.js';
import { addCommand, removeCommand } from './live-commands.js';

export interface CommandOptions {
  shell: string;
  folder: string;
  env: Record<string, string>;
  /** Milliseconds until the command is ended. */
  timeout: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  grace: number;
  /** Characters kept of each of the two outputs. */
  outputLength: number;
  signal: AbortSignal;
}

export interface CommandResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: BoundedText;
  stderr: BoundedText;
  timedOut: boolean;
  /** The names of processes that outlived the shell and were ended. */
  leftovers: string[];
  /** The names and ids of processes that could not be ended. */
  remaining: string[];
  /** The names and ids of processes that started meanwhile, and may be of the command: they were not ended. */
  strays: string[];
  /** A process that could not be found still held the pipes, and may still run. */
  escaped: boolean;
}

/** Milliseconds for what was written before the shell ended to come through the pipes. */
const DRAIN = 200;
/** Milliseconds between closing a pipe and having ended. */
const MOMENT = 20;

/** The variable by which processes of a command are found. */
const MARK = 'DRAGOMAN_COMMAND';

/** Rejects with the signal's reason if it is aborted, once the group is gone. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  options.signal.throwIfAborted();
  const mark = randomUUID();
  const child = start(command, options, mark);
  const stdout = collect(child.stdout as Readable, options.outputLength);
  const stderr = collect(child.stderr as Readable, options.outputLength);
  const closed = new Promise<boolean>((resolve) => child.once('close', () => resolve(true)));
  const processes = { group: await spawned(child), mark: `${MARK}=${mark}` };
  const since = startOf(processes.group);
  addCommand(processes);
  try {
    const timedOut = await untilExit(child, processes.group, options);
    const leftovers = await endLeftovers(processes, closed, options.grace);
    const remaining = leftovers.length > 0 ? runningProcesses(processes).map(nameAndId) : [];
    const strays = since === undefined ? [] : strayProcesses(since).map(nameAndId);
    const escaped = !(await within(closed, DRAIN));
    options.signal.throwIfAborted();
    const { exitCode: code, signalCode: signal } = child;
    return { code, signal, stdout, stderr, timedOut, leftovers, remaining, strays, escaped };
  } finally {
    removeCommand(processes);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function start(command: string, { shell, folder, env }: CommandOptions, mark: string): ChildProcess {
  if (command.includes('\0')) throw new ToolError('A command cannot contain a NUL character.');
  return spawn(shell, ['-c', command], {
    cwd: folder,
    env: { ...env, [MARK]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid as number));
    child.once('error', (error) => {
      reject(new ToolError(`The command could not be started: ${error.message}.`, { cause: error }));
    });
  });
}

function collect(stream: Readable, limit: number): BoundedText {
  const text = new BoundedText(limit);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  stream.on('data', (bytes: Buffer) => text.add(decoder.decode(bytes, { stream: true })));
  stream.on('end', () => text.add(decoder.decode()));
  // A pipe that breaks has nothing more to say; how the command ended is known from its exit.
  stream.on('error', () => {});
  return text;
}

/** Waits for the shell; ends the group when time is up or the signal is aborted. Says whether time was up. */
function untilExit(child: ChildProcess, group: number, options: CommandOptions): Promise<boolean> {
  const { signal, timeout, grace } = options;
  return new Promise((resolve) => {
    let timedOut = false;
    let killer: NodeJS.Timeout | undefined;
    const end = () => {
      signalGroup(group, 'SIGTERM');
      killer ??= setTimeout(() => signalGroup(group, 'SIGKILL'), grace);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, timeout);
    signal.addEventListener('abort', end);
    const done = () => {
      clearTimeout(timer);
      clearTimeout(killer);
      signal.removeEventListener('abort', end);
      resolve(timedOut);
    };
    if (child.exitCode !== null || child.signalCode !== null) done();
    else child.once('exit', done);
    if (signal.aborted) end();
  });
}

/** Ends what outlived the shell, and gives its names. Once nothing is left, no id is signalled again: others may get it. */
async function endLeftovers(
  processes: CommandProcesses,
  closed: Promise<boolean>,
  grace: number,
): Promise<string[]> {
  if (runningProcesses(processes).length === 0) return [];
  // The last processes of a pipe often end a moment after the shell: these are no leftovers.
  if ((await within(closed, DRAIN)) && (await areGone(processes, MOMENT))) return [];
  const left = runningProcesses(processes);
  if (left.length === 0) return [];
  signalAll(processes, 'SIGTERM');
  if (!(await areGone(processes, grace))) {
    signalAll(processes, 'SIGKILL');
    await areGone(processes, grace);
  }
  return [...new Set(left.map(({ name }) => name))];
}

/** Looks often at first, then less: on a busy machine a look is not cheap. */
async function areGone(processes: CommandProcesses, patience: number): Promise<boolean> {
  let waited = 0;
  for (let pause = 5; waited < patience; pause = Math.min(2 * pause, 160)) {
    if (runningProcesses(processes).length === 0) return true;
    await delay(pause);
    waited += pause;
  }
  return runningProcesses(processes).length === 0;
}

function nameAndId({ name, pid }: RunningProcess): string {
  return `${name} (${pid})`;
}

async function within(event: Promise<boolean>, milliseconds: number): Promise<boolean> {
  const stop = new AbortController();
  const over = delay(milliseconds, false, { signal: stop.signal }).catch(() => false);
  const happened = await Promise.race([event, over]);
  stop.abort();
  return happened;
}
