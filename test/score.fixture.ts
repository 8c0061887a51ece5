// Wild outputs of the corpus with verdicts that this list states, and the rows of each layout that hold them.

import { readdirSync, readFileSync } from 'node:fs';
import { root } from './sources.js';

export interface Call {
  name: string;
  input: { [key: string]: unknown };
}

export interface WildOutput {
  /** `dialect/case`. */
  id: string;
  dialect: string;
  text: string;
  tools: unknown[];
  thinking: boolean;
  /** What the corpus says a parser of this dialect reads. */
  read: Call[];
  /** Whether the case says what the arguments of every call are. */
  isWhole: boolean;
}

const wild = `${root}packages/core/corpus/wild/`;

export function wildOutput(id: string): WildOutput {
  const {
    dialect,
    text,
    tools = [],
    thinking = false,
    expect,
  } = JSON.parse(readFileSync(`${wild}${id}.json`, 'utf8'));
  const read: Call[] = expect.calls.map(({ name, input = {} }: Call) => ({ name, input }));
  const isWhole = expect.calls.every(({ input }: Partial<Call>) => input !== undefined);
  return { id, dialect, text, tools, thinking, read, isWhole };
}

/** All but those that need options of the parser. */
export function wildOutputs(): WildOutput[] {
  const files = readdirSync(wild, { recursive: true, encoding: 'utf8' });
  const ids = files.flatMap((file) =>
    file.endsWith('.json') ? [file.replaceAll('\\', '/').slice(0, -5)] : [],
  );
  return ids
    .filter((id) => {
      const { policies, open } = JSON.parse(readFileSync(`${wild}${id}.json`, 'utf8'));
      return policies === undefined && open === undefined;
    })
    .map(wildOutput);
}

// --- verdicts --------------------------------------------------------------------------------------------------

const beijing = [{ name: 'get_weather', input: { city: 'Beijing' } }];
const rome = [{ name: 'get_weather', input: { city: 'Rome' } }];
const both = [...beijing, ...rome];

export interface KnownVerdict {
  id: string;
  /** The calls that the model was to make. */
  expect: Call[];
  verdict: 'right' | 'model' | 'parser';
  checks: string[];
}

const known = (
  id: string,
  expect: Call[],
  verdict: KnownVerdict['verdict'],
  ...checks: string[]
): KnownVerdict => {
  return { id, expect, verdict, checks };
};

/** `expect` is what the text shows to be meant; the first four are what the corpus says is read. */
export const knownVerdicts: readonly KnownVerdict[] = [
  // Written with a slip that a parser mends.
  known('hermes/apostrophe', [{ name: 'get_weather', input: { city: "Xi'an" } }], 'right'),
  known('hermes/missing-brace', wildOutput('hermes/missing-brace').read, 'right'),
  known('hermes/comments', wildOutput('hermes/comments').read, 'right'),
  known('glm-4.5/canonical-4.5', wildOutput('glm-4.5/canonical-4.5').read, 'right'),
  // Cut off: the model, or its limit of tokens.
  known('hermes/cut-behind-arguments', beijing, 'model', 'count'),
  known('hermes/cut-in-string', beijing, 'model', 'count'),
  known('glm-4.5/cut-in-value', beijing, 'model', 'count'),
  known('glm-4.5/cut-in-name', beijing, 'model', 'count'),
  known('glm-4.5/missing-call-closer-at-end', beijing, 'model', 'count'),
  known('glm-4.5/cut-in-second-call', both, 'model', 'count'),
  known('qwen3-coder/cut-in-second-call', both, 'model', 'count'),
  known('deepseek-v3/cut-in-value', beijing, 'model', 'count'),
  known('harmony/cut-in-value', beijing, 'model', 'count'),
  known('kimi-k2/cut-in-value', beijing, 'model', 'count'),
  known('minimax-m2/cut-in-value', beijing, 'model', 'count'),
  known('mistral/cut-in-value', beijing, 'model', 'count'),
  known('pythonic/cut-in-value', beijing, 'model', 'count'),
  known('llama3-json/cut-in-value', beijing, 'model', 'count'),
  // Broken so that nobody can read it.
  known('hermes/no-name', beijing, 'model', 'count'),
  known('hermes/broken-value-then-call', both, 'model', 'count'),
  known('solar-open/unreadable-arguments', both, 'model', 'count'),
  // Values of the wrong type.
  known('hermes/string-for-number', [{ name: 'f', input: { n: 20 } }], 'model', 'arguments', 'schema'),
  known('glm-4.5/not-of-its-type', [{ name: 'f', input: { n: 3 } }], 'model', 'arguments', 'schema'),
  known('qwen3-coder/not-of-its-type', [{ name: 'f', input: { n: 3 } }], 'model', 'arguments', 'schema'),
  known('solar-open/no-arguments', beijing, 'model', 'arguments', 'schema'),
  // Whole calls in another dialect than the reader's: another reader gets them.
  known('hermes/glm-call', beijing, 'parser', 'count', 'leak'),
  known('alkaid/glm-call', beijing, 'parser', 'count', 'leak'),
  known('qwen3-coder/hermes-call', beijing, 'parser', 'count', 'leak'),
  known('glm-4.7/hermes-call', [{ name: 'bash', input: { command: 'ls' } }], 'parser', 'count', 'leak'),
  known('deepseek-v3.1/v3-spelling', beijing, 'parser', 'count', 'leak'),
  // No call was due, and one was written all the same.
  known('hermes/canonical', [], 'model', 'count'),
  known('qwen3-coder/hermes-call', [], 'model', 'leak'),
  // Another tool, another place.
  known('hermes/canonical', [{ name: 'get_forecast', input: { city: 'Beijing' } }], 'model', 'name'),
];

