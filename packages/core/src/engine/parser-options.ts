// The options of a parser, and their defaults.

import { type JsonObject, type Tool, toolsByName, UsageError } from '../model/index.js';
import { type CheckBudget, createCheckBudget } from '../schema/safe-schema.js';
import { createValidator } from '../schema/validate.js';
import type { Dialect } from './dialect.js';

export interface Limits {
  /** The deepest nesting of one call's arguments. */
  depth: number;
  /** Members and elements of one call's arguments. */
  members: number;
  /** Characters of one call's arguments, as JSON. Official clients refuse more than 16 MiB in one stream. */
  argumentLength: number;
  /** Calls in one answer. Official clients refuse more than 128. */
  calls: number;
  /** Characters of an id. */
  idLength: number;
  /** Characters buffered while their meaning is undecided (a call inside reasoning, an open block). */
  held: number;
  /** Issues and repairs that are listed for one answer. */
  notes: number;
}

export const DEFAULT_LIMITS: Limits = {
  depth: 128,
  members: 100_000,
  argumentLength: 16 * 1024 * 1024,
  calls: 128,
  idLength: 128,
  held: 8 * 1024 * 1024,
  notes: 1000,
};

export interface Policies {
  /** Text after the calls: part of the answer or set aside. Default: as the dialect does. */
  textAfterCalls?: 'text' | 'aside';
  /** Whether calls inside reasoning are read: if the reasoning never closes, or never. Default: as the dialect does. */
  callsInReasoning?: 'if-unclosed' | 'never';
  /**
   * Coerces a JSON string to the number or boolean that the schema requires; if true, also to null, an array or an
   * object. Default: in the parser as the dialect does, in the bridge true.
   */
  coerceStrings?: boolean;
  /** DSML only: the schema takes precedence over the `string` attribute. Default false. */
  schemaBeatsAttribute?: boolean;
  /** `text`: nothing is a call (for `tool_choice: none`). Default `read`. */
  calls?: 'read' | 'text';
}

export interface ParserOptions {
  /** The tools that were offered, in any shape people have (OpenAI, Anthropic, AI SDK, MCP), or accepted ones in a map. */
  tools?: unknown;
  /** The prompt ended inside the reasoning, in any dialect that has reasoning. Default false. */
  thinking?: boolean;
  /** Lists repairs as issues. */
  strict?: boolean;
  limits?: Partial<Limits>;
  policies?: Policies;
  /** Makes an id for a call that has none. `n` counts from 1. Default `call_1`, `call_2` … */
  newId?: (n: number) => string;
  /** The untrusted input of the same request, joined: a call that repeats part of it verbatim gets an issue. */
  untrusted?: string;
}

/** For parsers that share with others of the same request what checks against schemas may still cost. */
export interface SharingOptions extends ParserOptions {
  /** Default: one of its own. */
  checks?: CheckBudget;
}

/** The options with all defaults filled in. */
export type ParserSetup = ReturnType<typeof setUp>;

export function setUp(dialect: Dialect, options: SharingOptions) {
  const { policies = {}, checks = createCheckBudget() } = options;
  return {
    tools: toolsByName(options.tools),
    limits: checkLimits(options.limits),
    thinking: options.thinking ?? false,
    strict: options.strict ?? false,
    readCalls: policies.calls !== 'text',
    textAfterCalls: policies.textAfterCalls ?? dialect.traits.textAfterCalls,
    callsInReasoning: policies.callsInReasoning ?? dialect.traits.callsInReasoning,
    coerceStrings: policies.coerceStrings ?? dialect.traits.coercesStrings,
    coerceJson: policies.coerceStrings ?? false,
    schemaBeatsAttribute: policies.schemaBeatsAttribute ?? false,
    untrusted: options.untrusted || undefined,
    newId: options.newId ?? ((n) => `call_${n}`),
    validate: (tool: Tool, input: JsonObject) => validateInput(tool, input, checks),
  };
}

function checkLimits(limits: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new UsageError(
        'bad-options',
        `no such limit; there are ${Object.keys(DEFAULT_LIMITS).join(', ')}`,
        `limits.${name}`,
      );
    if (!Number.isInteger(value) || (value as number) < 1)
      throw new UsageError('bad-options', 'expected a whole number of at least 1', `limits.${name}`);
  }
  return { ...DEFAULT_LIMITS, ...limits };
}

function validateInput(tool: Tool, input: JsonObject, checks: CheckBudget): string[] {
  if (tool.parameters === undefined || tool.parameters === true) return [];
  return createValidator(tool.parameters)
    .check(input, checks)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
}
