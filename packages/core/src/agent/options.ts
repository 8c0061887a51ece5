// The options of a run and their defaults.

import { type Ask, type AskOptions, createAsk } from '../bridge/index.js';
import type { Settings, ToolChoice } from '../model/index.js';
import { acceptConversation, type Conversation, type Message, UsageError } from '../model/index.js';
import { type AgentTools, type ReadyTool, readyTools } from './ready-tools.js';
import type { Approve } from './tool.js';

export interface AgentOptions extends Partial<AgentLimits> {
  /** The model: an upstream with its dialect, the function that `createAsk` makes of them, or one of the same type. */
  model: Ask | { ask: Ask; name?: string } | (AskOptions & { name?: string });
  /** The model's name, as the upstream knows it. */
  name?: string;
  tools?: AgentTools;
  /** A question, a list of messages, or a conversation, in any shape `acceptConversation` takes. */
  messages?: unknown;
  /** An alias of `messages`, for callers that hold a whole conversation. */
  conversation?: unknown;
  /** Goes in front of the messages. */
  system?: string;
  settings?: Settings;
  /**
   * `whole`, the default: calls come when they are complete and right, so that a model that failed can be asked
   * again. `stream`: arguments are seen while they are written; a call that goes wrong then ends the run.
   */
  delivery?: 'stream' | 'whole';
  /** `required` and a tool's name hold for the first step only, or the loop would have no end; `none` for all. */
  toolChoice?: ToolChoice;
  /** Ends the run. The signal is passed to running tools. */
  signal?: AbortSignal;
  /** Asked before each call, one after the other, in the order of the calls. Absent: every call may run. */
  approve?: Approve;
  /** Whether calls of one turn may run beside each other. Default true. */
  parallel?: boolean;
}

export interface AgentLimits {
  /** How often the model is asked. Default 20. */
  maxSteps: number;
  /** How many calls are handed to tools, in all steps together. Default 1,000. */
  maxCalls: number;
  /** How many at once. Default 8. */
  concurrency: number;
  /** How long a tool may take, in milliseconds. Default 120,000. */
  toolTimeout: number;
  /** How long the run waits for an aborted tool, in milliseconds. Default 1,000. */
  grace: number;
  /** Characters of a result. A longer one loses its middle. Default 100,000. */
  resultLength: number;
  /**
   * How often the same call, with the same input, is run in a row. Then the model is told so instead, and after as
   * many steps of nothing else the run ends. Default 3.
   */
  repeats: number;
}

const defaults: AgentLimits = {
  maxSteps: 20,
  maxCalls: 1_000,
  concurrency: 8,
  toolTimeout: 120_000,
  grace: 1_000,
  resultLength: 100_000,
  repeats: 3,
};

/** A run's options, checked. */
export interface Plan {
  ask: Ask;
  name: string;
  conversation: Conversation;
  tools: Map<string, ReadyTool>;
  settings: Settings;
  delivery: 'stream' | 'whole';
  limits: AgentLimits;
  parallel: boolean;
  approve?: Approve;
}

function toModel(model: AgentOptions['model']): { ask: Ask; name?: string } {
  if (typeof model === 'function') return { ask: model };
  const { name } = model ?? {};
  if (model && 'upstream' in model) return { ask: createAsk(model), ...(name !== undefined && { name }) };
  if (typeof model?.ask === 'function') return model;
  throw bad('expected {upstream, dialect}, a function that is asked, or {ask, name}', 'model');
}

/** Throws a UsageError that says what was expected where. */
export function toPlan(options: AgentOptions): Plan {
  const { model, settings = {}, approve } = options;
  const { ask, name } = toModel(model);
  if ((settings.choices ?? 1) !== 1) throw bad('a run follows one answer: leave it out', 'settings.choices');
  if (approve !== undefined && typeof approve !== 'function') throw bad('expected a function', 'approve');
  const tools = readyTools(options.tools);
  return {
    ask,
    name: options.name ?? name ?? '',
    conversation: toConversation(options, tools),
    tools,
    settings,
    delivery: options.delivery ?? 'whole',
    limits: toLimits(options),
    parallel: options.parallel !== false,
    ...(approve && { approve }),
  };
}

function toConversation(options: AgentOptions, tools: Map<string, ReadyTool>): Conversation {
  const given = acceptGiven(options);
  const orphan = given.tools.find(({ name }) => !tools.has(name));
  if (orphan) {
    const advice = 'give it with a `run` in the option `tools`, or leave it out';
    throw new UsageError(
      'bad-tools',
      `the conversation has a tool '${orphan.name}' that nobody here can run: ${advice}`,
    );
  }
  const toolChoice = options.toolChoice ?? given.toolChoice;
  if (typeof toolChoice === 'object' && !tools.has(toolChoice.name)) {
    throw bad(`there is no tool named '${toolChoice.name}'`, 'toolChoice');
  }
  const system: Message[] = options.system
    ? [{ role: 'system', parts: [{ type: 'text', text: options.system }] }]
    : [];
  return {
    ...given,
    messages: [...system, ...given.messages],
    tools: [...tools.values()].map(({ definition }) => definition),
    toolChoice,
  };
}

function acceptGiven({ messages, conversation }: AgentOptions): Conversation {
  if ((messages === undefined) === (conversation === undefined)) {
    throw bad('expected `messages` or `conversation`, one of the two', 'messages');
  }
  const given = messages ?? conversation;
  return acceptConversation(typeof given === 'string' ? [{ role: 'user', content: given }] : given);
}

function toLimits(options: AgentOptions): AgentLimits {
  const limits = { ...defaults };
  for (const key of Object.keys(defaults) as (keyof AgentLimits)[]) {
    const value = options[key];
    if (value === undefined) continue;
    const least = key === 'grace' || key === 'maxCalls' ? 0 : 1;
    if (typeof value !== 'number' || !(value >= least)) {
      throw bad(`expected a number of at least ${least}, or Infinity, found ${String(value)}`, key);
    }
    limits[key] = value;
  }
  return limits;
}

function bad(message: string, path: string): UsageError {
  return new UsageError('bad-options', message, path);
}
