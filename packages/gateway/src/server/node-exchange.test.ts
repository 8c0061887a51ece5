import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { configFromFlags, type GatewayConfig, type LimitsConfig } from '../index.js';
import { type Gateway, serve } from './serve.js';

// Requests are written by hand here, byte by byte: what a client library would not send, and when it would not leave.

const lines: string[] = [];
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
  lines.length = 0;
});

interface Model {
  url: string;
  /** How many were asked, and how many of these were left before their end. */
  asked: number;
  left: number;
}

/** Calls back for each request, when its body has been read. */
async function startModel(answer: (response: ServerResponse, n: number) => void): Promise<Model> {
  const model = { url: '', asked: 0, left: 0 };
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) model.left++;
    });
    request.resume().on('end', () => answer(response, model.asked++));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  ending.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return model;
}

const event = (delta: object, finish?: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...(finish && { finish_reason: finish }) }] })}\n\n`;

const says = (text: string) => (response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`${event({ content: text })}${event({}, 'stop')}data: [DONE]\n\n`);

const silent = () => {};

interface Settings {
  limits?: Partial<LimitsConfig>;
  config?: Partial<GatewayConfig>;
}

async function start(model: Model, { limits, config }: Settings = {}): Promise<Gateway> {
  const result = configFromFlags(
    { upstream: model.url, kind: 'chat', port: 0, log: 'debug', inspect: 50 },
    {},
  );
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const settled: GatewayConfig = {
    ...result.config,
    log: { level: 'debug', form: 'json' },
    shutdownSeconds: 0.05,
    limits: { ...result.config.limits, ...limits },
    ...config,
  };
  const gateway = await serve(settled, { write: (line) => lines.push(line) });
  ending.push(() => gateway.close());
  return gateway;
}

/** A connection, and what came over it. */
class Line {
  received = '';
  closed = false;
  constructor(readonly socket: Socket) {
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => {
        this.received += text;
      })
      .on('error', () => {})
      .on('close', () => {
        this.closed = true;
      });
  }

  get answers(): string[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  until(text: string | RegExp): Promise<void> {
    return until(
      () => (typeof text === 'string' ? this.received.includes(text) : text.test(this.received)),
      () => `${text} in ${JSON.stringify(this.received.slice(0, 2000))}`,
    );
  }
}

async function dial({ port }: Gateway): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((connected) => socket.once('connect', connected));
  ending.push(() => socket.destroy());
  return new Line(socket);
}

async function until(holds: () => boolean, what: () => string): Promise<void> {
  for (const end = performance.now() + 120_000; !holds(); await wait(5)) {
    if (performance.now() > end) throw new Error(`waited for ${what()}`);
  }
}

const ask = (more: object = {}) =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more });
const head = (target: string, headers: string[] = [], method = 'POST') =>
  [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1', ...headers, '', ''].join('\r\n');
const chat = '/v1/chat/completions';
const post = (body: string | Buffer = ask(), headers: string[] = [], target = chat) =>
  Buffer.concat([
    Buffer.from(head(target, [`content-length: ${Buffer.byteLength(body)}`, ...headers])),
    Buffer.from(body),
  ]);

/** Nothing runs any more, and everything that counts agrees. */
async function settled(gateway: Gateway): Promise<Record<string, unknown>[]> {
  await until(
    () => gateway.app.open === 0,
    () => 'the last place',
  );
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics.match(/^dragoman_streams_open\S* [^0]\S*$/gm)).toBeNull();
  const listed = await fetch(`${gateway.url}/inspector/exchanges`);
  const { exchanges } = (await listed.json()) as { exchanges: { open: boolean }[] };
  expect(exchanges.filter(({ open }) => open)).toEqual([]);
  return lines.map((line) => JSON.parse(line)).filter(({ id }) => id !== undefined);
}

describe('requests one behind the other on a connection', () => {
  it('are answered in their order, however long each takes', async () => {
    const model = await startModel((response, n) =>
      setTimeout(says(`answer ${n}`), n === 0 ? 60 : 0, response),
    );
    const gateway = await start(model);
    const line = await dial(gateway);
    line.send(Buffer.concat([post(ask({ stream: true })), post(), post(ask({ stream: true }))]));
    await until(
      () => line.answers.length === 3,
      () => line.received,
    );
    await line.until(/answer 2[\s\S]*0\r\n\r\n$/);
    const at = [0, 1, 2].map((n) => line.received.indexOf(`answer ${n}`));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
    await settled(gateway);
  });

  it.each([
    ['a stream', true],
    ['whole', false],
  ])(
    'leave nothing behind if the connection breaks, also where they still wait their turn (%s)',
    async (_, stream) => {
      const model = await startModel((response, n) => {
        if (n > 0) response.writeHead(200).write(event({ content: 'x'.repeat(200_000) }));
      });
      const gateway = await start(model);
      const line = await dial(gateway);
      line.send(Buffer.concat([post(ask({ stream })), post(ask({ stream }))]));
      await until(
        () => model.asked === 2,
        () => `two requests, not ${model.asked}`,
      );
      await wait(30);
      line.socket.destroy();
      await until(
        () => model.left === 2,
        () => `both to be left, not ${model.left}`,
      );
      const told = await settled(gateway);
      expect(told.map(({ msg }) => msg)).toEqual(['the client disconnected', 'the client disconnected']);
    },
  );

  it('gather no listeners on it', async () => {
    const warnings: string[] = [];
    const warn = (warning: Error) => warnings.push(`${warning}`);
    process.on('warning', warn);
    ending.push(() => process.off('warning', warn));
    const gateway = await start(await startModel(says('yes')));
    const line = await dial(gateway);
    for (let n = 1; n <= 40; n++) {
      line.send(post(ask({ stream: n % 2 === 0 })));
      await until(
        () => line.received.split('yes').length === n + 1,
        () => `${n} answers`,
      );
    }
    expect(warnings).toEqual([]);
    expect((await settled(gateway)).length).toBe(40);
  });
});

describe('methods and targets', () => {
  it.each(['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'])(
    '%s is not what a model is asked with',
    async (method) => {
      const model = await startModel(says('yes'));
      const gateway = await start(model);
      const line = await dial(gateway);
      line
        .send(head(chat, ['content-length: 2'], method))
        .send('{}')
        .send(post());
      await until(
        () => line.answers.length === 2,
        () => line.received,
      );
      expect(line.answers).toEqual(['405', '200']);
      expect(line.received.toLowerCase()).toContain('allow: post');
      expect(line.received.includes('takes POST')).toBe(method !== 'HEAD');
      expect(model.asked).toBe(1);
    },
  );

  it.each([
    ['http://127.0.0.1/v1/chat/completions', '200'],
    ['http://127.0.0.1/v1/chat/completions?beta=true', '200'],
    ['/v1/chat/completions?beta=true', '200'],
    ['/v1/chat/completions?', '200'],
    ['/chat/completions', '200'],
    ['//v1/chat/completions', '404'],
    ['/v1//chat/completions', '404'],
    ['/v1/chat/completions/', '404'],
    ['/v1/chat%2Fcompletions', '404'],
    ['/v1/ch%61t/completions', '404'],
    ['http://evil.example/v1/chat/completions', '200'],
    ['*', '400'],
  ])('%s: %s', async (target, status) => {
    const model = await startModel(says('yes'));
    const line = await dial(await start(model));
    line.send(post(ask(), ['connection: close'], target));
    await until(
      () => line.closed,
      () => line.received,
    );
    expect(line.answers).toEqual([status]);
    expect(model.asked).toBe(status === '200' ? 1 : 0);
  });

  it('no host, as HTTP/1.0 allows: refused where names are checked, and the connection closed', async () => {
    const line = await dial(await start(await startModel(says('yes'))));
    line.send(`POST ${chat} HTTP/1.0\r\ncontent-length: ${ask().length}\r\n\r\n${ask()}`);
    await until(
      () => line.closed,
      () => line.received,
    );
    expect(line.received).toMatch(/^HTTP\/1\.1 403/);
  });

  it('HTTP/1.0 with a host: a stream ends with the connection, in no chunks', async () => {
    const line = await dial(await start(await startModel(says('yes'))));
    const body = ask({ stream: true });
    line.send(`POST ${chat} HTTP/1.0\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await until(
      () => line.closed,
      () => line.received,
    );
    expect(line.received).toMatch(/^HTTP\/1\.1 200/);
    expect(line.received).not.toContain('chunked');
    expect(line.received.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('headers that come twice are one', async () => {
    const keys = [{ name: 'k', key: 'secret-of-mine-1' }];
    const gateway = await start(await startModel(says('yes')), { config: { keys } });
    const line = await dial(gateway);
    const key = 'x-api-key: secret-of-mine-1';
    line.send(post(ask(), [key, 'x-request-id: a', 'x-request-id: b']));
    await line.until('yes');
    expect(line.received).toMatch(/x-request-id: req_/);
    line.send(post(ask(), [key, key]));
    await until(
      () => line.answers.length === 2,
      () => line.received,
    );
    expect(line.answers).toEqual(['200', '401']);
  });
});