// --- rows ------------------------------------------------------------------------------------------------------

const asArguments = ({ name, input }: Call) => ({ name, arguments: input });

export function plainRow(
  { id, dialect, text, tools, thinking }: WildOutput,
  expect: readonly Call[],
): object {
  return { id, dialect, text, tools, thinking, expect: expect.map(asArguments) };
}

/** The target is text as Python's str() writes a list. */
export function lmEvalRow({ id, text, tools }: WildOutput, expect: readonly Call[]): object {
  return {
    doc_id: id,
    doc: { tools: JSON.stringify(tools) },
    target: pythonText(expect.map(asArguments)),
    arguments: { gen_args_0: { arg_0: 'a prompt', arg_1: { until: [] } } },
    resps: [[text]],
    filtered_resps: [text],
    filter: 'none',
    metrics: [],
  };
}

function pythonText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value as object).map(
      ([key, one]) => `${JSON.stringify(key)}: ${pythonText(one)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** A result, its question and its possible answers. */
export function bfclRows({ id, text, tools }: WildOutput, expect: readonly Call[]): [object, object, object] {
  const name = expect.length === 0 ? `irrelevance_${id}` : id;
  return [
    { id: name, result: text, input_token_count: 1, latency: 0.5 },
    { id: name, question: [[{ role: 'user', content: 'A question' }]], function: tools.map(bfclTool) },
    ...((expect.length === 0
      ? [{ id: name }]
      : [
          { id: name, ground_truth: expect.map(({ name: tool, input }) => ({ [tool]: accepted(input) })) },
        ]) as [object]),
  ];
}

function bfclTool(tool: unknown): unknown {
  return JSON.parse(JSON.stringify(tool), (key, value) => {
    const names: Record<string, string> = { object: 'dict', number: 'float' };
    return key === 'type' && typeof value === 'string' ? (names[value] ?? value) : value;
  });
}

function accepted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(accepted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, [accepted(one)]]));
}

/** The engine's own reading is what the corpus says of the dialect. */
export function inspectSample({ id, text, tools, read }: WildOutput, expect: readonly Call[]): object {
  const calls = read.map(({ name, input }, at) => ({
    id: `c${at}`,
    function: name,
    arguments: input,
    type: 'function',
  }));
  const message = {
    id: 'm2',
    content: text,
    source: 'generate',
    role: 'assistant',
    model: 'local/some-model',
  };
  const own = calls.length > 0 ? { ...message, tool_calls: calls } : message;
  return {
    id,
    epoch: 1,
    input: 'A question',
    target: JSON.stringify(expect.map(asArguments)),
    messages: [{ id: 'm1', content: 'A question', source: 'input', role: 'user' }, own],
    output: { model: 'some-model', choices: [{ message: own, stop_reason: 'stop' }] },
    scores: {},
    metadata: {},
    events: [
      { event: 'model', model: 'local/some-model', input: [], tools, tool_choice: 'auto', output: {} },
    ],
    attachments: {},
  };
}
