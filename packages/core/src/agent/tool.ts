// A tool the loop can run: a plain function with a name and a schema.

import type { ToolCall } from '../model/index.js';
import type { OutputOf, StandardSchema } from './standard-schema.js';

/** The context that a tool gets besides its input. */
export interface ToolContext {
  /** Aborted when the run is stopped or the tool's time is up. A tool that ignores it is abandoned. */
  signal: AbortSignal;
  callId: string;
  /** The name by which the tool was called. */
  name: string;
  /** The input as the model wrote it: JSON text with its own digits and key order. */
  raw: string;
  /** Reports progress while the tool works: a `tool-progress` event, which the model does not see. */
  emit(data: unknown): void;
}

/** `true` lets the call run. `false` refuses it; a text refuses it and tells the model why. */
export type Approval = boolean | string;
export type Approve = (call: ToolCall, context: { signal: AbortSignal }) => Approval | Promise<Approval>;

export interface AgentTool<Input = unknown> {
  name: string;
  description?: string;
  /**
   * JSON Schema, or a Standard Schema (zod, valibot, ArkType). The input is checked before `run` sees it; of a
   * Standard Schema `run` gets the output, so defaults and transforms work. Absent: any object will do.
   */
  parameters?: unknown;
  /** Checks the input where `parameters` is JSON Schema: for libraries whose schemas cannot say it themselves. */
  schema?: StandardSchema;
  /**
   * What it returns goes back to the model: text as it is, anything else as JSON. What it throws goes back as an
   * error result: the message of a `ToolError` as it stands, any other error with its name.
   */
  run(input: Input, context: ToolContext): unknown;
  /** Whether it may run beside other calls of the same turn. Default true. */
  parallel?: boolean;
  /** Milliseconds; `Infinity` for no limit. Default: the run's `toolTimeout`. */
  timeout?: number;
  /** How often the same call may run in a row. Default: the run's `repeats`. `Infinity` suits tools that poll. */
  repeats?: number;
  /** Asked before each call of this tool, ahead of the run's own `approve`. */
  approve?: Approve;
}

/** What a tool throws to choose the words of its error result. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';
}

type Typed<Schema extends StandardSchema> = Omit<AgentTool<OutputOf<Schema>>, 'parameters' | 'schema'>;

/** The same tool, with the input of `run` typed by its schema. */
export function defineTool<Schema extends StandardSchema>(
  tool: Typed<Schema> & { parameters: Schema; schema?: never },
): AgentTool;
export function defineTool<Schema extends StandardSchema>(
  tool: Typed<Schema> & { parameters: unknown; schema: Schema },
): AgentTool;
export function defineTool<Input = Record<string, unknown>>(tool: AgentTool<Input>): AgentTool;
export function defineTool(tool: AgentTool): AgentTool {
  return tool;
}
