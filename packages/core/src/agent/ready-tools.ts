// Accepts tools in the shapes that programs use, and prepares them to be declared and run:
//
//   ours      AgentTool, in a list or as the members of a record
//   AI SDK    {[name]: {description, inputSchema, execute, needsApproval?}}
//
// Lists may hold lists (what mcpTools gives) and records.

import { acceptTools, type Tool, type ToolCall, UsageError } from '../model/index.js';
import { asStandardSchema, type StandardSchema } from './standard-schema.js';
import type { AgentTool, Approve, ToolContext } from './tool.js';

/** A tool of the AI SDK, as far as the loop knows it. */
export interface ExecutableTool {
  description?: string;
  inputSchema?: unknown;
  execute?: (...given: never[]) => unknown;
  needsApproval?: unknown;
}

export type AgentTools =
  | readonly (AgentTool | AgentTools)[]
  | { readonly [name: string]: ExecutableTool | Omit<AgentTool, 'name'> };

export interface ReadyTool {
  definition: Tool;
  run(input: unknown, context: ToolContext): unknown;
  /** Checks the input in place of the JSON Schema. */
  schema?: StandardSchema;
  parallel: boolean;
  timeout?: number;
  repeats?: number;
  approve?: Approve;
  /** Whether this call may only run if someone can be asked and agrees. */
  needsApproval?(call: ToolCall): boolean | Promise<boolean>;
}

/** Throws a UsageError that says what was expected where. */
export function readyTools(tools: unknown): Map<string, ReadyTool> {
  const ready = new Map<string, ReadyTool>();
  for (const { value, path, key } of listed(tools, 'tools')) {
    const tool = readyTool(value, path, key);
    const { name } = tool.definition;
    if (ready.has(name)) {
      throw badTool(`two tools are named '${name}': rename one or leave it out`, path);
    }
    ready.set(name, tool);
  }
  return ready;
}

type Members = Record<string, unknown>;

interface Listed {
  value: Members;
  path: string;
  key?: string;
}

function listed(value: unknown, path: string): Listed[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => listed(item, `${path}[${at}]`));
  if (typeof value !== 'object') {
    throw badTool(`expected a tool or a list of tools, found a ${typeof value}`, path);
  }
  if (isTool(value as Members)) return [{ value: value as Members, path }];
  return Object.entries(value).map(([key, item]) => {
    if (typeof item === 'object' && item !== null) return { value: item, path: `${path}.${key}`, key };
    throw badTool('expected a tool: {description, inputSchema, execute}', `${path}.${key}`);
  });
}

/** A record of tools may have tools named `name` and `run`; those are objects. */
function isTool(value: Members): boolean {
  return typeof value.name === 'string' || typeof value.run === 'function';
}

function readyTool(value: Members, path: string, key: string | undefined): ReadyTool {
  const run = runOf(value, path);
  const schema = schemaOf(value, path);
  return {
    definition: definitionOf(value, path, key),
    run,
    ...(schema && { schema }),
    ...traitsOf(value, path),
  };
}

/** What the model is told. `strict` and the like stay with it; what is only ours does not. */
function definitionOf(value: Members, path: string, key: string | undefined): Tool {
  const { run, execute, schema, parallel, timeout, repeats, approve, needsApproval, ...told } = value;
  const { description, parameters } = value;
  try {
    const [tool] = acceptTools([{ ...told, name: key ?? value.name, description, parameters }], '');
    if (tool) return tool;
  } catch (error) {
    if (!(error instanceof UsageError) || error.path === undefined) throw error;
    // The place in our list of one is the place in the caller's.
    const message = error.message.slice(error.path.length + 2);
    throw new UsageError(error.code, message, path + error.path.slice('[0]'.length));
  }
  throw badTool("this tool runs at its provider: leave it out, or give it type 'function'", path);
}

function runOf(value: Members, path: string): ReadyTool['run'] {
  const { run, execute } = value;
  // Called on the tool itself, which may be an object with a state of its own.
  if (typeof run === 'function') return (input, context) => run.call(value, input, context);
  if (typeof execute === 'function') {
    return (input, { signal, callId }) =>
      execute.call(value, input, { toolCallId: callId, abortSignal: signal, messages: [] });
  }
  throw badTool('expected a function `run` (or `execute`): nobody else can run this tool', path);
}

function schemaOf(value: Members, path: string): StandardSchema | undefined {
  const parameters = value.parameters ?? value.inputSchema;
  const own = asStandardSchema(parameters);
  if (value.schema === undefined) {
    if (own && !('jsonSchema' in own['~standard'])) throw speechless(own, path);
    return own;
  }
  const schema = asStandardSchema(value.schema);
  if (schema) return schema;
  throw badTool('expected a Standard Schema (zod, valibot, ArkType)', `${path}.schema`);
}

function speechless(schema: StandardSchema, path: string): UsageError {
  const vendor = String(schema['~standard'].vendor).slice(0, 40);
  const advice = 'give its JSON Schema as `parameters`, and this schema as `schema`';
  return badTool(`this ${vendor} schema cannot say itself as JSON Schema: ${advice}`, path);
}

function traitsOf(value: Members, path: string): Omit<ReadyTool, 'definition' | 'run' | 'schema'> {
  const { parallel, approve, needsApproval } = value;
  if (approve !== undefined && typeof approve !== 'function') {
    throw badTool('expected a function', `${path}.approve`);
  }
  const timeout = positive(value.timeout, `${path}.timeout`);
  const repeats = positive(value.repeats, `${path}.repeats`);
  return {
    parallel: parallel !== false,
    ...(timeout !== undefined && { timeout }),
    ...(repeats !== undefined && { repeats }),
    ...(approve !== undefined && { approve: approve as Approve }),
    ...(needsApproval !== undefined && { needsApproval: needsOf(needsApproval) }),
  };
}

/** The AI SDK's: a boolean, or a function of the input. What is not plainly `false` needs approval. */
function needsOf(needs: unknown): NonNullable<ReadyTool['needsApproval']> {
  if (typeof needs !== 'function') return () => needs !== false;
  return async ({ input, id }) => (await needs(input, { toolCallId: id, messages: [] })) !== false;
}

function positive(value: unknown, path: string): number | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0)) return value;
  throw badTool(`expected a number above 0, or Infinity, found ${String(value)}`, path);
}

function badTool(message: string, path: string): UsageError {
  return new UsageError('bad-tools', message, path);
}