describe('bodies', () => {
  it('behind a BOM, and in chunks that cut characters, are read', async () => {
    const line = await dial(await start(await startModel(says('yes'))));
    line.send(post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(ask())])));
    await line.until('yes');
    line.send(head(chat, ['transfer-encoding: chunked']));
    const body = Buffer.from(ask({ user: 'Größe 😀' }));
    for (let at = 0; at < body.length; at += 3) {
      const piece = body.subarray(at, at + 3);
      line.send(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
    }
    line.send('0\r\n\r\n');
    await until(
      () => line.answers.length === 2,
      () => line.received,
    );
    expect(line.answers).toEqual(['200', '200']);
  });

  it.each([
    ['nothing', post('')],
    ['no length', Buffer.from(head(chat))],
    ['half of it', post('{"model":')],
  ])('of %s: 400, and the connection goes on', async (_, sent) => {
    const line = await dial(await start(await startModel(says('yes'))));
    line.send(sent).send(post());
    await until(
      () => line.answers.length === 2,
      () => line.received,
    );
    expect(line.answers).toEqual(['400', '200']);
    expect(line.received).toContain('no JSON');
  });

  it('are waited for with Expect: 100-continue', async () => {
    const line = await dial(await start(await startModel(says('yes'))));
    line.send(head(chat, ['expect: 100-continue', `content-length: ${ask().length}`]));
    await line.until('100 Continue\r\n\r\n');
    line.send(ask());
    await line.until('yes');
    expect(line.answers).toEqual(['100', '200']);
  });

  it.each([
    ['with their length', true],
    ['in chunks', false],
  ])(
    'that are too long %s: 413, which also a client can read that first writes it all',
    async (_, length) => {
      const gateway = await start(await startModel(says('yes')), { limits: { bodyBytes: 2048 } });
      for (let n = 0; n < 5; n++) {
        const line = await dial(gateway);
        line.socket.pause();
        const body = Buffer.from(ask({ user: 'x'.repeat(8_000_000) }));
        const how = length ? `content-length: ${body.length}` : 'transfer-encoding: chunked';
        line.send(head(chat, [how]));
        if (!length) line.send(`${body.length.toString(16)}\r\n`);
        await new Promise((written) => line.socket.write(body, written));
        if (!length) line.send('\r\n0\r\n\r\n');
        await wait(10);
        line.socket.resume();
        await until(
          () => line.closed,
          () => 'the end of the connection',
        );
        expect(line.received).toMatch(/^HTTP\/1\.1 413[\s\S]*connection: close[\s\S]*2048 bytes/i);
      }
      expect((await settled(gateway)).map(({ status }) => status)).toEqual([413, 413, 413, 413, 413]);
    },
  );

  it('that are too long and sent to a whole address are refused in the same way', async () => {
    const gateway = await start(await startModel(says('yes')), { limits: { bodyBytes: 2048 } });
    const line = await dial(gateway);
    line.socket.pause();
    const body = ask({ user: 'x'.repeat(8_000_000) });
    await new Promise((written) => line.socket.write(post(body, [], `http://127.0.0.1${chat}`), written));
    line.socket.resume();
    await until(
      () => line.closed,
      () => 'the end of the connection',
    );
    expect(line.received).toMatch(/^HTTP\/1\.1 413[\s\S]*2048 bytes/i);
  });

  it('that never end are not read on for ever behind a 413', async () => {
    const gateway = await start(await startModel(says('yes')), { limits: { bodyBytes: 2048 } });
    const line = await dial(gateway);
    line.send(head(chat, ['content-length: 1000000000000']));
    const writing = setInterval(() => line.socket.writable && line.send('x'.repeat(1000)), 5);
    ending.push(() => clearInterval(writing));
    await line.until('2048 bytes');
    await until(
      () => line.closed,
      () => 'the end of the connection',
    );
  });
});

