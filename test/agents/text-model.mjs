// A text model that follows a plan, for what the demo model cannot do: several turns, calls side by side, hard text.
// It speaks chat completions, and writes calls as text of a dialect.

import { createServer } from 'node:http';
import { acceptTools, findDialect } from '../../packages/core/dist/index.js';
import { spellTurn } from '../../packages/core/dist/testing/index.js';

/**
 * `plan`: turns of `{ reasoning, text, calls: [name, input][] }`, or a function of the whole prompt that gives one.
 * A request that tells of none of the plan's tools is for a title or the like, and is no part of it.
 */
export async function startTextModel(dialectName, plan) {
  const dialect = findDialect(dialectName);
  const calls = plan.flatMap((turn) => turn.calls ?? []);
  let next = 0;
  const server = createServer(async (request, response) => {
    const { messages, stream } = await bodyOf(request);
    const prompt = messages.map(({ content }) => content).join('\n');
    const isPlanned = calls.every(([name]) => prompt.includes(name)) && prompt.length > 5000;
    const turn = isPlanned ? plan[next++] : { text: 'A title' };
    const made = typeof turn === 'function' ? turn(prompt) : (turn ?? { text: 'The plan is over.' });
    answer(response, spell(dialect, made), stream);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function spell(dialect, { reasoning, text = '', calls = [] }) {
  const made = calls.map(([name, input], at) => ({
    type: 'tool-call',
    id: `c${at + 1}`,
    name,
    input,
    raw: JSON.stringify(input),
  }));
  const tools = acceptTools([...new Map(calls)].map(([name, input]) => toolOf(name, input)));
  const thought = reasoning === undefined ? '' : `<think>\n${reasoning}\n</think>\n\n`;
  return thought + spellTurn(dialect, { reasoning: '', text, calls: made, tools }).text;
}

function toolOf(name, input) {
  const properties = Object.fromEntries(Object.keys(input).map((key) => [key, { type: 'string' }]));
  return { name, parameters: { type: 'object', properties } };
}

function answer(response, text, stream) {
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
  for (const piece of piecesOf(text)) send({ content: piece });
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** A few whole characters each. */
function piecesOf(text) {
  const characters = [...text];
  const pieces = [];
  for (let at = 0; at < characters.length; at += 3) pieces.push(characters.slice(at, at + 3).join(''));
  return pieces;
}
