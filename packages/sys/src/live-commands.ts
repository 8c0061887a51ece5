// The commands that run now, so that none of them outlives this program.
//
// A command runs in a session of its own, which Ctrl-C in a terminal does not reach. While one runs, we listen to
// the signals that would end this program, end its processes first, and then let the signal do what it would have
// done. What no program can catch (SIGKILL, a crash of the machine) leaves the commands running.

import process from 'node:process';
import { type CommandProcesses, signalAll } from './command-processes.js';

const live = new Set<CommandProcesses>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function addCommand(command: CommandProcesses): void {
  if (live.size === 0) listen();
  live.add(command);
}

export function removeCommand(command: CommandProcesses): void {
  if (live.delete(command) && live.size === 0) unlisten();
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
  for (const command of live) signalAll(command, 'SIGKILL');
}

/** Where the program listens too, it decides what the signal means; commands stop by its abort signal then. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, signal);
}
