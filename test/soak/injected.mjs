// The faults around the gateways of a soak. Two loops inject them, one those of the stores, one those of the gateways and
// their configuration, so that they meet. Each draws all its kinds in turn, in an order drawn anew each time.

import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { KEYS } from './asking.mjs';
import { until } from './gateways.mjs';
import { spanOf } from './judge.mjs';

/** Milliseconds after a store is back until gateways use it again: they pause after a failure. */
const STORE_PAUSE = 1000;
/** Milliseconds in which clients learn that a worker has died. */
const WORKER_PAUSE = 1000;
/** Milliseconds that a broken file stays: longer than any contents are waited for. */
const BROKEN = 1500;
const OWN_KEY = { a: 'bob', b: 'carol' };

/** One of two configurations; `...` ends the file, so that no part of it is one. */
export function configurationText(name, { model, store, workers }) {
  const keys = ['alice', OWN_KEY[name]].map((owner) => `{ name: ${owner}, key: ${KEYS[owner]} }`);
  return `upstream: { url: ${model.url(name)}, kind: chat, engine: none, timeouts: { idle: 1s } }
models: [m, of-${name}]
dialect: hermes
workers: ${workers}
healthPort: 0
keys: [${keys.join(', ')}]
limits: { wrongKeysPerMinute: 1000000 }
store: "${store}"
...
`;
}

/** Everything about the stage is given: the servers, the gateways, the files with their settings, the times. */
export function createFaults({ random, times, model, redis, postgres, gateways, files }) {
  const [first, second, third] = gateways;
  const now = () => performance.now();
  const happened = [];
  let current = 'a';
  const inUse = new Map(
    gateways.map(({ name }) => [name, times.begin(spanOf.configuration(current, name), now())]),
  );

  /** Gives what went wrong, if something did. */
  const storeFault = (users, act) => async () => {
    const ends = users.map(({ name }) => times.begin(spanOf.store(name), now()));
    await act();
    const back = await Promise.all(users.map((gateway) => until(() => gateway.isReady())));
    await wait(STORE_PAUSE);
    for (const end of ends) end(now());
    return back.every(Boolean) ? undefined : 'a gateway is not ready again';
  };
  const killed = (server) => async () => {
    await server.kill();
    await wait(random() * 1500);
    await server.restart();
  };
  const stopped = (server) => async () => {
    server.pause();
    await wait(random() * 2500);
    server.resume();
  };

  const write = (name) => {
    for (const { path, settings } of files) {
      const text = configurationText(name, { model, ...settings });
      if (random() < 0.5) writeFileSync(path, text);
      else {
        writeFileSync(`${path}.new`, text);
        renameSync(`${path}.new`, path);
      }
    }
  };
  const reload = async (name = current === 'a' ? 'b' : 'a') => {
    if (name === current) return undefined;
    const begun = new Map(
      gateways.map((gateway) => [gateway.name, times.begin(spanOf.configuration(name, gateway.name), now())]),
    );
    current = name;
    write(name);
    const taken = await Promise.all(
      gateways.map(async (gateway) => {
        const isTaken = await until(() => gateway.uses(name));
        inUse.get(gateway.name)(now());
        inUse.set(gateway.name, begun.get(gateway.name));
        return isTaken;
      }),
    );
    return taken.every(Boolean) ? undefined : 'a gateway does not use the new configuration';
  };
  const brokenReload = async () => {
    for (const { path, settings } of files) {
      const text = configurationText(current === 'a' ? 'b' : 'a', { model, ...settings });
      writeFileSync(path, text.slice(0, Math.floor(random() * (text.length - 5))));
    }
    await wait(BROKEN);
    const kept = await Promise.all(gateways.map((gateway) => gateway.uses(current)));
    return kept.every(Boolean) ? await reload() : 'a broken configuration was used';
  };
  const gatewayKilled = async () => {
    const end = times.begin(spanOf.gone(second.name), now());
    await second.kill();
    await second.start();
    end(now());
    return undefined;
  };
  const workerKilled = async () => {
    const end = times.begin(spanOf.gone(third.name), now());
    const { workers } = third;
    const [victim, ...others] = random() < 0.5 ? workers : workers.toReversed();
    process.kill(victim, 'SIGKILL');
    await wait(WORKER_PAUSE);
    end(now());
    const isBack = await until(() => !third.workers.includes(victim) && third.workers.length > others.length);
    return isBack ? undefined : 'the worker was not started again';
  };

  const loops = [
    {
      'Redis killed': [[first, second], storeFault([first, second], killed(redis))],
      'Redis stopped': [[first, second], storeFault([first, second], stopped(redis))],
      'PostgreSQL killed': [[third], storeFault([third], killed(postgres))],
      'PostgreSQL stopped': [[third], storeFault([third], stopped(postgres))],
    },
    {
      reload: [gateways, reload],
      'broken reload': [gateways, brokenReload],
      'gateway killed': [[second], gatewayKilled],
      'worker killed': [[third], workerKilled],
    },
  ];
  const bags = loops.map(() => []);
  const inject = async (at) => {
    if (bags[at].length === 0) bags[at] = shuffled(Object.keys(loops[at]), random);
    const kind = bags[at].pop();
    const [concerned, act] = loops[at][kind];
    const problem = await act();
    happened.push({ kind, end: now(), gateways: concerned.map(({ name }) => name), problem });
  };
  return {
    kinds: loops.flatMap((loop) => Object.keys(loop)),
    happened,
    /** To have one of them for what follows. */
    use: reload,
    /** Until it is told to stop: then the running ones end. */
    async injectWhile(goesOn) {
      await Promise.all(
        loops.map(async (_, at) => {
          for (; goesOn(); await wait(200 + random() * 1500)) await inject(at);
        }),
      );
    },
  };
}

function shuffled(all, random) {
  return all
    .map((one) => [random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}
