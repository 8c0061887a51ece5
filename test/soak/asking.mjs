// The clients of a soak with faults. Some read slowly, some send slowly, some leave; some have a key or ask for a model
// that only one of the two configurations has.

import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export const KEYS = { alice: 'the-key-of-alice', bob: 'the-key-of-bob', carol: 'the-key-of-carol' };
/** Milliseconds in which an exchange must have ended. */
const LATE = 60_000;
const SLOW_PIECE = 40;

const properties = { n: { type: 'integer' }, from: { type: 'string' } };
const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties } }];

const questions = [
  ...Array(6).fill({ key: 'alice', model: 'm' }),
  { key: 'alice', model: 'of-a' },
  { key: 'alice', model: 'of-b' },
  { key: 'bob', model: 'm' },
  { key: 'carol', model: 'm' },
];
const manners = [...Array(15).fill('plain'), 'slow reader', 'slow reader', 'slow sender', 'leaver', 'leaver'];
export const MANNERS = ['slow reader', 'slow sender', 'leaver'];

const pick = (random, from) => from[Math.floor(random() * from.length)];

export const drawQuestion = (random) => ({ ...pick(random, questions), manner: pick(random, manners) });
export const plainQuestion = { key: 'alice', model: 'm', manner: 'plain' };

/** One exchange. Gives its record for the judge, whatever becomes of it. */
export function exchange({ gateway, agent, number, question, random }) {
  const { key, model, manner } = question;
  const body = JSON.stringify({ model, stream: true, tools, input: `What is number ${number}.` });
  const start = performance.now();
  const record = { number, gateway: gateway.name, key, model, manner, start };
  return new Promise((tell) => {
    let meantToLeave = false;
    const over = (outcome) => {
      clearTimeout(late);
      clearTimeout(leaves);
      tell({ ...record, end: performance.now(), meantToLeave, outcome });
    };
    const failed = (error) => over({ error: error.code ?? error.message });
    const headers = { authorization: `Bearer ${KEYS[key]}` };
    const sent = request(`${gateway.url}/v1/responses`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
        if (manner === 'slow reader') response.pause() && setTimeout(() => response.resume(), 20);
      });
      response.on('error', failed).on('end', () => over({ status: response.statusCode, text }));
    });
    sent.on('error', failed);
    const late = setTimeout(() => {
      over({ late: true });
      sent.destroy();
    }, LATE);
    const leaves =
      manner === 'leaver' &&
      setTimeout(() => {
        meantToLeave = true;
        sent.destroy(new Error('left'));
      }, random() * 60);
    if (manner === 'slow sender') void sendSlowly(sent, body);
    else sent.end(body);
  });
}

async function sendSlowly(sent, body) {
  for (let at = 0; at < body.length && !sent.destroyed; at += SLOW_PIECE) {
    sent.write(body.slice(at, at + SLOW_PIECE));
    await wait(20);
  }
  sent.end();
}
