// The state of Try in a link: the form and the conversation so far. No key, and no raw text.

import { isObject } from '@dragoman/core/internal';
import { exampleQuestion, exampleTools } from './example.js';
import type { ChatMessage } from './messages.js';

export interface TryState {
  model: string;
  /** Other models that are asked the same. */
  others: string[];
  system: string;
  question: string;
  /** JSON text. */
  tools: string;
  /** The messages before the question. */
  messages: ChatMessage[];
}

/** Other models that are asked at once: a browser has six connections to a server, and each model needs two. */
export const MOST_OTHERS = 2;

/** Characters of a conversation that a link can carry. */
const MAX_LINK = 24_000;

export function firstState(): TryState {
  return { model: '', others: [], system: '', question: exampleQuestion, tools: exampleTools, messages: [] };
}

/** Validates the state of a link, since anyone can write one. Invalid parts are as at the first visit. */
export function toTryState(value: unknown): TryState {
  const state = firstState();
  if (!isObject(value)) return state;
  for (const name of ['model', 'system', 'question', 'tools'] as const) {
    const given = value[name];
    if (typeof given === 'string') state[name] = given;
  }
  const { messages, others } = value;
  if (Array.isArray(others) && others.every((one) => typeof one === 'string'))
    state.others = others.slice(0, MOST_OTHERS);
  if (Array.isArray(messages) && messages.every(isMessage)) state.messages = messages;
  return settled(state);
}

/** Leaves a conversation that is too long out of the link. */
export function forLink(state: TryState): TryState {
  const { messages } = state;
  return settled(JSON.stringify(messages).length > MAX_LINK ? { ...state, messages: [] } : state);
}

/** Removes calls without results from the end: the link goes back to the question they came from. */
function settled(state: TryState): TryState {
  const last = state.messages.at(-1);
  if (last?.role !== 'assistant' || !last.tool_calls?.length) return state;
  const at = state.messages.findLastIndex(({ role }) => role === 'user');
  const question = state.question === '' ? (state.messages[at]?.content ?? '') : state.question;
  return { ...state, question, messages: state.messages.slice(0, Math.max(at, 0)) };
}

function isMessage(value: unknown): value is ChatMessage {
  if (!isObject(value) || typeof value.content !== 'string') return false;
  if (value.role === 'tool') return typeof value.tool_call_id === 'string';
  if (value.role === 'user') return true;
  const calls = value.tool_calls ?? [];
  return value.role === 'assistant' && Array.isArray(calls) && calls.every(isCall);
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value.id !== 'string' || !isObject(value.function)) return false;
  return typeof value.function.name === 'string' && typeof value.function.arguments === 'string';
}
