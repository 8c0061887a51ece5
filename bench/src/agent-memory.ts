// What is kept of many different tools and conversations: it must stay within its limits, and the heap flat. Twice:
//
// - A million different requests, each with its next step, are only read: bodies and tools that repeat.
// - A hundred and twenty thousand different sessions pass a whole responder in emulation, with the caches that it has by
//   default; all of them are full after some 50,000. Each has a tool, a system prompt and a call of its own, and two small
//   requests: a question, which the model answers with a call, and the result of that call. So each passes prepared tools,
//   compiled schemas, rendered messages and the words of the turn, too. BENCH_SESSIONS=1000000 makes a million of them, in
//   eight times the time.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AnswerEvent } from '@dragoman/core';
import { createReplier, RepeatedValues, TurnMemory, type Upstream } from '@dragoman/core/bridge';
import { openaiChat } from '@dragoman/core/wire';
import * as limits from './limits.js';
import { type CheckLimit, heading, mb, note, progress, times } from './report.js';

const REQUESTS = 1_000_000;
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 120_000);
/** The limit of what is kept of requests that are only read, in characters: of requests, and of tools. */
const MOST = 1024 * 1024;
/** Requests or sessions in one turn of the event loop. */
const TURN = 100;

export async function agentMemory(hold: CheckLimit, requests = REQUESTS, sessions = SESSIONS) {
  return { read: await readRequests(hold, requests), answered: await answerSessions(hold, sessions) };
}

async function readRequests(hold: CheckLimit, count: number) {
  heading(
    `${count} different requests that are read, each with its next step: the heap after a tenth, and after all`,
  );
  const kept = new RepeatedValues(MOST);
  const { first, all } = await heaps((n) => readSession(kept, n), count / 10, count);
  const { values, bodies, characters } = kept.size;
  note(`${mb(first)}, then ${mb(all)}; kept are ${values} lists of tools and ${bodies} requests.`);
  hold('characters kept of requests that are read ÷ the limit', characters / (2 * MOST), 1, times);
  hold('the heap after all requests ÷ after a tenth', all / first, limits.FLAT_HEAP, times);
  return { first, all, characters };
}

async function answerSessions(hold: CheckLimit, count: number) {
  heading(`${count} different sessions of two requests in emulation: the heap after a half, and after all`);
  const repeated = new RepeatedValues();
  const turns = new TurnMemory();
  const { first, all } = await heaps(createSessions(repeated, turns), count / 2, count);
  const { values, bodies, characters } = repeated.size;
  const kept = turns.size;
  note(
    `${mb(first)}, then ${mb(all)}; kept are ${values} lists of tools, ${bodies} requests and ${kept.entries} turns.`,
  );
  if (turns.hits !== count) throw new Error(`${turns.hits} of ${count} turns came back as they were written`);
  hold('characters kept of requests of sessions ÷ the limit', characters / (2 * repeated.most), 1, times);
  hold('characters kept of turns of sessions ÷ the limit', kept.characters / turns.most, 1, times);
  hold('the heap after all sessions ÷ after a half', all / first, limits.FLAT_HEAP, times);
  return { first, all, characters, turns: kept.characters };
}

/** Gives the bytes of the heap after the first passes, and after all. */
async function heaps(pass: (n: number) => unknown, first: number, all: number) {
  const collect = exposedGc();
  const after = async (count: number, from = 0) => {
    for (let n = from; n < count; n++) {
      await pass(n);
      // A gateway reads every request in a turn of its own; what is weakly held is let go only between turns.
      if (n % TURN === 0) await nextTurn();
    }
    // What was found to be dead is let go in a later turn, and only then collected.
    for (let round = 0; round < 3; round++) {
      await nextTurn();
      collect();
    }
    progress(`agent: ${count} of ${all}`);
    return process.memoryUsage().heapUsed;
  };
  return { first: await after(first), all: await after(all, first) };
}

function readSession(kept: RepeatedValues, n: number): void {
  const tool = { type: 'function', function: { name: `t${n}`, description: `Tool ${n}.`, parameters: {} } };
  const messages = [
    { role: 'system', content: `Session ${n}.` },
    { role: 'user', content: 'Hi.' },
  ];
  for (const more of [[], [{ role: 'assistant', content: 'Well.' }]])
    openaiChat.decodeRequest(
      kept.read(
        JSON.stringify({ model: 'm', messages: [...messages, ...more], tools: [tool] }),
        openaiChat.repeats,
      ),
    );
}

/** Gives a function that passes a session through a responder, whose model writes a call of the session's tool. */
function createSessions(repeated: RepeatedValues, turns: TurnMemory): (n: number) => Promise<void> {
  let words = '';
  const upstream: Upstream = {
    takes: 'messages',
    tools: false,
    media: false,
    async *ask({ conversation: { messages } }): AsyncGenerator<AnswerEvent> {
      const isFirst = messages.length === 2;
      yield { type: 'answer-start' };
      yield { type: 'text-delta', text: isFirst ? words : 'Well.' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const reply = createReplier({
    mode: 'emulate',
    dialect: 'hermes',
    upstream,
    repeated,
    turns,
    heartbeat: 0,
  });
  const ask = async (body: object): Promise<Answered> => {
    const text = JSON.stringify({ model: 'm', ...body });
    const incoming = { method: 'POST', path: PATH, header: () => null, text: async () => text };
    const { status, body: answer } = await reply(incoming, {
      aborter: new AbortController(),
      left: () => false,
    });
    if (status !== 200 || typeof answer !== 'string') throw new Error(`no answer: ${status} ${answer}`);
    return JSON.parse(answer);
  };
  return async (n) => {
    // Not as a rendering would spell it.
    words = `<tool_call>{"name" : "t${n}",  "arguments":{ "n":${n} }}</tool_call>`;
    const messages = [
      { role: 'system', content: `Session ${n}.` },
      { role: 'user', content: 'Hi.' },
    ];
    const tools = [toolOf(n)];
    const { message } = (await ask({ messages, tools })).choices[0];
    const [{ id }] = message.tool_calls;
    const result = { role: 'tool', tool_call_id: id, content: `Result ${n}.` };
    await ask({ messages: [...messages, message, result], tools });
  };
}

const PATH = '/v1/chat/completions';

interface Answered {
  choices: [{ message: { tool_calls: [{ id: string }] } }];
}

function toolOf(n: number): object {
  const parameters = { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, required: ['n'] };
  return { type: 'function', function: { name: `t${n}`, description: `Tool ${n}.`, parameters } };
}

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
