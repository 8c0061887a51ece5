// A model that answers each question with its number in a call, and at random refuses, resets, breaks off and falls
// silent. It has two addresses, one for each configuration, and notes what became of each question.

import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Shares of the questions with each fault. The rest is answered. */
const SHARES = { refused: 0.03, reset: 0.02, broken: 0.02, cut: 0.02, silent: 0.01 };
/** Milliseconds between two pieces of which a gateway may think that the model is silent: see the configuration. */
const SLOW = 400;

export async function startFaultyModel(random, isCalm) {
  /** By number: what became of each time that it was asked. */
  const attempts = new Map();
  const counts = Object.fromEntries(Object.keys(SHARES).map((fault) => [fault, 0]));

  const drawFault = () => {
    let drawn = isCalm() ? 1 : random();
    return Object.keys(SHARES).find((fault) => {
      drawn -= SHARES[fault];
      return drawn < 0;
    });
  };
  const serve = async (from) => {
    const server = createServer((question, response) => {
      if (question.method !== 'POST') return response.writeHead(404).end();
      let body = '';
      question.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      question.on('error', () => {}).on('end', () => take(body, response));
    });
    const take = async (body, response) => {
      const number = Number(/number (\d+)\./.exec(body.slice(body.lastIndexOf('number ')))?.[1]);
      const attempt = { from, end: 'open', slow: false };
      attempts.set(number, [...(attempts.get(number) ?? []), attempt]);
      const fault = drawFault();
      if (fault) counts[fault]++;
      attempt.end = await answer(number, attempt, response, fault, random);
    };
    server.listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    return server;
  };
  const servers = { a: await serve('a'), b: await serve('b') };
  const each = Object.values(servers);
  return {
    attempts,
    /** How often each fault came. */
    counts,
    url: (from) => `http://127.0.0.1:${servers[from].address().port}/v1`,
    /** Gateways keep their connections for a while. */
    async connections() {
      const counted = each.map(
        (server) => new Promise((tell) => server.getConnections((_, count) => tell(count))),
      );
      return (await Promise.all(counted)).reduce((sum, count) => sum + count, 0);
    },
    close() {
      for (const server of each) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Gives how it ended. */
async function answer(number, attempt, response, fault, random) {
  if (fault === 'refused') {
    response.writeHead(503, { 'retry-after': '0' }).end('{"error":{"message":"busy"}}');
    return fault;
  }
  if (fault === 'reset') {
    response.socket?.resetAndDestroy();
    return fault;
  }
  const { from } = attempt;
  const call = `{"name": "look", "arguments": {"n": ${number}, "from": "${from}"}}`;
  const pieces = `Let me see. <tool_call>\n${call}\n</tool_call>`.match(/[\s\S]{1,9}/g);
  const breaks = fault ? 2 + Math.floor(random() * (pieces.length - 2)) : Number.POSITIVE_INFINITY;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let written = performance.now();
  for (const [at, content] of pieces.entries()) {
    await wait(3);
    if (performance.now() - written > SLOW) attempt.slow = true;
    if (response.destroyed) return 'left';
    if (at === breaks) {
      if (fault === 'broken') response.socket?.resetAndDestroy();
      if (fault === 'cut') response.end();
      // Silent: the gateway is to leave.
      return fault;
    }
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    written = performance.now();
  }
  response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  return 'whole';
}
