// The parts of the bench about the wire and the bridge: what is measured, the tables, and the limits.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dialects } from '@dragoman/core';
import { BRIDGE_DIALECTS, type BridgePath, type BridgeSpeed, bridgeSpeed } from './bridge.js';
import type { BridgeMemory } from './bridge-memory-probe.js';
import { KINDS } from './deltas.js';
import { CLIENT_APIS } from './exchange.js';
import { type FirstEvent, firstEvent } from './first-event.js';
import { KB } from './inputs.js';
import * as limits from './limits.js';
import { loopback } from './loopback.js';
import { MIDDLEWARE_DIALECTS, type MiddlewareSpeed, middlewareSpeed } from './middleware.js';
import { type NativeCallSpeed, nativeCallSpeed } from './native-calls.js';
import { type CheckLimit, heading, note, ns, progress, table, times, worst } from './report.js';
import { decodeSpeed, encodeSpeed, type WireSpeed } from './wire.js';

export async function bridgePart(hold: CheckLimit) {
  return {
    speeds: await speeds(hold),
    native: await nativeCalls(hold),
    memory: await memory(hold),
    first: await firsts(hold),
    ...wireSpeeds(hold),
    loopback: await overLoopback(),
  };
}

const modes = { emulate: '', whole: 'whole calls, ', heal: 'healing, ' };
const nameOf = ({ api, mode, dialect, kind }: BridgePath) => `${api}, ${modes[mode]}${dialect}, ${kind}`;

/** Every API with every kind of text, in emulation and healing; and calls that are delivered whole. */
const paths: BridgePath[] = [
  ...CLIENT_APIS.flatMap((api) =>
    KINDS.flatMap((kind): BridgePath[] => [
      ...BRIDGE_DIALECTS.map((dialect): BridgePath => ({ api, mode: 'emulate', dialect, kind })),
      { api, mode: 'heal', dialect: 'hermes', kind },
    ]),
  ),
  { api: 'openai-chat', mode: 'whole', dialect: 'hermes', kind: 'argument' },
];

async function speeds(hold: CheckLimit): Promise<BridgeSpeed[]> {
  heading(
    '1 MB through the bridge by 4, to the last byte of the response: CPU a delta, and against passing on',
  );
  const results: BridgeSpeed[] = [];
  for (const path of paths) {
    progress(`bridge: ${nameOf(path)}`);
    results.push(await bridgeSpeed(path));
  }
  table(
    ['', 'bridge', 'passed on', 'ratio', 'last ÷ first tenth'],
    results.map((one) => [
      nameOf(one),
      ns(one.ours),
      ns(one.floor),
      times(one.ratio),
      times(one.lastToFirst),
    ]),
  );
  note('Passed on: an async generator, JSON.stringify of one chunk object a delta, TextEncoder, a stream.');
  note('A leaked call waits for the end of the answer, and long arguments go out in fewer, longer pieces.');
  const slow = worst(results, ({ ratio }) => ratio);
  hold('a delta through the bridge ÷ passed on', slow.ratio, limits.BRIDGE_TO_FLOOR, times, at(slow));
  const steep = worst(results, ({ lastToFirst }) => lastToFirst);
  const promise = 'last tenth through the bridge ÷ first';
  hold(promise, steep.lastToFirst, limits.LAST_TO_FIRST_TENTH, times, at(steep));
  return results;
}

async function nativeCalls(hold: CheckLimit): Promise<NativeCallSpeed[]> {
  heading('Right native calls, arguments by 4: healed, and passed on unread (mode native); CPU an answer');
  const results: NativeCallSpeed[] = [];
  for (const length of [200, 5 * KB, 256 * KB]) {
    progress(`bridge: native arguments of ${length} characters`);
    results.push(await nativeCallSpeed(length));
  }
  const us = (value: number) => `${value.toFixed(0)} µs`;
  table(
    ['arguments', 'events', 'healed', 'passed on', 'ratio'],
    results.map((one) => [
      String(one.length),
      String(one.events),
      us(one.healed),
      us(one.passed),
      times(one.ratio),
    ]),
  );
  const slow = worst(results, ({ ratio }) => ratio);
  const where = ` (${slow.length} characters)`;
  hold('a right native call healed ÷ passed on', slow.ratio, limits.NATIVE_CALL_TO_PASSED, times, where);
  return results;
}

const at = (path: BridgePath) => ` (${nameOf(path)})`;

/** Whether the API needs the text until the end of the answer, so that the bridge keeps it: see the limits. */
const isKept = ({ api, kind }: BridgePath) => kind === 'argument' || api === 'openai-responses';

async function memory(hold: CheckLimit): Promise<(BridgeMemory & BridgePath)[]> {
  heading('Heap that grows while 4 MB pass the bridge by 4 (after a full collection), bytes a character');
  const results: (BridgeMemory & BridgePath)[] = [];
  for (const path of paths.filter(({ dialect }) => dialect === 'hermes')) {
    progress(`bridge, memory: ${nameOf(path)}`);
    results.push({ ...(await bridgeMemory(path)), ...path });
  }
  table(
    ['', 'bytes a char', 'kept on purpose'],
    results.map((one) => [nameOf(one), one.slope.toFixed(3), isKept(one) ? 'yes' : '']),
  );
  const passed = worst(
    results.filter((one) => !isKept(one)),
    ({ slope }) => slope,
  );
  const kept = worst(results.filter(isKept), ({ slope }) => slope);
  const bytes = (value: number) => `${value.toFixed(2)} B`;
  hold('heap for a character that passed', passed.slope, limits.BRIDGE_BYTES_PASSED, bytes, at(passed));
  hold('heap for a character that is kept', kept.slope, limits.BRIDGE_BYTES_KEPT, bytes, at(kept));
  return results;
}

