// Turns an error of the upstream into a message that says what to do.

import { ApiError, type ApiErrorCode } from '@dragoman/core';
import { messageOf } from '../command-error.js';
import type { Reached } from './reach-model.js';

export function explainFailure(error: unknown, reached: Reached, model: string): string {
  const said = sentence(messageOf(error));
  if (!(error instanceof ApiError)) return said;
  const advice = adviceOf(error, reached, model);
  return advice === '' ? said : `${said} ${advice}`;
}

type Advice = (reached: Reached, model: string, error: ApiError) => string;

const key: Advice = ({ place }) =>
  `Give a key for ${place} with --upstream-key, or in OPENAI_API_KEY or ANTHROPIC_API_KEY.`;

const advices: Partial<Record<ApiErrorCode, Advice>> = {
  unauthorized: key,
  forbidden: key,
  'not-found': ({ place }, model) =>
    `Does ${place} have a model called ${model}, and does its address end in /v1? /model lists what it has.`,
  'rate-limited': (_, __, { retryAfter }) =>
    retryAfter === undefined ? 'Wait a little and ask again.' : `Ask again in ${Math.ceil(retryAfter)} s.`,
  overloaded: () => 'Wait a little and ask again.',
  'upstream-failed': ({ place }) => `Is the server at ${place} running, and is --upstream right?`,
  'upstream-broken': () => 'Ask again; if it goes on, look at what the server logs.',
  'upstream-timeout': ({ place }) => `The server at ${place} may still be loading the model: ask again.`,
  'too-large': () => 'The conversation is too long for it: /clear begins a new one.',
  'tools-refused': () => 'Leave --kind native out: then the model is taught to write its calls.',
};

function adviceOf(error: ApiError, reached: Reached, model: string): string {
  if (reached.speak) return '';
  const { status } = error;
  if (status === 401 || status === 403) return key(reached, model, error);
  if (status === 404) return advices['not-found']?.(reached, model, error) ?? '';
  return advices[error.code]?.(reached, model, error) ?? '';
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
