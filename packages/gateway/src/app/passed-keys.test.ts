// Clients whose own keys are passed on to the upstream (`passKey`) cannot read each other's responses.

import { describe, expect, it } from 'vitest';
import { gatewayFor, json, standIn } from '../server/stand-in.fixture.js';

const answer = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
};

async function gateway(more = {}) {
  const { url } = await standIn((_, response) => json(response, answer));
  const served = await gatewayFor({ url, stream: false, passKey: true }, { store: 'memory:', ...more });
  return async (path: string, key?: string, body?: object) => {
    const response = await fetch(`${served.url}/v1/responses${path}`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      ...(body && { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string } };
  };
}

describe('a response that was made with a passed key', () => {
  it('is found with this key alone, by every way', async () => {
    const ask = await gateway();
    const { body } = await ask('', 'key-of-alice', { input: 'Hello' });
    const next = { input: 'And?', previous_response_id: body.id };
    const statuses = async (key?: string) => [
      (await ask(`/${body.id}`, key)).status,
      (await ask(`/${body.id}/input_items`, key)).status,
      (await ask('', key, next)).status,
    ];
    expect(await statuses('key-of-alice')).toEqual([200, 200, 200]);
    expect(await statuses('key-of-bob')).toEqual([404, 404, 400]);
    expect(await statuses()).toEqual([404, 404, 400]);
  });
});
