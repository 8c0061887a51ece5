// Many streams at once, paced: a model that writes one piece to all of them at each tick, and clients that count what
// arrives and keep none of it. So whatever grows while they run, the gateway holds.

import { Agent, createServer, request } from 'node:http';

/** Ticks until what is kept of an answer is full and all code is warm: the first few of them with long pieces. */
export const FILL = 10;
const LONG = 3;
/** Ticks from one cut of what is kept to the next. */
export const PERIOD = 6;
/** Bytes that a piece may leave in a stream that runs. */
export const PIECE_GROWTH = 150;

const pieceOf = (words) => {
  const content = `so on ${'and on '.repeat(words)}`;
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
};
/** Two thousand characters; and so many that the beginning and the end that the gateway keeps are soon full. */
const piece = pieceOf(290);
const long = pieceOf(1450);
const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

export async function startPacedModel() {
  const open = new Set();
  let ticks = 0;
  const server = createServer((asked, response) => {
    asked.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    open.add(response.on('close', () => open.delete(response)));
  });
  server.listen(0, '127.0.0.1', 4096);
  await new Promise((done) => server.once('listening', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Streams that wait for their next piece. */
    get open() {
      return open.size;
    },
    tick() {
      const said = ticks++ < LONG ? long : piece;
      for (const response of open) response.write(said);
    },
    end() {
      for (const response of [...open]) response.end(last);
    },
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

const asking = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Go on.' }] },
  '/v1/messages': { messages: [{ role: 'user', content: 'Go on.' }], max_tokens: 1000 },
};

/** So many streams through a gateway, over two APIs in turn. Responses repeat the whole answer at the end: they grow. */
export function openStreams(url, count) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const seen = { pieces: 0, whole: 0, broken: 0 };
  const paths = Object.keys(asking);
  const streams = Array.from({ length: count }, (_, at) => {
    const path = paths[at % paths.length];
    return stream(url + path, asking[path], agent, seen);
  });
  return {
    /** Pieces that arrived in all, and streams that ended, in order or not. */
    seen,
    over: Promise.all(streams).then(() => agent.destroy()),
  };
}

function stream(url, body, agent, seen) {
  return new Promise((over) => {
    const broken = () => {
      seen.broken++;
      over();
    };
    const asked = request(url, { method: 'POST', agent }, (response) => {
      response.setEncoding('latin1');
      let tail = '';
      response.on('data', (text) => {
        // A piece may be cut between two reads, but none is longer than what is kept of the last one.
        const whole = tail + text;
        seen.pieces += whole.split('so on').length - tail.split('so on').length;
        tail = whole.slice(-100);
      });
      response.on('end', () => {
        seen.whole++;
        over();
      });
      response.on('error', broken);
    });
    asked.on('error', broken);
    asked.end(JSON.stringify({ model: 'm', stream: true, ...body }));
  });
}