describe('a client that leaves', () => {
  it.each<[string, () => Buffer, number]>([
    ['before the body', () => Buffer.from(head(chat, ['content-length: 100'])), 0],
    ['in the middle of the body', () => Buffer.from(`${head(chat, ['content-length: 100'])}{"mo`), 0],
    ['before the first event', () => post(ask({ stream: true })), 1],
    ['before the answer', () => post(), 1],
  ])('%s leaves no place and no request behind', async (_, sent, asked) => {
    const model = await startModel(silent);
    const gateway = await start(model);
    const line = await dial(gateway);
    line.send(sent());
    await until(
      () => gateway.app.open === 1 && model.asked === asked,
      () => 'the request',
    );
    line.socket.resetAndDestroy();
    const told = await settled(gateway);
    expect(told.map(({ msg, status }) => [msg, status])).toEqual([['the client disconnected', 499]]);
    await until(
      () => model.left === asked,
      () => 'the model to be left',
    );
  });

  it('while it reads nothing and its socket is full', async () => {
    const model = await startModel((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (!response.destroyed && response.write(event({ content: 'x'.repeat(10_000) })));
      };
      response.on('drain', more);
      more();
    });
    const gateway = await start(model);
    const line = await dial(gateway);
    line.send(post(ask({ stream: true })));
    await line.until('xxx');
    line.socket.pause();
    await wait(150);
    line.socket.resetAndDestroy();
    const told = await settled(gateway);
    expect(told.map(({ msg, status }) => [msg, status])).toEqual([['the client disconnected', 200]]);
    await until(
      () => model.left === 1,
      () => 'the model to be left',
    );
  });

  it('after the last byte has not left', async () => {
    const gateway = await start(await startModel(says('yes')));
    const line = await dial(gateway);
    line.send(post(ask({ stream: true })));
    await line.until('[DONE]');
    line.socket.resetAndDestroy();
    expect((await settled(gateway)).map(({ msg }) => msg)).toEqual(['answered']);
  });

  it('while its key is looked up', async () => {
    const keys = [{ name: 'k', key: 'secret-of-mine-1' }];
    const model = await startModel(says('yes'));
    const gateway = await start(model, { config: { keys } });
    for (let n = 0; n < 5; n++) {
      const line = await dial(gateway);
      line.send(post(ask(), ['x-api-key: secret-of-mine-1'])).socket.resetAndDestroy();
    }
    await wait(50);
    await until(
      () => gateway.app.open === 0,
      () => 'the last place',
    );
  });
});

