// Many streams at once: a row "Faults" of the threats, over real sockets.

import { describe, expect, it } from 'vitest';
import { FILL, openStreams, PERIOD, PIECE_GROWTH, startPacedModel } from '../soak/paced.mjs';
import { heldBytes } from './heap.js';
import { openSockets } from './open-sockets.js';
import { startGateway, until } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, call } from './three-apis.js';

const MB = 1024 * 1024;
const { model } = await openStage();

describe.skipIf(process.platform !== 'linux')('L23: many streams', () => {
  it('paced, some clients disconnecting: no socket and no memory leaks', async () => {
    const STREAMS = 100;
    const base = openSockets(model.url);
    const gateway = await startGateway(model.url, { config: { inspect: 10 } });
    const open = () => openSockets(model.url, gateway.url);
    const round = async () => {
      model.script(...Array(STREAMS).fill({ text: `Let me see. ${call}`, delay: 4, pieces: 12 }));
      const asked = Array.from({ length: STREAMS }, async (_, at) => {
        const leaves = at % 5 === 0 ? { signal: AbortSignal.timeout(20 + at / 4) } : {};
        const response = await gateway.ask(apiNames[at % 3] ?? 'chat', { stream: true }, leaves);
        return response.text();
      });
      const results = await Promise.allSettled(asked);
      await gateway.settled();
      gateway.lines.length = 0;
      return results.filter(({ status }) => status === 'fulfilled').length;
    };
    const held: number[] = [];
    for (let n = 0; n < 5; n++) {
      expect(await round()).toBeGreaterThanOrEqual(0.8 * STREAMS);
      held.push(heldBytes());
    }
    const [, second = 0, , , last = 0] = held;
    expect(last - second).toBeLessThan(2 * MB);
    await gateway.close();
    await until(() => open() <= base, 'sockets are left');
  });

  it('a thousand at once, paced: memory does not grow while they run, and all of it is freed', async () => {
    const THOUSAND = 1000;
    const paced = await startPacedModel();
    // Everything else as it is by default: each stream must have a connection to the model.
    const gateway = await startGateway(paced.url, {
      config: { inspect: 0, log: { level: 'warn', form: 'json' } },
    });
    const streams = openStreams(gateway.url, THOUSAND);
    await until(() => paced.open === THOUSAND, 'not all of them reach the model', 60_000);
    expect(openSockets(paced.url, gateway.url)).toBeGreaterThan(2 * THOUSAND);
    let ticks = 0;
    const tick = async (count: number) => {
      for (const end = ticks + count; ticks < end; ) {
        paced.tick();
        ticks++;
        await until(() => streams.seen.pieces === ticks * THOUSAND, `pieces are missing at ${ticks}`, 60_000);
      }
    };
    // What is kept of the beginning and the end of an answer is full then. The end is cut every few pieces, so what is
    // held is compared at the same place from one cut to the next. Here and there a piece more waits to be collected:
    // the middle of what was found says what stays.
    await tick(FILL);
    const heldToNextCut = async () => {
      const held: number[] = [];
      for (let sample = 0; sample < PERIOD; sample++) {
        await tick(1);
        held.push(heldBytes());
      }
      return held;
    };
    const first = await heldToNextCut();
    const second = await heldToNextCut();
    const grown = second.map((bytes, at) => bytes - (first[at] as number)).sort((a, b) => a - b);
    expect(gateway.gateway.app.open).toBe(THOUSAND);
    // Far less than a piece.
    const middle = grown[PERIOD >> 1] as number;
    expect(middle / PERIOD / THOUSAND, 'bytes a piece').toBeLessThan(PIECE_GROWTH);
    paced.end();
    await streams.over;
    expect(streams.seen).toMatchObject({ whole: THOUSAND, broken: 0 });
    await until(() => gateway.gateway.app.open === 0, 'some are still open');
    await gateway.close();
    await paced.close();
    expect(gateway.lines).toEqual([]);
    await until(() => openSockets(paced.url, gateway.url) === 0, 'sockets are left');
  }, 240_000);
});
