import { expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.js';
import { createResponses } from '../responses/index.js';
import { createApp } from './app.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients and upstreams see them.
type Loose = any;

/** An app before a model that thinks, with what the model was asked. */
function appWith(more: object) {
  const read = parseConfig(
    JSON.stringify({ upstream: 'http://model.invalid/v1', dialect: 'hermes', ...more }),
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const asked: string[] = [];
  const quiet = () => undefined;
  const app = createApp(read.config, {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    watcher: [],
    limiter: { take: async () => ({ ok: true }) },
    responses: createResponses(undefined, 0),
    transport: () => ({
      fetch: async (_, { body }) => {
        asked.push(String(body));
        const content = '<think>\nThe sky is blue.\n</think>\n\nSunny.';
        return Response.json({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] });
      },
    }),
  });
  const ask = async (input: unknown): Promise<Loose> => {
    const body = { model: 'm', input, store: false, include: ['reasoning.encrypted_content'] };
    const headers = { host: '127.0.0.1' };
    const url = 'http://127.0.0.1/v1/responses';
    return (
      await app.fetch(new Request(url, { method: 'POST', body: JSON.stringify(body), headers }))
    ).json();
  };
  return { ask, asked };
}

it.each([
  ['opens', 'the same key', 'sixteen letters.', true],
  ['cannot open', 'another key', 'sixteen letters!', false],
])('%s reasoning that an app with %s sealed', async (_verb, _key, sealKey, opens) => {
  const [first, second] = [appWith({ sealKey: 'sixteen letters.' }), appWith({ sealKey })];
  const question = { role: 'user', content: 'Weather?' };
  const { output } = await first.ask([question]);
  const [thought] = output;
  expect(thought.encrypted_content).toMatch(/^dragoman1\./);
  const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' };
  const result = { type: 'function_call_output', call_id: 'c1', output: 'Blue.' };
  await second.ask([question, { ...thought, summary: [] }, call, result]);
  expect(second.asked.at(-1)?.includes('The sky is blue.')).toBe(opens);
});
