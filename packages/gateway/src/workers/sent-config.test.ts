import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { parseConfig } from '../config/index.js';
import { Channel } from './channel.js';
import { type PlainConfig, toPlainConfig } from './plain-config.js';
import { ConfigSender, configAnswers, JoinedConfig, partsOf } from './sent-config.js';

function configOf(text: string): PlainConfig {
  const result = parseConfig(text);
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return toPlainConfig(result.config);
}

function list(count: number, item: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => item(at)).join(', ');
}

const small = configOf('upstream: demo');
const models = configOf(`upstream: demo\nmodels: [${list(1700, (at) => `m${at}`)}]`);
const keys = configOf(`upstream: demo\nkeys: [${list(1000, (at) => `a-long-key-${at}`)}]`);
const upstreams = configOf(
  `upstreams: { ${list(501, (at) => `u${at}: "http://a/v1"`)} }\nmodels: { m: { upstream: u500 } }`,
);

/** Both ends of a channel: what one sends arrives a turn later. */
function channelTo(take: Parameters<typeof configAnswers>[0]): Channel {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const sendTo = (other: EventEmitter) => (message: object) =>
    setImmediate(() => other.emit('message', structuredClone(message)));
  new Channel(Object.assign(there, { send: sendTo(here) }), configAnswers(take));
  return new Channel(Object.assign(here, { send: sendTo(there) }), {});
}

/** No test expects a failure but for those that say so. */
const failed = (error: unknown) => {
  throw error;
};

it.each([
  ['a small one', small, 1],
  ['1,700 models', models, 4],
  ['1,000 keys', keys, 2],
  ['501 upstreams', upstreams, 2],
])('a configuration is the same behind its parts: %s', (_, config, count) => {
  const parts = [...partsOf(config)];
  expect(parts).toHaveLength(count);
  for (const part of parts)
    expect(Math.max(part.models.length, part.keys.length, part.upstreams.length)).toBeLessThanOrEqual(500);
  const joined = new JoinedConfig();
  const whole = parts.map((part) => joined.add(structuredClone(part)));
  expect(whole.slice(0, -1).every((one) => one === undefined)).toBe(true);
  expect(whole.at(-1)).toEqual(config);
});

it('what comes while one is sent is sent behind it, and only the newest', async () => {
  const joined = new JoinedConfig();
  const got: PlainConfig[] = [];
  const channel = channelTo((part) => {
    const config = joined.add(part);
    if (config) got.push(config);
  });
  const sender = new ConfigSender(channel, async () => {}, failed);
  sender.send(models);
  sender.send(keys);
  sender.send(small);
  await sender.sent;
  expect(got).toEqual([models, small]);
  expect(sender.sent).toBeUndefined();
  sender.send(upstreams);
  await sender.sent;
  expect(got.at(-1)).toEqual(upstreams);
});

it('a small one is sent at once, before what is sent next', () => {
  const sent: object[] = [];
  const peer = Object.assign(new EventEmitter(), { send: (message: object) => void sent.push(message) });
  const channel = new Channel(peer, {});
  new ConfigSender(channel, async () => {}, failed).send(small);
  channel.tell('next');
  expect(sent).toMatchObject([{ name: 'config-part', value: { isLast: true } }, { name: 'next' }]);
});

it('nobody waits for another side that has ended', async () => {
  const channel = channelTo(() => new Promise(() => {}));
  const sender = new ConfigSender(channel, async () => {}, failed);
  sender.send(models);
  channel.close();
  await expect(sender.sent).resolves.toBeUndefined();
});

it('a part without the first one is an error', () => {
  const [, second, third, last] = partsOf(models);
  const joined = new JoinedConfig();
  if (!second || !third || !last) throw new Error('expected four parts');
  joined.add(second);
  joined.add(third);
  expect(() => joined.add(last)).toThrow('the first part');
});

it('the parts of one that was left off are forgotten', () => {
  const joined = new JoinedConfig();
  const [first] = partsOf(models);
  if (first) joined.add(first);
  expect([...partsOf(keys)].map((part) => joined.add(part)).at(-1)).toEqual(keys);
});

it('tells of a side that does not take it, and of what cannot be sent', async () => {
  const errors: string[] = [];
  const fail = (error: unknown) => void errors.push(String(error));
  const channel = channelTo(() => {
    throw new Error('no room');
  });
  const sender = new ConfigSender(channel, async () => {}, fail);
  sender.send(small);
  await sender.sent;
  expect(errors).toEqual(['Error: no room']);
  const unsendable = { send: () => structuredClone(() => {}) };
  const other = new ConfigSender(
    new Channel(Object.assign(new EventEmitter(), unsendable), {}),
    async () => {},
    fail,
  );
  other.send(small);
  await other.sent;
  expect(errors).toHaveLength(2);
  expect(errors[1]).toContain('DataCloneError');
});
