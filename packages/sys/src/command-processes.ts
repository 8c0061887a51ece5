// The processes of one command, wherever they went: its process group, other groups of its session (`set -m`), their
// children, and processes that left the session (`setsid`, daemons), which still have the mark of the command in the
// environment that they were started with.
//
// Not found: a process that leaves the session without that environment (`env -i setsid …`) once its parent is gone,
// and what another program starts on request (at, systemd-run, docker).

import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

export interface CommandProcesses {
  /** The process group, which is the session as well: the shell leads both. */
  group: number;
  /** The mark in the environment of its processes: `NAME=value`. */
  mark: string;
}

export interface RunningProcess {
  pid: number;
  name: string;
}

interface Stat extends RunningProcess {
  parent: number;
  group: number;
  session: number;
}

/** Whether the signal reached a process. The system does not reuse a group id while a process is left in it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  return signalled(-group, signal);
}

/** Signals all processes of the command that run now. */
export function signalAll(command: CommandProcesses, signal: NodeJS.Signals): void {
  signalGroup(command.group, signal);
  for (const { pid } of runningProcesses(command)) signalled(pid, signal);
}

function signalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: there are processes, but they belong to another user by now.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The processes of the command that still run. A zombie (ended, not reaped by its parent) is none, though it counts
 * for the system, and many containers never reap. Without /proc only the group can be asked, and has no names.
 */
export function runningProcesses(command: CommandProcesses): RunningProcess[] {
  const stats = process.platform === 'linux' ? allStats() : undefined;
  if (stats === undefined)
    return signalGroup(command.group, 0) ? [{ pid: command.group, name: 'a process' }] : [];
  const found = new Set<number>();
  for (const stat of stats) if (belongs(stat, command)) found.add(stat.pid);
  // Children have higher ids than their parents, but for the rare wrap: each pass finds a generation at least.
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { pid, parent } of stats) if (found.has(parent)) found.add(pid);
  }
  return stats.filter(({ pid }) => found.has(pid)).map(({ pid, name }) => ({ pid, name }));
}

function belongs({ pid, group, session }: Stat, command: CommandProcesses): boolean {
  if (group === command.group || session === command.group) return true;
  return pid !== process.pid && (read(pid, 'environ')?.split('\0').includes(command.mark) ?? false);
}

function allStats(): Stat[] | undefined {
  try {
    const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
    return pids.flatMap((pid) => statOf(Number(pid)) ?? []);
  } catch {
    return undefined;
  }
}

/** `123 (name) S parent group session …`, where the name may hold anything. */
function statOf(pid: number): Stat | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  const end = stat.lastIndexOf(')');
  const [state = '', parent, group, session] = stat.slice(end + 2).split(' ');
  if ('ZX'.includes(state)) return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, end);
  return { pid, name, parent: Number(parent), group: Number(group), session: Number(session) };
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}
