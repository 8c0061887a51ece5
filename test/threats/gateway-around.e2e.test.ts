// The gateway when its watchers throw, its configuration changes, or its address is taken.

import { createApp, createLog, createResponses, serve } from '@dragoman/gateway';
import { describe, expect, it } from 'vitest';
import { startTextModel } from '../scripted/text-model.js';
import { configOf, eventsOf } from './running-gateway.js';
import { openStage } from './stage.js';
import { apis, call } from './three-apis.js';

const { model, start } = await openStage();

describe('the surroundings of a gateway', () => {
  it('a watcher that throws: requests are answered', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', form: 'json', write: (line) => lines.push(line) });
    const thrower = () => {
      throw new Error('a watcher of no use');
    };
    const watches = [
      { begin: thrower },
      { begin: () => ({ model: thrower, event: thrower, firstByte: thrower, end: thrower }) },
    ];
    for (const watcher of watches) {
      const app = createApp(configOf(model.url), {
        log,
        watcher,
        limiter: { take: async () => ({ ok: true }) },
        responses: createResponses(undefined, 0, { log }),
      });
      model.script('Hello.', 'Hello.');
      for (const stream of [true, false]) {
        const body = JSON.stringify({ ...apis.chat.body, stream });
        const response = await app.fetch(
          new Request(`http://127.0.0.1${apis.chat.path}`, { method: 'POST', body }),
        );
        expect(response.status).toBe(200);
        expect(await response.text()).toContain(stream ? '[DONE]' : 'Hello.');
        expect(app.open).toBe(0);
      }
    }
    expect(lines.filter((line) => line.includes('"answered"'))).toHaveLength(4);
  });

  it('a reload: streams go on, and so does a model that is asked again', async () => {
    const gateway = await start();
    const other = await startTextModel('From the other one.');
    const broken = '<tool_call>\n{"name": "get_weather", "arguments": {"city": \n</tool_call>';
    model.script({ text: call, delay: 10 }, { text: broken, delay: 20 }, call);
    const streamed = gateway.ask('chat', { stream: true });
    await model.arrived(0);
    const whole = gateway.ask('chat');
    await model.arrived(1);
    gateway.gateway.reload(configOf(other.url));
    expect(await (await gateway.ask('chat')).text()).toContain('From the other one.');
    expect(apis.chat.ends(await eventsOf(await streamed))).toBe(true);
    expect(await (await whole).text()).toContain('Beijing');
    expect(model.requests).toHaveLength(3);
    expect(other.requests).toHaveLength(1);
    expect(await gateway.settled()).toBe(3);
    await other.close();
  });
});

it('an address that is taken is an error, and nothing stays open', async () => {
  const gateway = await start();
  await expect(serve({ ...configOf(model.url), port: gateway.port }, { write: () => {} })).rejects.toThrow(
    'EADDRINUSE',
  );
});
