// The process groups of commands that run now, so that none of them outlives this program.
//
// A command runs in a group of its own, which Ctrl-C in a terminal does not reach. While one runs, we listen to
// the signals that would end this program, end the groups first, and then let the signal do what it would have
// done. What no program can catch (SIGKILL, a crash of the machine) leaves the commands running.

import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const live = new Set<number>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function addGroup(group: number): void {
  if (live.size === 0) listen();
  live.add(group);
}

export function removeGroup(group: number): void {
  if (live.delete(group) && live.size === 0) unlisten();
}

/** Whether the signal reached a process. The system does not reuse a group id while a process is left in it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: there are processes, but they belong to another user by now.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether anything in the group still runs. A zombie (ended, not reaped by its parent) still counts for the
 * system, and many containers never reap: on Linux zombies are recognised, elsewhere they count as running.
 */
export function isRunning(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  try {
    const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
    return pids.some((pid) => runsIn(group, pid));
  } catch {
    return true;
  }
}

/** `123 (name) S parent group …`, where the name may hold anything. */
function runsIn(group: number, pid: string): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return false;
  }
  const [state = '', , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(itsGroup) === group && !'ZX'.includes(state);
}

function listen(): void {
  process.on('exit', killAll);
  for (const signal of signals) process.on(signal, onSignal);
}

function unlisten(): void {
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, onSignal);
}

function killAll(): void {
  for (const group of live) signalGroup(group, 'SIGKILL');
}

/** Where the program listens too, it decides what the signal means; commands stop by its abort signal then. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, signal);
}
