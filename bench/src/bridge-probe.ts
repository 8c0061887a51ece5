// node bridge-probe.js: the promises about the wire and the bridge, on inputs small enough for a test, as JSON.
// test/speed.alone.test.ts runs it in a process of its own.

import { dialects } from '@dragoman/core';
import { type BridgePath, type BridgeSpeed, bridgeSpeed } from './bridge.js';
import { CLIENT_APIS } from './exchange.js';
import { type FirstEvent, firstEvent } from './first-event.js';
import { KB } from './inputs.js';
import { decodeSpeed, encodeSpeed, type WireSpeed } from './wire.js';

export interface BridgeSpeeds {
  bridge: BridgeSpeed[];
  decode: WireSpeed[];
  encode: WireSpeed[];
  first: (FirstEvent & { streams: boolean })[];
}

const SIZE = 128 * KB;
/** Calls that are held whole cost little, so many are sent to make superlinear growth visible. */
const HELD = 512 * KB;

const paths: (BridgePath & { length: number })[] = [
  ...CLIENT_APIS.flatMap((api): (BridgePath & { length: number })[] => [
    { api, mode: 'emulate', dialect: 'hermes', kind: 'prose', length: SIZE },
    { api, mode: 'emulate', dialect: 'glm-4.5', kind: 'argument', length: SIZE },
  ]),
  { api: 'openai-chat', mode: 'heal', dialect: 'hermes', kind: 'prose', length: SIZE },
  { api: 'openai-chat', mode: 'heal', dialect: 'hermes', kind: 'argument', length: HELD },
  { api: 'openai-chat', mode: 'whole', dialect: 'hermes', kind: 'argument', length: HELD },
  { api: 'openai-chat', mode: 'emulate', dialect: 'xnl', kind: 'argument', length: HELD },
];

const speeds: BridgeSpeeds = {
  bridge: [],
  decode: CLIENT_APIS.map((api) => decodeSpeed(api, 'argument', 16 * KB)),
  encode: CLIENT_APIS.map((api) => encodeSpeed(api, 16 * KB)),
  first: [],
};
for (const { length, ...path } of paths) speeds.bridge.push(await bridgeSpeed(path, length));
for (const { name, traits } of dialects)
  speeds.first.push({ ...(await firstEvent('openai-chat', 'emulate', name)), streams: traits.streams });
process.stdout.write(JSON.stringify(speeds));
