// npm run bench: measures all promises about speed, size and memory in one run.
//
//   npm run bench                 all of it
//   npm run bench -- floods       some of it: bundle, promises, deltas, peer, bridge,
//                                 middleware, growth, floods, rendering, memory, gateway, herd,
//                                 agent, convert, tiny
//   npm run bench -- gateway --quick
//                                 the gateway in under a minute: fewer cells, rougher numbers; also for herd and convert
//
// Only ratios are comparable: milliseconds depend on the machine. The exit code is 1 if a promise is broken.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dialects } from '@dragoman/core';
import { agentPart } from './agent-part.js';
import { bridgePart, middlewarePart } from './bridge-part.js';
import { bundleCore } from './bundle.js';
import { convertPart } from './convert-part.js';
import { DELTAS, deltaSpeed, KINDS, type PeerSpeed, peerSpeed } from './deltas.js';
import { argumentSpeed, proseSpeed, warmUp } from './flatness.js';
import { floodSpeeds, floods } from './floods.js';
import { gatewayPart } from './gateway-part.js';
import { growth } from './growth.js';
import { herdPart } from './herd-part.js';
import { KB } from './inputs.js';
import * as limits from './limits.js';
import { checksum } from './measure.js';
import { MEMORY_KINDS, memoryUse } from './memory.js';
import { peers } from './peer.js';
import { renderingSpeed } from './rendering.js';
import {
  type CheckLimit,
  heading,
  kb,
  type LimitResult,
  mb,
  note,
  ns,
  progress,
  table,
  times,
  verdicts,
  worst,
} from './report.js';
import { smallAnswersOfDialects } from './small-answers.js';
import { tinyPart } from './tiny-part.js';

const promises: LimitResult[] = [];

const hold: CheckLimit = (promise, value, limit, show, where = '') => {
  promises.push({ promise, value: show(value) + where, limit: `≤ ${show(limit)}`, kept: value <= limit });
};

function deltas() {
  heading(
    'Prose (256 KB) and one string argument (1 MB), by the size of a delta: CPU a delta, and against the floor',
  );
  const results = dialects.flatMap((dialect) =>
    KINDS.flatMap((kind) => {
      progress(`deltas: ${dialect.name}, ${kind}`);
      return DELTAS.map((delta) => deltaSpeed(dialect, kind, delta));
    }),
  );
  const rows = dialects.flatMap(({ name }) =>
    KINDS.map((kind) => {
      const own = results.filter((result) => result.dialect === name && result.kind === kind);
      return [`${name}, ${kind}`, ...own.flatMap(({ ours, ratio }) => [ns(ours), times(ratio)])];
    }),
  );
  table(['', ...DELTAS.flatMap((delta) => [`by ${delta}`, 'floor'])], rows);
  return results;
}

async function peer() {
  heading('Against @ai-sdk-tool/parser, on the same text in the same run');
  const results: PeerSpeed[] = [];
  for (const one of peers)
    for (const kind of KINDS)
      for (const delta of DELTAS) {
        progress(`peer: ${one.name}, ${kind}, by ${delta}`);
        results.push(await peerSpeed(one, kind, delta));
      }
  table(
    ['protocol', 'text', 'by', 'length', 'peer, a char', 'ours, a char', 'peer ÷ ours', 'its t(2n)/t(n)'],
    results.map((result) => [
      result.peer,
      result.kind,
      String(result.delta),
      `${result.length / KB} KB${result.capped ? '*' : ''}`,
      ns(result.peers),
      ns(result.ours),
      times(result.ratio),
      result.growth > 0 ? times(result.growth) : '',
    ]),
  );
  note(
    '* the longest the peer reads in half a second: its time grows faster than the text, so more favours us.',
  );
  note('morphXmlProtocol reads a spelling of its own; we read the same text as qwen3-coder spells it.');
  return results;
}

