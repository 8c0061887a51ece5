// node speed-probe.js: the promises about speed, on inputs small enough for a test, as JSON. test/speed.test.ts runs
// it in a process of its own: there CPU time is its own, whatever other tests do meanwhile.

import { dialects } from '@dragoman/core';
import { type ArgumentSpeed, argumentSpeed, type ProseSpeed, proseSpeed } from './flatness.js';
import { type FloodResult, floodSpeeds, floods } from './floods.js';
import { MB } from './inputs.js';
import { DOUBLING } from './limits.js';

export interface Speeds {
  argument: ArgumentSpeed[];
  prose: ProseSpeed[];
  floods: number;
  /** The floods that grow too fast. */
  steep: FloodResult[];
}

function floodAll(): Pick<Speeds, 'floods' | 'steep'> {
  const results = floodSpeeds(floods(false), { first: 8_000, least: 0.3, doubt: DOUBLING, second: 64_000 });
  return { floods: results.length, steep: results.filter(({ ratio }) => ratio > DOUBLING) };
}

const speeds: Speeds = {
  argument: dialects.map((dialect) => argumentSpeed(dialect, MB, 2)),
  prose: dialects.map((dialect) => proseSpeed(dialect)),
  ...floodAll(),
};
process.stdout.write(JSON.stringify(speeds));
