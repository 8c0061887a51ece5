// node speed-probe.js: the promises about speed, on inputs small enough for a test, as JSON. test/speed.test.ts runs
// it in a process of its own: there CPU time is its own, whatever other tests do meanwhile.

import { type ArgumentSpeed, argumentSpeed, type ProseSpeed, proseSpeed } from './flatness.js';
import { type FloodResult, floodSpeeds, floods } from './floods.js';
import { MB } from './inputs.js';
import { DOUBLING } from './limits.js';
import * as all from './probed.js';

export interface Speeds {
  argument: ArgumentSpeed[];
  prose: ProseSpeed[];
  /** Those that the limits in times of the floor hold for. */
  limited: string[];
  floods: number;
  /** The floods that grow too fast. */
  steep: FloodResult[];
}

/** Those that are named, or all. */
const asked = process.argv[2]?.split(',');
const limited = all.limited.filter(({ name }) => asked?.includes(name) ?? true);
const probed = all.probed.filter(({ name }) => asked?.includes(name) ?? true);

function floodAll(): Pick<Speeds, 'floods' | 'steep'> {
  const results = floodSpeeds(floods(false, limited), {
    first: 8_000,
    least: 0.3,
    doubt: DOUBLING,
    second: 64_000,
  });
  return { floods: results.length, steep: results.filter(({ ratio }) => ratio > DOUBLING) };
}

const speeds: Speeds = {
  argument: probed.map((dialect) => argumentSpeed(dialect, MB, 2)),
  prose: limited.map((dialect) => proseSpeed(dialect)),
  limited: limited.map(({ name }) => name),
  ...floodAll(),
};
process.stdout.write(JSON.stringify(speeds));
