// Upstreams that refuse to be asked for a format, or for this one. They are remembered, and taught it by the prompt.

import { ApiError, type ModelRequest } from '../../model/index.js';
import { ModelMemory } from '../upstream/model-memory.js';
import type { Upstream } from '../upstream/upstream.js';

/** The words of OpenAI, DeepSeek, Groq, vLLM, SGLang, Anthropic and others for what they refuse. */
const subjects = [
  'response_format',
  'response format',
  'json_schema',
  'json schema',
  'json_object',
  'json mode',
  'structured output',
  'output_config',
  'output_format',
  'text.format',
  'guided decoding',
  'grammar',
];
const statuses = new Set([400, 404, 415, 422, 501]);

/** Whether the error is about the format. A schema that is invalid is the client's to mend. */
function isAboutFormat({ status, message }: ApiError): boolean {
  const said = message.toLowerCase();
  if (status === undefined || !statuses.has(status) || said.includes('invalid schema')) return false;
  return subjects.some((subject) => said.includes(subject));
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

/**
 * Remembers a refusal of the format that was sent; the model can then be asked again, without it. Gives the upstream's
 * message. Several requests at once may be refused, so it does not matter whether another was before.
 */
export function rememberRefusal(
  error: unknown,
  upstream: Upstream,
  sent: ModelRequest | undefined,
): string | undefined {
  if (!sent?.format || !(error instanceof ApiError) || !isAboutFormat(error)) return undefined;
  refusingModels(upstream).set(sent.model, true);
  return error.message;
}