function promisesOfDeltas() {
  heading('One string argument of 1 MB in single characters; prose in fours');
  progress('promises: every dialect, to warm up');
  warmUp(dialects);
  const results = dialects.map((dialect) => {
    progress(`promises: ${dialect.name}`);
    return { argument: argumentSpeed(dialect), prose: proseSpeed(dialect) };
  });
  table(
    ['', 'argument by 1', 'floor', 'ratio', 'last ÷ first tenth', 'prose by 4', 'floor', 'ratio'],
    results.map(({ argument, prose }) => [
      argument.dialect,
      ns(argument.ours),
      ns(argument.floor),
      times(argument.ratio),
      times(argument.lastToFirst),
      ns(prose.ours),
      ns(prose.floor),
      times(prose.ratio),
    ]),
  );
  const slow = worst(results, ({ argument }) => argument.ratio).argument;
  hold(
    'argument by single characters ÷ floor',
    slow.ratio,
    limits.ARGUMENT_TO_FLOOR,
    times,
    ` (${slow.dialect})`,
  );
  const steep = worst(results, ({ argument }) => argument.lastToFirst).argument;
  const steepAt = ` (${steep.dialect})`;
  hold('its last tenth ÷ its first', steep.lastToFirst, limits.LAST_TO_FIRST_TENTH, times, steepAt);
  const limited = results.filter(({ prose }) => limits.LIMITED.includes(prose.dialect));
  const slowProse = worst(limited, ({ prose }) => prose.ratio).prose;
  const slowAt = ` (${slowProse.dialect})`;
  hold(
    'prose in fours ÷ floor, in the ten dialects with that limit',
    slowProse.ratio,
    limits.PROSE_TO_FLOOR,
    times,
    slowAt,
  );
  return results;
}

function growths() {
  heading('Growth of one string argument from 64 KB to 16 MB: t(2n)/t(n) of each doubling');
  const results = dialects.flatMap((dialect) =>
    [64, 0].map((delta) => {
      progress(`growth: ${dialect.name}, ${delta === 0 ? 'whole' : `by ${delta}`}`);
      return growth(dialect, delta);
    }),
  );
  const sizes = results[0]?.times.slice(1).map(({ size }) => (size < 1024 * KB ? size / KB : size / KB / KB));
  table(
    ['', ...(sizes ?? []).map(String), 'worst'],
    results.map(({ dialect, delta, ratios, worst: most }) => [
      `${dialect}, ${delta === 0 ? 'whole' : `by ${delta}`}`,
      ...ratios.map((ratio) => ratio.toFixed(2)),
      times(most),
    ]),
  );
  const steep = worst(results, (result) => result.worst);
  hold('doubling an argument', steep.worst, limits.DOUBLING, times, ` (${steep.dialect})`);
  return results;
}

const LOOKS = { first: 25_000, least: 1, doubt: 2.2, second: 200_000 };

function flooding() {
  const { first, doubt, second } = LOOKS;
  heading('Floods of every marker, whole and by 16: twice as many characters, against once');
  const all = floods();
  const results = floodSpeeds(all, LOOKS, (done) => {
    if (done % 200 === 0) progress(`floods: ${done} of ${all.length}`);
  });
  note(`${results.length} floods of ${first} and ${2 * first} characters;`);
  note(`those above ${doubt} there again, of ${second} and ${2 * second}. The steepest, and the slowest:`);
  const steepest = results.toSorted((a, b) => b.ratio - a.ratio);
  const slowest = results.toSorted((a, b) => b.twice / b.length - a.twice / a.length).slice(0, 8);
  const broken = steepest.filter(({ ratio }) => ratio > limits.DOUBLING);
  table(
    ['flood', 'dialect', 'in', 'by', 'length', 'a char', 't(2n)/t(n)'],
    [...new Set([...steepest.slice(0, Math.max(8, Math.min(40, broken.length))), ...slowest])].map(
      (result) => [
        JSON.stringify(result.unit).slice(0, 60),
        result.dialect,
        result.place,
        result.delta === 0 ? 'whole' : String(result.delta),
        String(result.length),
        ns((result.twice * 1e6) / (2 * result.length)),
        times(result.ratio),
      ],
    ),
  );
  const [steep] = steepest;
  if (steep) {
    const where = ` (${JSON.stringify(steep.unit).slice(0, 30)} in ${steep.place} of ${steep.dialect})`;
    hold('doubling a flood', steep.ratio, limits.DOUBLING, times, where);
  }
  return steepest.slice(0, 100);
}

