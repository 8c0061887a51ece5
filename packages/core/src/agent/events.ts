// What the loop says while it runs, and what it leaves.

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
 * the answer. `aborted`: by the signal, or because nobody wanted further events. `error`: the model failed.
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
   * The whole conversation, ready to be gone on with: each call in it has a result, and that of a call which was
   * not run, or not to its end, says so.
   */
  messages: Message[];
  /** What the model wrote in the last step, as far as it came. */
  text: string;
  /** The sum of all steps, if the model told any. */
  usage?: Usage;
  /** How often the model was asked. */
  steps: number;
  /** How many calls were handed to their tools. */
  calls: number;
  /** What the model failed with, where the reason is `error`. */
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
  /** What the tool said by `emit`, or yielded. Dropped where a thousand events wait for their reader. */
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
