// The JSON of the gateway's inspector and model list, as far as the page reads it. shapes.test.ts compares these types
// with those of the gateway.

import type { JsonValue } from '@dragoman/core';

export interface ListedModel {
  id: string;
  owned_by?: string;
}

/** One line of the inspector's list. Durations are milliseconds. */
export interface ExchangeSummary {
  id: string;
  time: string;
  api: string;
  key?: string;
  model?: string;
  upstream?: string;
  dialect?: string;
  mode?: string;
  stream?: boolean;
  open: boolean;
  status?: number;
  error?: { code: string; message: string };
  left?: boolean;
  firstByte?: number;
  duration?: number;
  received: number;
  calls: number;
  issues: number;
  repairs: number;
  reasks: number;
}

export interface ExchangeRecord extends ExchangeSummary {
  request?: JsonValue;
  attempts: AttemptRecord[];
  answer: AnswerRecord[];
  usage?: { inputTokens: number; outputTokens: number; estimated?: boolean };
  report?: JsonValue;
  toolsRefused?: string;
  cut: string[];
}

export interface AttemptRecord {
  choice: number;
  attempt: number;
  at: number;
  textAt?: [first: number, last: number];
  sent: { prompt: string } | { messages: JsonValue; tools?: JsonValue };
  settings: JsonValue;
  text: string;
  textCut?: number;
  events: ParseRecord[];
  eventsCut?: number;
  reasons?: string[];
}

/** Events of the parser, neighbours of a kind joined. `at`: the times of the first and of the last of them. */
export interface ParseRecord {
  type: string;
  range: [start: number, end: number];
  count: number;
  at: [first: number, last: number];
  text?: string;
  id?: string;
  name?: string;
  input?: JsonValue;
  aside?: boolean;
  issues?: JsonValue[];
  repairs?: JsonValue[];
}

interface AnswerRecord {
  choice: number;
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string; complete: boolean }[];
  finish?: string;
  stopSequence?: string;
}

/** The live events that the page uses. It ignores others. */
export type LiveEvent =
  | {
      type: 'exchange-begin' | 'exchange-model' | 'exchange-progress' | 'exchange-end';
      id: string;
      exchange: ExchangeSummary;
    }
  | { type: 'request'; id: string; at: number; request: JsonValue }
  | { type: 'upstream-request'; id: string; at: number; choice: number; attempt: number }
  | { type: 'upstream-text'; id: string; at: number; choice: number; attempt: number; text: string }
  | { type: 'parse'; id: string; at: number; choice: number; attempt: number; event: JsonValue }
  | { type: 'dropped'; count: number };