describe('an answer that has not begun', () => {
  it('shows its head and a sign of life while the model thinks', async () => {
    const model = await startModel(silent);
    const line = await dial(await start(model, { config: { heartbeat: 30 } }));
    line.send(post(ask({ stream: true })));
    await line.until(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n[\s\S]*: ping[\s\S]*: ping/);
  });

  it('shows its head at once where the first event says nothing', async () => {
    const model = await startModel(
      (response) => void response.writeHead(200).write(event({ role: 'assistant' })),
    );
    const line = await dial(await start(model));
    line.send(post(ask({ stream: true })));
    await line.until(/^HTTP\/1\.1 200[\s\S]*\r\n\r\n/);
  });

  it.each([
    ['a stream', true],
    ['whole', false],
  ])('is a 503 when the gateway stops (%s)', async (_, stream) => {
    const model = await startModel(silent);
    const gateway = await start(model);
    const line = await dial(gateway);
    line.send(post(ask({ stream })));
    await until(
      () => model.asked === 1,
      () => 'the request',
    );
    await gateway.close();
    expect(line.received).toMatch(/^HTTP\/1\.1 503[\s\S]*shutting down/);
    expect(gateway.app.open).toBe(0);
  });

  it('is also a 503 when the body has not come yet', async () => {
    const gateway = await start(await startModel(says('yes')));
    const line = await dial(gateway);
    line.send(`${head(chat, ['content-length: 100'])}{"mo`);
    await until(
      () => gateway.app.open === 1,
      () => 'the request',
    );
    await gateway.close();
    expect(line.received).toMatch(/^HTTP\/1\.1 503[\s\S]*shutting down/);
  });
});

describe('a line of the log', () => {
  it.each<[string, (response: ServerResponse) => void, object]>([
    ['answered', says('yes'), { msg: 'answered', status: 200 }],
    [
      'failed, where a stream ends with an error',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event({ content: 'Well' }));
        setTimeout(() => response.destroy(), 20);
      },
      { msg: 'failed', status: 200, error: { code: 'upstream-broken' } },
    ],
    [
      'failed, where there is no answer',
      (response) => void response.writeHead(500).end('{}'),
      { msg: 'failed', status: 502, error: { code: 'upstream-failed' } },
    ],
    [
      'failed, where the first event is an error',
      (response) => void response.writeHead(200).end('data: {"error":{"message":"out of memory"}}\n\n'),
      { msg: 'failed', status: 502, error: { message: expect.stringContaining('out of memory') } },
    ],
  ])('says %s', async (_, answer, expected) => {
    const gateway = await start(await startModel(answer));
    const line = await dial(gateway);
    line.send(post(ask({ stream: true }), ['connection: close']));
    await until(
      () => line.closed,
      () => line.received,
    );
    expect(await settled(gateway)).toMatchObject([expected]);
  });
});
