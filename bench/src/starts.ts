// Processes that are started anew: what each costs in the middle of several rounds, against the first of them.

import { median } from './measure.js';
import { ms, progress, table, times } from './report.js';

export interface Start {
  name: string;
  /** Milliseconds. */
  cpu: number;
  ratio: number;
}

/** A process, and how to run it once: gives its CPU in milliseconds. */
export type StartArm = readonly [name: string, run: () => Promise<number>];

const ROUNDS = 7;

/** Runs all in turn, and shows them. `part` is the part of the bench that is told as progress, `floor` the first one. */
export async function raceStarts(part: string, floor: string, arms: readonly StartArm[]): Promise<Start[]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    progress(`${part}: start ${round + 1} of ${ROUNDS}`);
    const costs: number[] = [];
    for (const [, run] of arms) costs.push(await run());
    rounds.push(costs);
  }
  const results = arms.map(([name], at) => ({
    name,
    cpu: median(rounds.map((costs) => costs[at] as number)),
    ratio: median(rounds.map((costs) => (costs[at] as number) / (costs[0] as number))),
  }));
  table(
    ['', 'CPU', `÷ ${floor}`],
    results.map(({ name, cpu, ratio }) => [name, ms(cpu), times(ratio)]),
  );
  return results;
}
