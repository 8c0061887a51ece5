// Why a worker could not convert a shard, as it crosses the queue: a sentence, and whose fault it was.

import { hostname } from 'node:os';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

export function toFailure(error: unknown): Error {
  const exit = error instanceof CommandError ? error.exitCode : EXIT.upstream;
  return new Error(
    JSON.stringify({ reason: messageOf(error), exit, worker: `${hostname()}:${process.pid}` }),
  );
}

/** For who started the run. `shard` says which part failed. */
export function fromFailure(text: string, shard: string): CommandError {
  const { reason, exit, worker } = readFailure(text);
  const where = worker === undefined ? '' : `, the last time on worker ${worker}`;
  return new CommandError(
    `${shard} could not be converted${where}: ${reason}. --resume goes on when that is mended`,
    exit,
  );
}

function readFailure(text: string): { reason: string; exit: ExitCode; worker?: string } {
  try {
    const { reason, exit, worker } = JSON.parse(text) as { reason: string; exit: ExitCode; worker: string };
    if (typeof reason === 'string')
      return { reason, exit: exit === EXIT.input ? exit : EXIT.upstream, worker: String(worker) };
  } catch {
    // What BullMQ itself says is a plain sentence.
  }
  const reason = /stalled/.test(text) ? 'its workers died again and again' : text;
  return { reason, exit: EXIT.upstream };
}
