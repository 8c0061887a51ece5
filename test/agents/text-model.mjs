// A stand-in for a model: it follows a plan, for what the demo model cannot do. It speaks chat completions, writes its
// calls as text of a dialect in the way that the prompt teaches, and looks at what comes back.

import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { readResults } from '../../packages/core/dist/entries/internal.js';
import { acceptTools, findDialect } from '../../packages/core/dist/index.js';
import { spellTurn } from '../../packages/core/dist/testing/index.js';

/**
 * `turnFor` gives the turn for a prompt and its messages, `{ role, text }` each: `{ reasoning, text, calls: [name,
 * input][], slowly }`. A request that tells of not all of the `tools` is for a title or the like, and is no part of the
 * plan.
 */
export async function startTextModel(dialectName, { tools, turnFor }) {
  const dialect = findDialect(dialectName);
  const slow = newSlowTurn();
  const server = createServer(async (request, response) => {
    // The gateway asks at its start which engine this is: none that it knows.
    if (request.method !== 'POST') return response.writeHead(404).end();
    const { messages, stream } = await bodyOf(request);
    const lines = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
    const prompt = lines.map(({ text }) => text).join('\n');
    const isPlanned = tools.every((name) => prompt.includes(name)) && prompt.length > 1500;
    const turn = isPlanned ? turnFor(prompt, lines) : { text: 'A title' };
    const text = spell(dialect, turn);
    if (turn.slowly) slow.begin(response);
    await answer(response, text, { stream, pause: turn.slowly ? 20 : 0 });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Settles when the model has written some of a turn that it writes `slowly`. */
    slowTurnBegan: slow.began,
    /** Settles when the gateway has left in the middle of that turn. */
    slowTurnLeft: slow.left,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Turns for a plan whose requests come once each and in order. A function in it makes its turn from the prompt. */
export function inOrder(plan) {
  let next = 0;
  return (prompt) => {
    const turn = plan[next++] ?? { text: 'The plan is over.' };
    return typeof turn === 'function' ? turn(prompt) : turn;
  };
}

/** What a model of the dialect writes. */
export function spellIn(dialectName, turn) {
  return spell(findDialect(dialectName), turn);
}

/** The text of the results behind the model's last words, as they were before the prompt escaped them. */
export function resultsBehind(dialectName, lines, waiting) {
  const dialect = findDialect(dialectName);
  const alone = waiting > 0 && dialect.traits.resultRole === 'tool';
  const last = lines.findLastIndex(({ role }) => role === 'assistant');
  const read = lines.slice(last + 1).map(({ text }) => readResults(dialect, text, { waiting, alone }));
  return read.flatMap((found) => found?.results ?? []).map(({ text }) => text);
}

function newSlowTurn() {
  const events = new EventEmitter();
  const begin = (response) => {
    setTimeout(() => events.emit('began'), 1000);
    response.on('close', () => {
      if (!response.writableEnded) events.emit('left');
    });
  };
  return { begin, began: once(events, 'began'), left: once(events, 'left') };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function textOf(content) {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

function spell(dialect, { reasoning = '', text = '', calls = [] }) {
  const made = calls.map(([name, input], at) => ({
    type: 'tool-call',
    id: `c${at + 1}`,
    name,
    input,
    raw: JSON.stringify(input),
  }));
  const tools = acceptTools([...new Map(calls)].map(([name, input]) => toolOf(name, input)));
  const spelled = spellTurn(dialect, { reasoning, text, calls: made, tools });
  // Where a template opens the reasoning, a chat endpoint shows the opener all the same.
  return (spelled.thinking ? dialect.traits.reasoning.open : '') + spelled.text;
}

function toolOf(name, input) {
  const properties = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, schemaOf(value)]));
  return { name, parameters: { type: 'object', properties } };
}

function schemaOf(value) {
  return { type: Array.isArray(value) ? 'array' : typeof value };
}

async function answer(response, text, { stream, pause }) {
  if (!stream) {
    const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [choice] }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, finish_reason = null) => {
    const chunk = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const piece of piecesOf(text)) {
    if (response.destroyed) return;
    send({ content: piece });
    if (pause > 0) await wait(pause);
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** A few whole characters each, more of them in a long text. */
function piecesOf(text) {
  const characters = [...text];
  const size = Math.max(3, Math.ceil(characters.length / 3000));
  const pieces = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
