import { ApiError, type ApiName, type ModelRequest } from '../../model/index.js';

/** What only a server with a memory could do. */
export function refuseState({ api, extra = {}, references = [] }: ModelRequest): void {
  const [reference] = references;
  if (reference) {
    const { path, id } = reference;
    const message = `${path}: the item ${JSON.stringify(id)} is not kept here; send the item itself, as clients do with store: false`;
    throw new ApiError('bad-request', message, { path });
  }
  for (const key of remembered.get(api) ?? []) {
    if (extra[key] === undefined || extra[key] === null || extra[key] === false) continue;
    const message = `${key}: nothing is kept here between requests; send the whole conversation`;
    // In these words Anthropic's client is told to go on without: it then sends everything itself.
    const details = { error_code: `${key}_unsupported_request`, unsupported: [key] };
    throw new ApiError('bad-request', message, { path: key, details });
  }
}

const remembered: ReadonlyMap<ApiName | undefined, readonly string[]> = new Map([
  ['openai-responses', ['previous_response_id', 'conversation', 'background']],
  ['anthropic-messages', ['thread']],
]);
