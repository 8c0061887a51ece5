// What the worker does beside reading: takes text out of what wraps it, writes the answer for an API, makes a grammar.

import type { ExactValue, GrammarFormat } from '@dragoman/core';
import { type Answer, constrain, findDialect, indentJson, parse, toPlain } from '@dragoman/core';
import { wireOf } from '@dragoman/core/wire';
import type { ExtraWork } from './job-queue.js';
import type { ReadInput } from './jobs.js';
import { unwrap } from './unwrap.js';

/** A grammar and what it does not hold. */
export interface ShownGrammar {
  /** Absent: there is nothing to enforce. */
  text?: string;
  limits: string[];
}

export const doExtra: ExtraWork = async (job, input) => {
  if (job.type === 'unwrap') return unwrap(job.text);
  if (!input) return undefined;
  return job.type === 'json' ? answerFor(input, job.api) : grammarFor(input, job.format as GrammarFormat);
};

/** The answer as a client of an API gets it. The ids and the time are fixed, so that it can be compared. */
function answerFor({ text, dialect, tools, thinking }: ReadInput, api: string): string {
  const { parts } = parse(dialect, text, { tools, thinking });
  const finish = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
  const usage = { inputTokens: 0, outputTokens: 0 };
  const answer: Answer = { id: 'answer_1', model: dialect, created: 0, choices: [{ parts, finish }], usage };
  const conversation = { messages: [], tools: [], toolChoice: 'auto' as const };
  const request = { model: dialect, conversation, settings: {}, stream: false };
  let made = 0;
  const newId = (prefix: string) => `${prefix}${++made}`;
  return indentJson(wireOf(api).encodeResponse(answer, { request, newId, report: false }) as ExactValue, 2);
}

function grammarFor({ dialect, tools }: ReadInput, format: GrammarFormat): ShownGrammar {
  const { grammar, limits } = constrain(findDialect(dialect), toPlain(tools as ExactValue), 'auto', {
    format,
  });
  return {
    ...(grammar !== undefined && {
      text: typeof grammar === 'string' ? grammar : indentJson(grammar as ExactValue, 2),
    }),
    limits: limits.map(({ path, keyword, message }) => [path, keyword, message].filter(Boolean).join(': ')),
  };
}
