import { describe, expect, it } from 'vitest';
import { createResponder } from '../reply/respond.js';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const rome = '{"city": "Rome"}';

/** An endpoint that refuses `response_format`, after all requests that come at once have come. */
function refusing(tools: boolean, usage?: object) {
  // biome-ignore lint/suspicious/noExplicitAny: bodies as they were sent.
  const asked: any[] = [];
  const fetch = async (_: unknown, init: { body: string }) => {
    const body = JSON.parse(init.body);
    asked.push(body);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (body.response_format)
      return Response.json({ error: { message: 'response_format is not supported' } }, { status: 400 });
    const message = { role: 'assistant', content: rome };
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  };
  const upstream = { url: 'http://up.invalid/v1', fetch: fetch as never, tools, stream: false };
  const respond = createResponder({ dialect: 'hermes', upstream });
  const ask = async (more: object = {}) => {
    const format = { type: 'json_schema', json_schema: { name: 'trip', schema } };
    const messages = [{ role: 'user', content: 'Where?' }];
    const body = JSON.stringify({ model: 'm', messages, response_format: format, ...more });
    const request = new Request('http://gate.invalid/v1/chat/completions', { method: 'POST', body });
    // biome-ignore lint/suspicious/noExplicitAny: the body as the client sees it.
    return (await (await respond(request)).json()) as any;
  };
  return { ask, asked };
}

const textOf = (body: { choices: { message: { content: string } }[] }) =>
  body.choices.map(({ message }) => message.content);

describe.each([true, false])('an endpoint that refuses formats, with tools %s', (tools) => {
  it('is asked for one once', async () => {
    const { ask, asked } = refusing(tools);
    for (let turn = 0; turn < 3; turn++) expect(textOf(await ask())).toEqual([rome]);
    expect(asked.filter((body) => body.response_format)).toHaveLength(1);
  });

  it('answers all requests that came at once', async () => {
    const { ask } = refusing(tools);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.flatMap(textOf)).toEqual([rome, rome, rome]);
  });

  it('has no tokens counted for the request that it refused', async () => {
    const { ask } = refusing(tools, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    expect(await ask()).toMatchObject({
      usage: { prompt_tokens: 10, completion_tokens: 5 },
      dragoman: { usage: 'upstream' },
    });
  });
});

it('answers several choices that were refused at once', async () => {
  const { ask } = refusing(false);
  expect(textOf(await ask({ n: 3 }))).toEqual([rome, rome, rome]);
});
