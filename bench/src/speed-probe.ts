// node speed-probe.js [kind [names]]: the promises about speed, measured as in `npm run bench -- promises`, as JSON.
// test/speed.alone.test.ts runs it in a process of its own, so that the CPU time of other tests is not counted. All
// dialects would take minutes: here are those with a limit for prose and, for arguments, one of each other family. An
// argument is read twice instead of four times before it is judged. Floods are shorter than in the bench.

import { dialects, findDialect } from '@dragoman/core';
import { type ArgumentSpeed, argumentSpeed, type ProseSpeed, proseSpeed, warmUp } from './flatness.js';
import { type FloodResult, floodSpeeds, floods } from './floods.js';
import { DOUBLING, LIMITED } from './limits.js';

export interface Speeds {
  argument: ArgumentSpeed[];
  prose: ProseSpeed[];
  floods: number;
  /** The floods that grow too fast. */
  steep: FloodResult[];
}

type ProbeKind = 'argument' | 'prose' | 'floods';

/** One of each family beside those of `LIMITED`: in some of them prose may be a call, and has no limit. */
const OTHERS = ['command-a', 'kimi-k2', 'minimax-m2', 'lfm2', 'gemma4', 'bare-json'];

const [kind, names] = process.argv.slice(2);
/** The dialects that are named; undefined: all. */
const asked = names?.split(',');
const wants = (one: ProbeKind) => kind === undefined || kind === one;
const isAsked = (name: string) => asked?.includes(name) ?? true;
const limited = LIMITED.filter(isAsked).map(findDialect);
const probed = [...LIMITED, ...OTHERS].filter(isAsked).map(findDialect);

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

warmUp(dialects);
const speeds: Speeds = {
  argument: wants('argument') ? probed.map((dialect) => argumentSpeed(dialect, 2)) : [],
  prose: wants('prose') ? limited.map((dialect) => proseSpeed(dialect)) : [],
  ...(wants('floods') ? floodAll() : { floods: 0, steep: [] }),
};
process.stdout.write(JSON.stringify(speeds));
