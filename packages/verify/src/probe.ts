// What is sent to the endpoint: probes of one or more requests, each made for one check, or a case of the suite.

import type { AnswerFormat, Message, ModelRequest, Tool, ToolChoice } from '@dragoman/core';
import type { CheckId } from './check.js';
import type { Turn } from './turn.js';

/** One request, before it is written in the words of the API. */
export interface Question {
  messages: Message[];
  tools?: readonly Tool[];
  toolChoice?: ToolChoice;
  stream?: boolean;
  format?: AnswerFormat;
  parallelCalls?: boolean;
  /** The most tokens of the answer. */
  maxTokens?: number;
  /** A request that came from a file: it is sent as it is, but for the model and the stream. */
  given?: ModelRequest;
}

export type Step =
  | { question: Question }
  /** A body that is no right request: `{model}` stands for the name of the model. */
  | { body: string }
  /** A document behind the version. */
  | { get: string };

export interface WantedCall {
  name: string;
  input: Record<string, unknown>;
}

export interface Probe {
  /** Unique, and fit for a file name: `suite.en-echo-3`. */
  id: string;
  /** The check it is made for. Cases of the suite are made for `calls-tool`. */
  check: CheckId;
  steps: Step[];
  /** The calls that a right answer makes. */
  wants?: WantedCall[];
  /** Of a case of the suite: whether a call is right. It counts for the scores. Absent: unknown. */
  label?: boolean;
  /** A case of the suite; `judgement`: a weak model may answer it wrongly on a right endpoint. */
  suite?: 'exact' | 'judgement' | 'given';
  /** Texts that a right answer holds. */
  says?: readonly string[];
}

/** A probe with its answers. */
export interface Answered {
  probe: Probe;
  turns: Turn[];
}

// --- messages ------------------------------------------------------------------------------------------------

export const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
export const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] });
export const said = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

export interface PastCall {
  id: string;
  name: string;
  input: Record<string, string>;
}

export function called(calls: readonly PastCall[], text = ''): Message {
  return {
    role: 'assistant',
    parts: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, id, name, input })),
    ],
  };
}

export function returned(results: readonly { id: string; name: string; output: string }[]): Message {
  return {
    role: 'tool',
    parts: results.map(({ id, name, output }) => ({ type: 'tool-result', callId: id, name, output })),
  };
}

export const ask = (question: Question): Step => ({ question });

type OwnProbe = Omit<Probe, 'check'>;

/** The same probe, and with a stream. */
export function bothWays({ id, steps, ...rest }: OwnProbe): OwnProbe[] {
  const streamed = steps.map((step) =>
    'question' in step ? { question: { ...step.question, stream: true } } : step,
  );
  return [
    { id, steps, ...rest },
    { id: `${id}-stream`, steps: streamed, ...rest },
  ];
}
