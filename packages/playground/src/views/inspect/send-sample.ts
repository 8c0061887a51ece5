// Sends a question with a tool to the first model of the gateway, so that there is something to look at.

import { ownGateway } from '../../gateway/own-gateway.js';
import { toTrouble } from '../../gateway/trouble.js';

const tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** Gives what went wrong, in words. */
export async function sendSample(): Promise<string | undefined> {
  try {
    const [model] = await ownGateway().models();
    const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }];
    const body = { model: model?.id ?? '', messages, tools: [tool], stream: true };
    const id = `sample-${Date.now().toString(36)}`;
    const { signal } = new AbortController();
    for await (const _ of ownGateway().chat(body, { id, signal }));
    return undefined;
  } catch (error) {
    const trouble = toTrouble(error);
    return trouble && `${trouble.message} ${trouble.advice}`;
  }
}
