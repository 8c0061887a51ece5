// The JSON that the inspector serves. `time` is an ISO string; `at` and durations are milliseconds since the exchange
// began; ranges are half-open places in the text of their attempt. Where something was too long, a member that ends in `Cut` says how much is not there.

import type { FinishReason, JsonValue, Report, Usage } from '@dragoman/core';
import type { ExchangeInfo } from '../services.js';

/** One line of the list. */
export interface ExchangeSummary {
  /** The request's id; `~2` and so on behind it where a client used one twice. */
  id: string;
  time: string;
  api: ExchangeInfo['api'];
  /** The name of the key, never the key. */
  key?: string;
  /** The model name that the client sent, once it is known. */
  model?: string;
  /** Where the answer came from. */
  upstream?: string;
  dialect?: string;
  mode?: Report['mode'];
  stream?: boolean;
  /** Still being answered. */
  open: boolean;
  status?: number;
  error?: { code: string; message: string };
  /** The client went away. */
  left?: boolean;
  /** Milliseconds to the first byte of the answer. */
  firstByte?: number;
  duration?: number;
  /** Characters that came from the upstream. */
  received: number;
  calls: number;
  issues: number;
  repairs: number;
  reasks: number;
  /** How often the request moved to another upstream, where the model has several. */
  moves?: number;
}

/** Everything about one exchange. */
export interface ExchangeRecord extends ExchangeSummary {
  /** The request, decoded: a ModelRequest of @dragoman/core. */
  request?: JsonValue;
  /** One entry for each request to the upstream. Empty where native calls pass through. */
  attempts: AttemptRecord[];
  /** By choice. */
  answer: AnswerRecord[];
  usage?: Usage;
  /** Issues, repairs and re-asks in full: a Report of @dragoman/core. */
  report?: JsonValue;
  /** The error of the upstream that refused tools. */
  toolsRefused?: string;
  /** What was mended in the conversation before it was sent, as the report lists it. */
  mended?: JsonValue;
  /** How much of what was sent first is the same as in an earlier exchange, and what differs. */
  prefix?: PrefixRecord;
  /** The parts that were cut. */
  cut: ('request' | 'sent' | 'text' | 'events' | 'answer')[];
}

export interface PrefixRecord {
  /** The id of the earlier exchange: of the same key and model, the one with the longest common prefix. */
  of: string;
  /** The characters that were sent, and those of the earlier exchange: what was sent and what came back. */
  sent: number;
  known: number;
  /** How many of them are the same from the start. */
  stable: number;
  /** What follows there, if not all of it is the same. */
  was?: string;
  is?: string;
}

export interface AttemptRecord {
  choice: number;
  attempt: number;
  /** Which upstream was asked, where the model has several. */
  upstream?: string;
  /** When the upstream was asked. */
  at: number;
  /** When its first and its last text came. */
  textAt?: [first: number, last: number];
  /** One prompt, or the messages, with the tools where the upstream has its own. */
  sent: { prompt: string } | { messages: JsonValue; tools?: JsonValue };
  settings: JsonValue;
  /** Members of the body that the engine, a grammar or the configuration added or replaced; null: removed. */
  members?: JsonValue;
  /** The raw text as it was received. */
  text: string;
  textCut?: number;
  /** The events of the parser, neighbours of one kind joined. */
  events: ParseRecord[];
  eventsCut?: number;
  /** The reason for the re-ask after this attempt. */
  reasons?: string[];
}

export interface ParseRecord {
  type: string;
  range: [start: number, end: number];
  /** How many events were joined. */
  count: number;
  /** When the first and the last of them came. */
  at: [first: number, last: number];
  text?: string;
  /** Of a call. */
  id?: string;
  name?: string;
  input?: JsonValue;
  aside?: boolean;
  issues?: JsonValue[];
  repairs?: JsonValue[];
}

export interface AnswerRecord {
  choice: number;
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string; complete: boolean }[];
  finish?: FinishReason;
  stopSequence?: string;
}

/** A new or changed line of the list. `exchange-progress` is sent at intervals while text arrives. */
export interface SummaryEvent {
  type: 'exchange-begin' | 'exchange-model' | 'exchange-progress' | 'exchange-end';
  id: string;
  exchange: ExchangeSummary;
}

/** A live event. `id` is that of the exchange. */
export type InspectorEvent =
  | SummaryEvent
  | ({ type: 'request'; request: JsonValue } & Placed)
  | ({ type: 'mended'; mended: JsonValue } & Placed)
  | ({ type: 'upstream-request' } & Pick<AttemptRecord, 'choice' | 'attempt' | 'sent' | 'settings'> & Placed)
  | ({ type: 'upstream-members'; choice: number; attempt: number; members: JsonValue } & Placed)
  | ({ type: 'upstream-text'; choice: number; attempt: number; text: string } & Placed)
  | ({ type: 'parse'; choice: number; attempt: number; event: JsonValue } & Placed)
  | ({ type: 'reask'; reask: JsonValue } & Placed)
  | ({ type: 'endpoint'; name: string; moved?: JsonValue } & Placed)
  | ({ type: 'tools-refused'; message: string } & Placed)
  | ({ type: 'answer'; event: JsonValue } & Placed)
  /** The consumer was too slow: this many events were dropped. */
  | { type: 'dropped'; count: number };

interface Placed {
  id: string;
  at: number;
}
