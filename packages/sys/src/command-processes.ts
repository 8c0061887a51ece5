// The processes of one command, wherever they went: its process group, other groups of its session (`set -m`), their
// children, and processes that left the session (`setsid`, daemons), which still have the mark of the command in the
// environment that they were started with.
//
// A process that leaves the session without that environment (`env -i setsid …`) is not known to be of the command once
// its parent is gone. It may be: it has started since, in a session of its own and the control group of this program,
// and was handed to an ancestor of this program, as orphans are. Such processes are named and not ended.
//
// Not found: what another program starts on request (at, systemd-run, docker).

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
  /** When it started, in ticks since the system did. */
  started: number;
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

/** When a process started, in ticks since the system did. Undefined: it is gone, or there is no /proc. */
export function startOf(pid: number): number | undefined {
  return process.platform === 'linux' ? statOf(pid)?.started : undefined;
}

/** Processes that a command which started then may have left, though nothing in them shows it. */
export function strayProcesses(since: number): RunningProcess[] {
  const stats = allStats() ?? [];
  const byPid = new Map(stats.map((stat) => [stat.pid, stat]));
  const own = byPid.get(process.pid);
  const reapers = new Set([1]);
  for (let at = own; at && !reapers.has(at.parent); at = byPid.get(at.parent)) reapers.add(at.parent);
  const group = read(process.pid, 'cgroup');
  return stats.filter(
    ({ pid, parent, session, started }) =>
      started >= since &&
      reapers.has(parent) &&
      session !== own?.session &&
      read(pid, 'environ') !== undefined &&
      read(pid, 'cgroup') === group,
  );
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

/** The place of the start in /proc/<pid>/stat behind the name, see proc(5). */
const STARTED = 19;

/** `123 (name) S parent group session …`, where the name may hold anything. */
function statOf(pid: number): Stat | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  if ('ZX'.includes(state)) return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, end);
  const [started] = fields.slice(STARTED);
  return {
    pid,
    name,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(started),
  };
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}
