// node speed-probe.js [kind [names]]: the promises about speed, on inputs small enough for a test, as JSON.
// test/speed.alone.test.ts runs it in a process of its own: there CPU time is its own, whatever other tests do meanwhile.

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

type Kind = 'argument' | 'prose' | 'floods';

const [kind, names] = process.argv.slice(2);
/** Those that are named, or all. */
const asked = names?.split(',');
const wants = (one: Kind) => kind === undefined || kind === one;
const limited = all.limited.filter(({ name }) => asked?.includes(name) ?? true);
const probed = all.probed.filter(({ name }) => asked?.includes(name) ?? true);

function floodAll(): Pick<Speeds, 'floods' | 'steep'> {
  const results = floodSpeeds(floods(false, limited), {
    first: 8_000,
    least: 0.3,
    doubt: DOUBLING,
    second: 64_000,
    inTurns: true,
  });
  return { floods: results.length, steep: results.filter(({ ratio }) => ratio > DOUBLING) };
}

const speeds: Speeds = {
  argument: wants('argument') ? probed.map((dialect) => argumentSpeed(dialect, MB, 2)) : [],
  prose: wants('prose') ? limited.map((dialect) => proseSpeed(dialect)) : [],
  limited: limited.map(({ name }) => name),
  ...(wants('floods') ? floodAll() : { floods: 0, steep: [] }),
};
process.stdout.write(JSON.stringify(speeds));