function rendering() {
  heading('Rendering a conversation of 40 turns with calls, results and 10 tools, as glm-4.5');
  progress('rendering');
  const result = renderingSpeed(40);
  if (!result) note('The GLM template is not on this machine.');
  else {
    table(
      ['', 'CPU', 'against ours'],
      [
        ['renderPrompt', `${result.ours.toFixed(2)} ms`, ''],
        [
          'renderTemplate (reads the template, too)',
          `${result.door.toFixed(2)} ms`,
          times(result.door / result.ours),
        ],
        ...(result.jinja === undefined
          ? []
          : [
              [
                '@huggingface/jinja alone',
                `${result.jinja.toFixed(2)} ms`,
                times(result.jinja / result.ours),
              ],
            ]),
      ],
    );
    note(`${result.characters} characters; the same bytes by the template: ${result.same ? 'yes' : 'NO'}.`);
    const promise = 'the template gives the same bytes';
    promises.push({ promise, value: result.same ? 'yes' : 'no', limit: 'yes', kept: result.same });
  }
  return result;
}

async function memory() {
  heading('Memory held while 64 MB stream through by 64 characters (heap after a full collection)');
  const results = [];
  for (const dialect of dialects)
    for (const kind of MEMORY_KINDS) {
      progress(`memory: ${dialect.name}, ${kind}`);
      results.push(await memoryUse(dialect.name, kind));
    }
  table(
    ['', 'most', 'growth', 'bytes a char', 'second half'],
    results.map((result) => [
      `${result.dialect}, ${result.kind}`,
      mb(result.most),
      mb(result.most - (result.samples[0] ?? 0)),
      result.slope.toFixed(3),
      result.lateSlope.toFixed(3),
    ]),
  );
  note('An argument is kept up to its limit of 16 MB, as it must be; behind that nothing of it is.');
  const spoken = results.filter(({ kind }) => kind !== 'argument');
  const grown = ({ most, samples }: { most: number; samples: number[] }) => most - (samples[0] ?? 0);
  const most = worst(spoken, grown);
  const where = ` (${most.dialect}, ${most.kind})`;
  hold('heap grown over 64 MB of text or reasoning', grown(most), limits.HEAP_GROWTH, mb, where);
  const late = worst(results, ({ lateSlope }) => lateSlope);
  const lateGrowth = late.lateSlope * (late.characters / 2);
  hold('heap grown behind the limit', lateGrowth, limits.HEAP_GROWTH, mb, ` (${late.dialect}, ${late.kind})`);
  return results;
}

async function bundle() {
  heading("'@dragoman/core/small', bundled for browsers");
  progress('bundle');
  const result = await bundleCore();
  table(
    ['', 'minified', 'gzip', 'brotli'],
    [['small', kb(result.core.raw), kb(result.core.gzip), kb(result.core.brotli)]],
  );
  note(`Left to the host: ${result.externals.join(', ') || 'nothing'}.`);
  note(`The largest: ${result.largest.map(({ path, bytes }) => `${path} ${kb(bytes)}`).join(', ')}.`);
  hold('bundle, compressed with brotli', result.core.brotli, limits.BUNDLE_BYTES, kb);
  hold('Node built-ins in the bundle', result.builtins.length, 0, String);
  return result;
}

const parts = {
  bundle,
  promises: promisesOfDeltas,
  deltas,
  peer,
  bridge: () => bridgePart(hold),
  middleware: () => middlewarePart(hold),
  growth: growths,
  floods: flooding,
  rendering,
  memory,
  gateway: () => gatewayPart(hold, quick),
  herd: () => herdPart(hold, quick),
  agent: async () => ({ ...(await agentPart(hold)), dialects: smallAnswersOfDialects(hold) }),
  convert: () => convertPart(hold, quick),
  tiny: () => tinyPart(hold),
};

const quick = process.argv.includes('--quick');
const asked = process.argv.slice(2).filter((word) => word !== '--quick');
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  progress(`no such part: ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

const results: Record<string, unknown> = {};
for (const [name, part] of Object.entries(parts))
  if (asked.length === 0 || asked.includes(name)) results[name] = await part();
verdicts(promises);

const folder = new URL('../results/', import.meta.url);
const machine = { node: process.version, arch: process.arch, cpu: cpus()[0]?.model, cores: cpus().length };
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL('latest.json', folder),
  `${JSON.stringify({ machine, promises, results, checksum: checksum() }, null, 2)}\n`,
);
process.exitCode = promises.every(({ kept }) => kept) ? 0 : 1;
