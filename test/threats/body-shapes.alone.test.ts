// One body stops everybody: bodies of all shapes against the built gateway, in a process with little memory. No other
// request waits long for one of them, none takes many times its size, and the process lives. The other requests are small
// questions on a kept connection, one after the other, as long as the body is in work.

import { type ChildProcess, fork } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type DrawnBody, drawBody, drawFrom } from './body-shapes.js';

const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 1);
const COUNT = Math.max(30, Math.round(200 * EFFORT));
const MB = 1024 * 1024;
/** The whole limit in the full measure. */
const MOST = EFFORT >= 1 ? 32 * MB : 4 * MB;

/** Milliseconds of processor time. */
const LONGEST_WAIT = 50;
const TIMES_THE_BODY = 8;
/** What the allocator and garbage that is not collected yet take in any case. Without it, four of 200 shapes are over. */
const BESIDES = 64 * MB;
/** Bodies for one process: the memory that earlier ones left would hide what the later ones take. */
const BODIES_OF_ONE = 10;
/** How often a body may be sent again, and the least counts: a pause that is its fault comes every time. */
const TRIES = 3;

interface Probe {
  url: string;
  stretch: number;
  /** The longest wait of another request, of those that were told. */
  wait: number;
  peak: number;
  rss: number;
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

async function startProbed(upstream: string, kind: string) {
  const script = fileURLToPath(new URL('./probed-gateway.mjs', import.meta.url));
  const execArgv = ['--max-old-space-size=512', '--expose-gc'];
  const child = fork(script, [upstream, kind], { execArgv });
  children.push(child);
  const heard = () => new Promise<Probe>((tell) => child.once('message', (probe) => tell(probe as Probe)));
  const { url } = await heard();
  const tell = (word: string | Waits) => {
    const answer = heard();
    child.send(word);
    return answer;
  };
  const lives = () => child.exitCode === null && child.signalCode === null;
  return { url, tell, lives, stop: () => child.kill() };
}

interface Waits {
  /** When a question was sent, and when its answer had come. */
  waits: [from: number, to: number][];
}

interface Asked extends Waits {
  url: string;
  failed: number;
}

/** A fake model, and the client whose questions wait. */
async function startAsking() {
  const child = fork(fileURLToPath(new URL('./waiting-client.mjs', import.meta.url)));
  children.push(child);
  const heard = () => new Promise<Asked>((tell) => child.once('message', (told) => tell(told as Asked)));
  const { url } = await heard();
  const tell = (word: string | { ask: string }) => {
    const answer = heard();
    child.send(word);
    return answer;
  };
  return { model: url, tell, stop: () => child.kill() };
}

function post(url: string, body: Buffer, path = '/v1/chat/completions'): Promise<number> {
  return new Promise((tell) => {
    const headers = { 'content-length': body.length };
    const sent = request(url + path, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => tell(response.statusCode ?? 0));
    });
    sent.on('error', () => tell(0)).end(body);
  });
}

const small = Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}]}');
/** Large enough for the second thread, which it starts. */
const large = Buffer.from(`{"model":"m","messages":[{"role":"user","content":"${'hi '.repeat(300_000)}"}]}`);

type Gateway = Awaited<ReturnType<typeof startProbed>>;

async function startWarm(upstream: string, kind: string): Promise<Gateway> {
  const gateway = await startProbed(upstream, kind);
  for (let n = 0; n < 200; n++) expect(await post(gateway.url, small)).toBe(200);
  expect(await post(gateway.url, large)).toBe(200);
  return gateway;
}

async function endWell({ url, lives, stop }: Gateway): Promise<void> {
  expect(await post(url, small)).toBe(200);
  expect(lives()).toBe(true);
  stop();
}

type Asking = Awaited<ReturnType<typeof startAsking>>;

async function measure({ url, tell }: Gateway, asking: Asking, { bytes, path }: DrawnBody) {
  const before = await tell('collect');
  await tell('reset');
  await asking.tell({ ask: url });
  const status = await post(url, bytes, path);
  const { waits, failed } = await asking.tell('stop');
  const { stretch, wait, peak } = await tell({ waits });
  return { status, stretch, wait, failed, asked: waits.length, grown: Math.max(0, peak - before.rss) };
}

async function measureAgain(gateway: Gateway, asking: Asking, body: DrawnBody) {
  const first = await measure(gateway, asking, body);
  for (
    let tries = 1;
    Math.max(first.stretch, first.wait) > LONGEST_WAIT && tries < TRIES && first.failed === 0;
    tries++
  ) {
    const { stretch, wait, failed } = await measure(gateway, asking, body);
    first.stretch = Math.min(first.stretch, stretch);
    first.wait = Math.min(first.wait, wait);
    first.failed += failed;
  }
  return first;
}

describe.skipIf(process.platform !== 'linux')('bodies of all shapes', () => {
  it.each(['chat', 'native'])(
    'of a model of the kind %s: nobody waits for one, and the process lives',
    async (kind) => {
      const asking = await startAsking();
      let gateway = await startWarm(asking.model, kind);
      const draw = drawFrom(kind === 'chat' ? 20 : 21);
      const faults: string[] = [];
      const seen = { stretch: 0, wait: 0, asked: 0, times: 0, statuses: new Map<number, number>() };
      for (let at = 0; at < COUNT / 2; at++) {
        const body = drawBody(draw, at, MOST);
        const { shape, bytes, path } = body;
        if (at % BODIES_OF_ONE === BODIES_OF_ONE - 1) {
          await endWell(gateway);
          gateway = await startWarm(asking.model, kind);
        }
        const { status, stretch, wait, failed, asked, grown } = await measureAgain(gateway, asking, body);
        const times = grown / bytes.length;
        seen.stretch = Math.max(seen.stretch, stretch);
        seen.wait = Math.max(seen.wait, wait);
        seen.asked += asked;
        if (bytes.length > 8 * MB) seen.times = Math.max(seen.times, times);
        seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
        const told = `${shape} to ${path} of ${(bytes.length / MB).toFixed(1)} MB: status ${status}, ${stretch.toFixed(0)} ms at once, ${wait.toFixed(0)} ms waited by ${asked}, ${failed} failed, ${(grown / MB).toFixed(0)} MB`;
        if (process.env.DRAGOMAN_TELL) console.log(told);
        if (stretch > LONGEST_WAIT || wait > LONGEST_WAIT || failed > 0 || asked === 0) faults.push(told);
        if (grown > BESIDES + TIMES_THE_BODY * bytes.length) faults.push(told);
        if (![200, 400, 413].includes(status)) faults.push(told);
      }
      console.log(
        `${kind}: the longest stretch ${seen.stretch.toFixed(0)} ms, the longest wait of ${seen.asked} other requests ${seen.wait.toFixed(0)} ms of processor time, at most ${seen.times.toFixed(1)} times the body, statuses ${JSON.stringify([...seen.statuses])}`,
      );
      expect(faults).toEqual([]);
      await endWell(gateway);
      asking.stop();
    },
    1_800_000,
  );
});
