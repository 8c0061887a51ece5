// Streams whose clients do not read share `limits.streamBytes`. Beyond it the one that has waited longest is ended; a client
// that reads, however slowly, loses nothing to those that do not.

import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Flood, type RunningGateway, startFlood, until, Wire } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames } from './three-apis.js';

const MB = 1024 * 1024;
const { model, start } = await openStage();
/** More than the buffers of all sockets on the way. */
const ANSWER = 12 * MB;
/** Each counts for what is held of it (128 KB) and what it could not write (some 16 KB). */
const ROOM = 2;
/** Of a machine on which much else runs: 150 MB pass several sockets. */
const PATIENCE = 200_000;
const limits = { streamBytes: (ROOM + 0.5) * 144 * 1024 };

/** A client that asks and does not read, once nothing moves any more. */
async function stalledClient({ port }: RunningGateway, flood: Flood): Promise<Wire> {
  const wire = await Wire.open(port);
  const { asked } = flood;
  wire.socket.pause();
  wire.post('chat', { stream: true });
  await until(() => flood.asked > asked, 'the upstream was not asked');
  for (let before = -1, still = 0; still < 5; still++) {
    if (before !== flood.produced) still = 0;
    before = flood.produced;
    await wait(60);
  }
  return wire;
}

const endings = ({ lines }: RunningGateway) => lines.filter((line) => line.includes('limits.streamBytes'));

async function readToTheEnd(wires: readonly Wire[]): Promise<boolean[]> {
  for (const { socket } of wires) socket.resume();
  await until(() => wires.every(({ closed }) => closed), 'a stream did not end', PATIENCE);
  return wires.map(({ received }) => received.includes('[DONE]'));
}

describe('streams that nobody reads', () => {
  it('are ended beyond limits.streamBytes, the oldest first, and counted; the others are whole', async () => {
    const flood = await startFlood(ANSWER);
    const gateway = await start({ limits, config: { inspect: 0 } }, flood.url);
    const wires: Wire[] = [];
    for (let n = 0; n < ROOM + 2; n++) {
      wires.push(await stalledClient(gateway, flood));
      const over = Math.max(0, n + 1 - ROOM);
      await until(() => endings(gateway).length >= over, 'none was ended', PATIENCE);
      expect(endings(gateway)).toHaveLength(over);
      expect(gateway.gateway.app.open).toBe(n + 1 - over);
    }
    expect(await readToTheEnd(wires)).toEqual([false, false, true, true]);
    await until(() => gateway.gateway.app.open === 0, 'a stream is still counted');
    const ended = gateway.lines.filter((line) => line.includes('the client disconnected'));
    expect(ended).toHaveLength(2);
    await flood.close();
  }, 240_000);

  it('take nothing from a client that reads slowly', async () => {
    const flood = await startFlood(ANSWER);
    const gateway = await start({ limits, config: { inspect: 0 } }, flood.url);
    const slow = await Wire.open(gateway.port);
    slow.socket.on('data', () => {
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 2);
    });
    slow.post('chat', { stream: true });
    const wires: Wire[] = [];
    for (let n = 0; n < ROOM + 2; n++) wires.push(await stalledClient(gateway, flood));
    await until(() => slow.closed, 'the slow client has no end', PATIENCE);
    expect(slow.received).toContain('[DONE]');
    expect(slow.received.length).toBeGreaterThan(ANSWER);
    expect(endings(gateway).length).toBeGreaterThanOrEqual(1);
    for (const { socket } of wires) socket.destroy();
    await flood.close();
  }, 240_000);
});

describe('whole answers that nobody reads', () => {
  /** Each is kept until the client has taken all of it. */
  const WHOLE = 10 * MB;
  const kept = 2;
  const settings = {
    limits: { streamBytes: (kept + 0.5) * WHOLE },
    config: { inspect: 0 },
    flags: { store: 'memory:' },
  };

  /** Two more than are kept, one after the other. */
  async function expectOldestEnded(gateway: RunningGateway, ask: (wire: Wire) => void): Promise<void> {
    const wires: Wire[] = [];
    for (let n = 0; n < 2 + kept; n++) {
      const wire = await Wire.open(gateway.port);
      wires.push(wire);
      wire.socket.once('data', () => wire.socket.pause());
      ask(wire);
      await until(() => wire.socket.bytesRead > 0, 'nothing was answered');
      const over = Math.max(0, n + 1 - kept);
      await until(() => endings(gateway).length >= over, 'none was ended');
      expect(endings(gateway)).toHaveLength(over);
    }
    for (const { socket } of wires) socket.resume();
    await until(() => wires.every(({ closed }) => closed), 'an answer did not end');
    // Long answers of a model are sent in chunks: one of no bytes is the end.
    const whole = wires.map(
      ({ received }) => received.length > WHOLE && /\}(?:\r\n0)?\s*$/.test(received.slice(-20)),
    );
    expect(whole).toEqual([false, false, true, true]);
  }

  it('are ended beyond limits.streamBytes, the oldest first; the others are whole', async () => {
    const gateway = await start(settings);
    model.script('Hello.');
    const first = await gateway.ask('responses', { store: true, input: 'x'.repeat(WHOLE) });
    const id = /"id":"(resp_[^"]+)"/.exec(await first.text())?.[1];
    const get = `GET /v1/responses/${id}/input_items HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`;
    await expectOldestEnded(gateway, ({ socket }) => socket.write(get));
  });

  it.each(apiNames)('of a model are, too, over %s', async (api) => {
    // Some of it is around the text.
    const flood = await startFlood(1.1 * WHOLE);
    const gateway = await start(settings, flood.url);
    await expectOldestEnded(gateway, (wire) => wire.post(api, { store: false }));
    await flood.close();
  });
});
