// What the clients bear: a member `dragoman` wherever we put one, and heartbeats in the middle of a stream; and what
// makes them throw. Served by hand, not by the library, so that it speaks of the clients alone.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gate, openGate } from '../scripted/gate.js';
import { type HandMade, handMade } from '../scripted/hand-made.js';
import { tools } from './case.js';
import type { Client, Job } from './client.js';
import { everyone } from './everyone.js';

let gate: Gate;
let heartbeat = 0;
let failure = -1;
beforeAll(async () => {
  gate = await openGate(async (request) => {
    const made = handMade[new URL(request.url).pathname] as HandMade;
    const { stream } = (await request.json()) as { stream?: boolean };
    if (!stream) return Response.json(made.whole);
    const beat = made.heartbeats[heartbeat] as string;
    const headers = { 'content-type': 'text/event-stream' };
    const failed = failure < 0 ? undefined : (made.failures[failure] ?? made.failures[0]);
    if (failed) return new Response(made.stream.slice(0, 5).join('') + failed, { headers });
    return new Response(beat + made.stream.map((event) => event + beat).join(''), { headers });
  });
});
afterAll(() => gate.close());

async function sees(client: Client): Promise<void> {
  const ran: unknown[] = [];
  const execute: Job['execute'] = (name, input) => {
    ran.push([name, input]);
    return 'fine';
  };
  const turns = await client.run({ url: gate.url, prompt: 'Hi', tools, turns: 1, execute });
  expect(turns).toMatchObject([{ text: 'Hi ', calls: ['get_weather'], ending: 'tool-calls' }]);
  expect(ran).toEqual([['get_weather', { city: 'Oslo' }]]);
}

describe.each(everyone)('$name', (client) => {
  it('bears the member dragoman, and heartbeats between all events', async () => {
    for (heartbeat = 0; heartbeat < (client.streams ? 2 : 1); heartbeat++) await sees(client);
    heartbeat = 0;
  });

  if (!client.streams) return;
  it('throws at an error in the stream, whatever its form', async () => {
    const job = { url: gate.url, prompt: 'Hi', tools, turns: 1, execute: () => 'fine' };
    for (failure of [0, 1]) await expect(client.run(job), `form ${failure}`).rejects.toThrow(/it broke/);
    failure = -1;
  });
});
