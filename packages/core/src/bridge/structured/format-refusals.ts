// Upstreams that refuse to be asked for a format, or for this one. They are remembered, and taught it by the prompt.

import { ApiError, type ModelRequest } from '../../model/index.js';
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

const refusing = new WeakMap<Upstream, Set<string>>();

/** Whether this model refused a format before. */
export function refusesFormats(upstream: Upstream, { model }: ModelRequest): boolean {
  return refusing.get(upstream)?.has(model) ?? false;
}

/** Remembers a refusal of the format that was sent; the model can then be asked again. Gives the upstream's message. */
export function rememberRefusal(error: unknown, upstream: Upstream, sent: ModelRequest): string | undefined {
  if (!sent.format || !(error instanceof ApiError) || !isAboutFormat(error)) return undefined;
  if (refusesFormats(upstream, sent)) return undefined;
  const models = refusing.get(upstream) ?? new Set();
  // Bounded, since clients choose the names.
  if (models.size >= 1000) models.clear();
  refusing.set(upstream, models.add(sent.model));
  return error.message;
}
