import { describe, expect, it } from 'vitest';
import { type ApiName, wireOf } from './index.js';

const schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false };
const more = { name: 'letters', description: 'Letters.', strict: true };
const messages = [{ role: 'user', content: 'Hi.' }];

/** What each API says, and what it means. */
const spellings: [ApiName, object, object | undefined][] = [
  ['openai-chat', { response_format: { type: 'json_object' } }, { type: 'json' }],
  [
    'openai-chat',
    { response_format: { type: 'json_schema', json_schema: { ...more, schema, later: 1 } } },
    { type: 'json-schema', ...more, schema },
  ],
  // llama.cpp and others.
  ['openai-chat', { response_format: { type: 'json_object', schema } }, { type: 'json-schema', schema }],
  ['openai-chat', { response_format: { type: 'json_schema', json_schema: { name: 'a' } } }, { type: 'json' }],
  ['openai-chat', { response_format: { type: 'text' } }, undefined],
  ['openai-chat', { response_format: { type: 'structural_tag', format: {} } }, undefined],
  ['openai-chat', { response_format: 'json' }, undefined],
  ['openai-chat', { response_format: null }, undefined],
  ['openai-responses', { text: { format: { type: 'json_object' } } }, { type: 'json' }],
  [
    'openai-responses',
    { text: { verbosity: 'low', format: { type: 'json_schema', ...more, schema } } },
    { type: 'json-schema', ...more, schema },
  ],
  ['openai-responses', { text: { format: { type: 'text' } } }, undefined],
  ['openai-responses', { text: {} }, undefined],
  [
    'anthropic-messages',
    { output_config: { effort: 'low', format: { type: 'json_schema', schema } } },
    { type: 'json-schema', schema, strict: true },
  ],
  [
    'anthropic-messages',
    { output_format: { type: 'json_schema', schema } },
    { type: 'json-schema', schema, strict: true },
  ],
  ['anthropic-messages', { output_config: { effort: 'low' } }, undefined],
];

const bodies: Partial<Record<ApiName, object>> = {
  'openai-chat': { model: 'm', messages },
  'openai-responses': { model: 'm', input: messages },
  'anthropic-messages': { model: 'm', max_tokens: 10, messages },
};

describe.each(spellings)('%s with %j', (api, said, format) => {
  const wire = wireOf(api);
  const body = { ...bodies[api], ...said };
  const request = wire.decodeRequest(body);

  it('is read', () => {
    expect(request.format).toEqual(format);
  });

  it('is written as it came', () => {
    expect(wire.encodeRequest(request)).toEqual(body);
  });

  it('is written anew where it was changed, and goes where it was taken away', () => {
    const other = { type: 'json-schema' as const, schema: { type: 'object' }, strict: true };
    const changed = wire.decodeRequest(wire.encodeRequest({ ...request, format: other }));
    expect(changed.format).toMatchObject(other);
    const { format: _, ...without } = request;
    const rewritten = wire.encodeRequest(without);
    expect(wire.decodeRequest(rewritten).format).toBeUndefined();
    // The settings beside it stay.
    const beside = JSON.stringify(said);
    if (beside.includes('verbosity')) expect(rewritten.text).toEqual({ verbosity: 'low' });
    if (beside.includes('effort')) expect(rewritten.output_config).toEqual({ effort: 'low' });
  });

  it.each(Object.keys(bodies) as ApiName[])('goes to %s', (to) => {
    const there = wireOf(to).decodeRequest(wireOf(to).encodeRequest(request)).format;
    // The Messages API has words for a schema alone, and no name for it.
    if (to === 'anthropic-messages' && request.format?.type !== 'json-schema') expect(there).toBeUndefined();
    else if (request.format?.type !== 'json-schema') expect(there).toEqual(request.format);
    else expect(there).toMatchObject({ type: 'json-schema', schema });
  });
});
