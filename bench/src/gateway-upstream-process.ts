// node gateway-upstream-process.js: the model of the gateway's bench. Answers at once, or holds streams open and
// writes to all of them on command, so that every write arrives by itself.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findDialect } from '@dragoman/core';
import { chunks } from './exchange.js';
import { answerParent, listen } from './gateway-process.js';
import { callText, cut, fileText, KB, prose } from './inputs.js';

export type AnswerContent = 'prose' | 'call';

export interface Manner {
  /** Streams stay open after their first event. Otherwise answers are short and whole. */
  hold: boolean;
  says: AnswerContent;
}

const chunk = chunks['openai-chat'];
const { head, argument } = callText(findDialect('hermes'), fileText(64 * KB));
/** Without anything that a dialect could take for the start of a call, so that each event can be passed on at once. */
const pieces: Record<AnswerContent, string[]> = {
  prose: cut(prose(64 * KB).replaceAll('<', ' '), 4),
  call: cut(argument, 4).filter((piece) => !/["\\]/.test(piece)),
};
const short = callText(findDialect('hermes'), 'short');
const answers: Record<AnswerContent, string[]> = {
  prose: ['That ', 'is ', 'all.'],
  call: [short.head, short.argument, short.tail],
};
const TAIL =
  'data: {"id":"c1","object":"chat.completion.chunk","created":1750000000,"model":"some-model","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
  'data: {"id":"c1","object":"chat.completion.chunk","created":1750000000,"model":"some-model","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}\n\n' +
  'data: [DONE]\n\n';

const open = new Set<ServerResponse>();
let manner: Manner = { hold: false, says: 'prose' };
let written = 0;

async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of asked) parts.push(part);
  if (!isStreamed(parts)) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole());
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (!manner.hold) {
    response.end(answers[manner.says].map(chunk).join('') + TAIL);
    return;
  }
  response.on('close', () => open.delete(response));
  open.add(response);
  response.write(manner.says === 'call' ? chunk(head) : chunk('Well. '));
}

function isStreamed(body: readonly Buffer[]): boolean {
  const { stream } = JSON.parse(Buffer.concat(body).toString()) as { stream?: boolean };
  return stream === true;
}

function whole(): string {
  return JSON.stringify({
    id: 'chatcmpl-0123456789abcdef01234567',
    object: 'chat.completion',
    created: 1_750_000_000,
    model: 'some-model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answers[manner.says].join('') },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  });
}

/** Writes so many events to each stream, in one write. */
function write(events: number): number {
  const own = pieces[manner.says];
  let text = '';
  for (let event = 0; event < events; event++) text += chunk(own[written++ % own.length] as string);
  const bytes = Buffer.from(text);
  for (const response of open) response.write(bytes);
  return open.size;
}

/** Writes an event a second to each stream, spread over the second, with the time it was written. */
async function pace({ seconds }: { seconds: number }): Promise<number> {
  const all = [...open];
  await Promise.all(
    all.map(async (response, at) => {
      await sleep((1000 * at) / all.length);
      for (let second = 0; second < seconds; second++) {
        response.write(chunk(`t=${Date.now()};`));
        await sleep(1000);
      }
    }),
  );
  return all.length;
}

function end(): number {
  const count = open.size;
  for (const response of open) response.end(TAIL);
  return count;
}

function behave(next: Manner): void {
  manner = next;
}

answerParent(await listen(answer), { behave, write, pace, end, open: () => open.size });