/** Measures the heap while an answer passes the bridge, in a process of its own with access to the collector. */
async function bridgeMemory({ api, mode, dialect, kind }: BridgePath): Promise<BridgeMemory> {
  const script = fileURLToPath(new URL('bridge-memory-probe.js', import.meta.url));
  const words = ['--expose-gc', script, api, mode, dialect, kind];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as BridgeMemory;
}

async function firsts(hold: CheckLimit): Promise<FirstEvent[]> {
  heading('Pieces of 4 characters that a model has written when the client sees the first of it');
  const results: FirstEvent[] = [];
  for (const { name } of dialects) results.push(await firstEvent('openai-chat', 'emulate', name));
  for (const api of CLIENT_APIS.slice(1)) results.push(await firstEvent(api, 'emulate', 'hermes'));
  results.push(await firstEvent('openai-chat', 'heal', 'hermes'));
  table(
    ['', 'text at piece', 'name, pieces late', 'argument, pieces late', 'characters behind, at most'],
    results.map((one) => [
      `${one.api}, ${modes[one.mode]}${one.dialect}`,
      ...[one.text, one.name, one.argument, one.behind].map(String),
    ]),
  );
  note('A call is announced when it is certain that it is one, and whose arguments follow. Late: after the');
  note('piece that ends the name, and the one that begins the argument. xnl runs blocks that have closed;');
  note('healing waits for the end, since the upstream may still send the same call itself.');
  const streaming = results.filter(({ mode, dialect }) => mode === 'emulate' && streams(dialect));
  const text = Math.max(...results.map((one) => one.text));
  hold('pieces to the first of a text', text, limits.PIECES_TO_TEXT, String);
  const argument = Math.max(...streaming.map((one) => one.argument));
  hold('pieces an argument is late, where it streams', argument, limits.PIECES_TO_ARGUMENT, String);
  return results;
}

const streams = (name: string) => dialects.some((dialect) => dialect.name === name && dialect.traits.streams);

function wireSpeeds(hold: CheckLimit): { decode: WireSpeed[]; encode: WireSpeed[] } {
  heading('The wire alone, deltas of 4: reading events, and writing them');
  progress('bridge: wire');
  const decode = CLIENT_APIS.flatMap((api) => KINDS.map((kind) => decodeSpeed(api, kind)));
  const encode = CLIENT_APIS.map((api) => encodeSpeed(api));
  const row = (one: WireSpeed, what: string) => [
    `${what}, ${one.api}, ${one.kind}`,
    ns(one.ours),
    ns(one.other),
    times(one.ratio),
  ];
  table(
    ['', 'ours', 'other', 'ratio'],
    [...decode.map((one) => row(one, 'read')), ...encode.map((one) => row(one, 'write'))],
  );
  note('Other: eventsource-parser and JSON.parse with nothing understood; JSON.stringify of whole objects.');
  const slow = worst(decode, ({ ratio }) => ratio);
  hold('an event read ÷ parsed', slow.ratio, limits.DECODE_TO_FLOOR, times, ` (${slow.api}, ${slow.kind})`);
  const most = worst(encode, ({ ratio }) => ratio);
  hold('a delta written ÷ as an object', most.ratio, limits.ENCODE_TO_OBJECTS, times, ` (${most.api})`);
  return { decode, encode };
}

async function overLoopback() {
  heading('Over loopback, 256 KB of prose by 4, as hermes: for information');
  progress('bridge: loopback');
  const result = await loopback();
  table(
    ['', 'CPU a delta'],
    [
      ['piped by a bare proxy', `${result.piped.toFixed(1)} µs`],
      ['through the bridge', `${result.bridged.toFixed(1)} µs`],
    ],
  );
  note(
    `${times(result.ratio)}. Model, proxy and client in one process; a pipe joins writes, the bridge sends`,
  );
  note('every delta by itself, as a client that waits for it wants it.');
  return result;
}

export async function middlewarePart(hold: CheckLimit): Promise<MiddlewareSpeed[]> {
  heading('As middleware of the AI SDK, by 4: @ai-sdk-tool/parser over the same model in the same run');
  const results: MiddlewareSpeed[] = [];
  for (const dialect of MIDDLEWARE_DIALECTS)
    for (const kind of KINDS) {
      progress(`middleware: ${dialect}, ${kind}`);
      results.push(await middlewareSpeed(dialect, kind));
    }
  table(
    ['', 'length', 'peer', 'ours', 'peer ÷ ours', 't(2n)/t(n)', 'ours', 'parts with text', 'ours'],
    results.map((one) => [
      `${one.dialect}, ${one.kind}`,
      `${one.length / KB} KB${one.capped ? '*' : ''}`,
      ns(one.peers),
      ns(one.ours),
      times(one.ratio),
      times(one.growth.peers),
      times(one.growth.ours),
      String(one.parts.peers),
      String(one.parts.ours),
    ]),
  );
  note(
    '* the longest that the peer reads in a second of CPU; the full length is 256 KB of prose, 1 MB of argument.',
  );
  note(
    'Both spell the tools into the prompt and stream text and input; parts: how finely. They read alike only',
  );
  note(
    'what is well formed. With us a call that breaks while it is delivered is an error; the peer leaves it out.',
  );
  const slow = worst(results, ({ ratio }) => 1 / ratio);
  const where = ` (${slow.dialect}, ${slow.kind})`;
  hold('our middleware ÷ that of the peer', 1 / slow.ratio, limits.MIDDLEWARE_TO_PEER, times, where);
  return results;
}
