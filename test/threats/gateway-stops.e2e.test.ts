// Shutdown of the gateway: a row "Faults" of the threats, over real sockets.

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { configFromFlags } from '../../packages/gateway/src/config/index.js';
import { eventsIn, eventsOf, startGateway, until, Wire } from './running-gateway.js';
import { openStage } from './stage.js';
import { apiNames, apis } from './three-apis.js';

const { model } = await openStage();

describe('L22: a gateway that shuts down', () => {
  it.each(apiNames)('ends streams that take too long with an error, over %s', async (api) => {
    const gateway = await startGateway(model.url, { config: { shutdownSeconds: 1 } });
    model.script({ text: 'x'.repeat(3000), delay: 5 });
    const response = await gateway.ask(api, { stream: true });
    const streamed = eventsOf(response);
    const closing = gateway.close();
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(503);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    const events = await streamed;
    expect([apis[api].fails(events), apis[api].ends(events)]).toEqual([true, false]);
    expect(JSON.stringify(events)).toContain('shutting down');
    expect(await model.requests[0]?.over).toBe(true);
    await closing;
    expect(gateway.gateway.app.open).toBe(0);
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  });

  it('tells a request that waits for the second thread to start why it ends', async () => {
    const { createLane } = await import('../../packages/gateway/dist/workers/lane.js');
    const result = configFromFlags({ demo: true, port: 0, log: 'silent' }, {});
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const lane = createLane(result.config, {}, undefined);
    const left: unknown[] = [];
    const request = {
      ...{ method: 'POST', path: '/v1/chat/completions', search: '', address: undefined },
      ...{ headers: () => ({}), onLeave: (leave: unknown) => left.push(leave) },
    };
    const answer = lane.answer(request as never, { segments: [Buffer.from('{}')] });
    const ending = expect(answer).rejects.toThrow('The gateway is shutting down.');
    lane.abort(new ApiError('overloaded', 'The gateway is shutting down.'));
    await lane.close();
    await ending;
    // Its question was not sent.
    expect(left).toEqual([]);
  });

  it('sends the end of an answer to a client that reads slowly', async () => {
    const gateway = await startGateway(model.url, { config: { shutdownSeconds: 5 } });
    model.script({ text: 'x'.repeat(3_000_000), pieces: 100_000 });
    const wire = await Wire.open(gateway.port);
    wire.socket.pause();
    wire.post('chat', { stream: true });
    await model.arrived(0);
    const closing = gateway.close();
    await wait(100);
    wire.socket.resume();
    await closing;
    await until(() => wire.closed, 'the connection is open');
    expect(wire.received).toContain('[DONE]');
    expect(wire.received.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });

  it('ends the stream of the inspector when the last answer is over, with all its events', async () => {
    const gateway = await startGateway(model.url, { config: { shutdownSeconds: 5 } });
    const watched = Promise.all(
      [1, 2].map(async () => eventsOf(await fetch(`${gateway.url}/inspector/events`))),
    );
    const left = await fetch(`${gateway.url}/inspector/events`);
    await left.body?.cancel();
    model.script({ text: 'Hello, this takes a moment.', delay: 20 });
    const answer = await gateway.ask('chat', { stream: true });
    const closing = gateway.close();
    expect(apis.chat.ends(await eventsOf(answer))).toBe(true);
    // A connection that is cut, as those are that hold up the end, would be an error here.
    for (const events of await watched) expect(events.at(-1)?.event).toBe('exchange-end');
    await closing;
  });

  it('ends the stream of the inspector at once where no request is running', async () => {
    const gateway = await startGateway(model.url, { config: { shutdownSeconds: 5 } });
    const watched = await fetch(`${gateway.url}/inspector/events`);
    const ended = watched.text();
    await gateway.close();
    expect(await ended).toBe('');
  });

  it('as a process finishes a stream, and exits with the code 0', async () => {
    model.script({ text: 'Hello, this takes a moment.', delay: 40 });
    const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
    const args = ['serve', '--upstream', model.url, '--dialect', 'hermes', '--port', '0', '--inspect', '5'];
    const gateway = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    gateway.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const ended = new Promise((tell) => gateway.once('exit', (code, signal) => tell(code ?? signal)));
    try {
      await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(said), 'it does not listen');
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      const response = await fetch(url + apis.chat.path, {
        method: 'POST',
        body: JSON.stringify({ ...apis.chat.body, stream: true }),
      });
      const watched = await fetch(`${url}/inspector/events`);
      gateway.kill('SIGTERM');
      expect(apis.chat.ends(await eventsOf(response))).toBe(true);
      expect(eventsIn(await watched.text()).at(-1)?.event).toBe('exchange-end');
      expect(await ended).toBe(0);
    } finally {
      gateway.kill('SIGKILL');
    }
  });
});
