// A fake model, and a client that asks it small questions through a gateway, one after the other on a kept connection. A
// process of its own, so that nothing but the gateway makes an answer late. Told an address, it begins; told to stop, it
// reports when each question was sent and when its answer had come.

import { Agent, createServer, request } from 'node:http';

const piece = 'data: {"choices":[{"index":0,"delta":{"content":"Hello."}}]}\n\n';
const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const model = createServer((asked, response) => {
  asked.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(piece + last);
  });
});

const now = () => performance.timeOrigin + performance.now();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const headers = { 'content-length': body.length };

function ask(url) {
  return new Promise((tell) => {
    const sent = request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => tell(response.statusCode));
    });
    sent.on('error', () => tell(0)).end(body);
  });
}

let asks = false;
let over = Promise.resolve();
let waits = [];
let failed = 0;

async function keepAsking(url) {
  while (asks) {
    const from = now();
    if ((await ask(url)) !== 200) failed++;
    waits.push([from, now()]);
  }
}

process.on('message', async (told) => {
  if (told === 'stop') {
    asks = false;
    await over;
    process.send({ waits, failed });
    return;
  }
  waits = [];
  failed = 0;
  asks = true;
  over = keepAsking(told.ask);
  process.send({});
});
model.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${model.address().port}/v1` }));
