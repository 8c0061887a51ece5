// How the process of a gateway collects garbage where it has little room beside it.

import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** On so many cores there is none to spare: the other one has the clients, their tools and often the model. */
const FEW = 2;

/** Flags with which the operator has said how V8 collects. */
const SAID = /(?:parallel.scavenge|single.threaded)/;

/**
 * For a process that is a gateway and nothing else, before it serves. On few cores it collects young garbage without
 * helping threads. To share that work costs up to a fifth of the CPU of an agent's request while the other core is busy,
 * and saves none while it is not. With cores to spare it makes each pause shorter (4 instead of 6 ms): nothing is changed.
 */
export function suitFewCores(cores = availableParallelism(), set = setFlagsFromString): void {
  const said = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((flags) => SAID.test(flags));
  if (cores <= FEW && !said) set('--no-parallel-scavenge');
}
