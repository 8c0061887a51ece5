// Upstreams that refuse to be asked for a format, or for this one. They are remembered, and taught it by the prompt.

import { ApiError, type ModelRequest } from '../../model/index.js';
import { ModelMemory } from '../upstream/model-memory.js';
import type { Upstream } from '../upstream/upstream.js';

/** What OpenAI, DeepSeek, Groq, vLLM, SGLang, Anthropic and others call the format that they refuse. */
const formatWords = [
  'response_format',
  'response format',
  'json_object',
  'json mode',
  'structured output',
  'output_config',
  'output_format',
  'text.format',
];
/** What holds a model to a format, or to the arguments of a tool. */
const schemaWords = ['json_schema', 'json schema', 'guided decoding', 'grammar'];
/** Words by which an error names the schema of a tool. */
const toolWords = [
  'for tool',
  'of tool',
  'in tool',
  'for function',
  'of function',
  'in function',
  'tool schema',
  'function schema',
  'tool parameters',
  'function parameters',
  'tools[',
  'tools.',
  'input_schema',
];
const statuses = new Set([400, 404, 415, 422, 501]);

/** Whether the error is about the format. A schema that is invalid, of the format or of a tool, is the client's to mend. */
function isAboutFormat({ status, message }: ApiError): boolean {
  const told = message.toLowerCase();
  if (status === undefined || !statuses.has(status) || told.includes('invalid schema')) return false;
  const names = (words: readonly string[]) => words.some((word) => told.includes(word));
  return names(formatWords) || (names(schemaWords) && !names(toolWords));
}

/** The models that refused a format, of each upstream. */
const refusing = new WeakMap<Upstream, ModelMemory<true>>();

function refusingModels(upstream: Upstream): ModelMemory<true> {
  const models = refusing.get(upstream) ?? new ModelMemory<true>();
  refusing.set(upstream, models);
  return models;
}

/** Makes an upstream that was made from another for one request remember what that one does. */
export function shareRefusals(upstream: Upstream, made: Upstream): void {
  refusing.set(made, refusingModels(upstream));
}

/** Whether this model refused a format before. */
export function refusesFormats(upstream: Upstream, { model }: ModelRequest): boolean {
  return refusing.get(upstream)?.get(model) ?? false;
}

/** Gives the message of an error by which the upstream refuses the format that was sent; undefined for other errors. */
export function refusedFormat(error: unknown, sent: ModelRequest | undefined): string | undefined {
  return sent?.format && error instanceof ApiError && isAboutFormat(error) ? error.message : undefined;
}

/** Gives the upstream as one that cannot be asked for a format: the prompt has to teach it. */
export function withoutFormats(upstream: Upstream): Upstream {
  const made: Upstream = { ...upstream, formats: [], ask: (...asked) => upstream.ask(...asked) };
  shareRefusals(upstream, made);
  return made;
}

/** Remembers that the model refuses formats: it answered without one. An error alone may have had another cause. */
export function rememberRefusal(upstream: Upstream, { model }: ModelRequest): void {
  refusingModels(upstream).set(model, true);
}
