// The events of an agent run, and its result.

import type {
  AnswerEvent,
  AssistantMessage,
  FinishReason,
  Message,
  ToolCall,
  ToolResult,
  Usage,
} from '../model/index.js';

/**
 * Why a run ended.
 * `done`: the model answered and called nothing. `max-steps`: it would go on, and was asked often enough.
 * `max-calls`: it called more than it may. `repeats`: it went on making the same call.
 * `length`: its answer was cut off, by the token limit or inside a call. `content-filter`: the provider withheld
 * the answer. `aborted`: by the signal, or because the consumer stopped iterating. `error`: the model failed.
 */
export type AgentEndReason =
  | 'done'
  | 'max-steps'
  | 'max-calls'
  | 'repeats'
  | 'length'
  | 'content-filter'
  | 'aborted'
  | 'error';

export interface AgentResult {
  reason: AgentEndReason;
  /**
   * The whole conversation, ready to be continued: every call in it has a result. The result of a call that did not
   * run, or did not finish, states that.
   */
  messages: Message[];
  /** The answer of the last step, as far as it was received. */
  text: string;
  /** The sum over all steps, if the model reported usage. */
  usage?: Usage;
  /** The number of requests to the model. */
  steps: number;
  /** The number of calls that were handed to their tools. */
  calls: number;
  /** The error of the model, where the reason is `error`. */
  error?: unknown;
}

/**
 * In order: `step-start`; the model's own events as they come, with a `call-ready` behind each `call-end`; for
 * each call one `tool-end`, with a `tool-start` before it if the tool was really run; `step-end`. A step that was
 * aborted or failed has no `step-end`. `agent-end` is the last, once, whatever happens.
 */
export type AgentEvent =
  | Exclude<AnswerEvent, { type: 'error' }>
  | { type: 'step-start'; step: number }
  /** The call is complete. It runs when the whole turn is. */
  | { type: 'call-ready'; call: ToolCall }
  | { type: 'tool-start'; call: ToolCall }
  /** Progress that the tool emitted or yielded. Dropped while a thousand events wait for the consumer. */
  | { type: 'tool-progress'; call: ToolCall; data: unknown }
  | { type: 'tool-end'; call: ToolCall; result: ToolResult; ran: boolean }
  | {
      type: 'step-end';
      step: number;
      finish: FinishReason;
      message: AssistantMessage;
      results: ToolResult[];
      usage?: Usage;
    }
  | ({ type: 'agent-end' } & AgentResult);
