// Many streams at once: a row of the threats called Faults, over real sockets.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { heldBytes } from './heap.js';
import { startGateway, until } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, call } from './three-apis.js';

const MB = 1024 * 1024;
const { model } = await openStage();

const descriptors = () => readdirSync('/proc/self/fd').length;

describe.skipIf(process.platform !== 'linux')('L23: many streams', () => {
  it('paced, some leaving: no descriptor and no memory is left', async () => {
    const base = descriptors();
    const gateway = await startGateway(model.url, { config: { inspect: 10 } });
    const round = async () => {
      model.script(...Array(150).fill({ text: `Let me see. ${call}`, delay: 4, pieces: 12 }));
      const asked = Array.from({ length: 150 }, async (_, at) => {
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
      expect(await round()).toBeGreaterThanOrEqual(120);
      held.push(heldBytes());
    }
    const [, second = 0, , , last = 0] = held;
    expect(last - second).toBeLessThan(3 * MB);
    await gateway.close();
    await until(() => descriptors() <= base + 5, `${descriptors() - base} descriptors are left`, 8000);
  });
});
