// A model that says what it is told to say, and keeps what it was asked.

import type { AnswerEvent, FinishReason, ModelRequest } from '@dragoman/core';
import type { AgentEvent } from '@dragoman/core/agent';
import type { Ask } from '../../packages/core/src/bridge/upstream/upstream.js';

export interface ScriptedModel {
  ask: Ask;
  requests: ModelRequest[];
  signals: AbortSignal[];
}

type Turn = readonly (AnswerEvent | (() => unknown))[];

/** Each turn answers one request; a function stands for a wait, or for what happens meanwhile. */
export function scripted(...turns: Turn[]): ScriptedModel {
  return scriptedBy((step) => turns[step] ?? [error('the script is over')]);
}

export function scriptedBy(turnOf: (step: number) => Turn): ScriptedModel {
  const requests: ModelRequest[] = [];
  const signals: AbortSignal[] = [];
  async function* ask(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<AnswerEvent> {
    signals.push(signal);
    const turn = turnOf(requests.push(structuredClone(request)) - 1);
    for (const item of turn) {
      if (typeof item === 'function') await item();
      else yield item;
    }
  }
  return { ask, requests, signals };
}

export const text = (words: string): AnswerEvent => ({ type: 'text-delta', text: words });

export const finish = (reason: FinishReason): AnswerEvent => ({ type: 'finish', reason });

/** A whole call, its arguments in two pieces. */
export function call(id: string, name: string, input: unknown = {}): AnswerEvent[] {
  const json = typeof input === 'string' ? input : JSON.stringify(input);
  const half = json.length >> 1;
  return [
    { type: 'call-start', id, name },
    { type: 'call-delta', id, text: json.slice(0, half) },
    { type: 'call-delta', id, text: json.slice(half) },
    { type: 'call-end', id },
  ];
}

/** A turn of these calls and nothing else. */
export const calls = (...made: AnswerEvent[][]): AnswerEvent[] => [...made.flat(), finish('tool-calls')];

export const answer = (words: string): AnswerEvent[] => [text(words), finish('stop')];

function error(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}

export async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const list: AgentEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

/** The results of every tool message, in order. */
export function resultsIn(request: ModelRequest | undefined): unknown[] {
  return (request?.conversation.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.parts.map(({ output }) => output) : [],
  );
}
