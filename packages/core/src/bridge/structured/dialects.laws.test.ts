// Structured output in every dialect, beside tools: the answer is a call as the dialect spells it, or the JSON.

import { describe, expect, it } from 'vitest';
import { all } from '../../dialects/all.js';
import { type AnswerEvent, acceptTools, type ModelRequest } from '../../model/index.js';
import { emulate } from '../emulate/emulate.js';
import { sampleCall } from '../emulate/reask.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';

const tools = acceptTools([
  {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]);
/** Members that the JSON of calls has as well. */
const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object' }, days: { type: 'integer' } },
  required: ['name', 'days'],
  additionalProperties: false,
};
const plain = '{"name": "Rome", "days": 3}';
const likeACall = '{"name": "Rome", "arguments": {"by": "train"}, "days": 3}';

async function ask(
  dialect: string,
  stream: boolean,
  text: string,
  offered = tools,
  takes: 'messages' | 'prompt' = 'messages',
) {
  const request: ModelRequest = {
    model: 'm',
    conversation: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Where?' }] }],
      tools: offered,
      toolChoice: 'auto',
    },
    settings: {},
    stream,
    format: { type: 'json-schema', schema },
  };
  const upstream = scriptedUpstream([text], { takes });
  const events: AnswerEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of emulate(request, upstream, { dialect, signal })) events.push(event);
  return {
    text: events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join(''),
    calls: events.flatMap((event) => (event.type === 'call-start' ? [event.name] : [])),
    asked: upstream.asked.length,
    prompt: upstream.asked[0]?.prompt ?? JSON.stringify(upstream.asked[0]?.conversation.messages),
  };
}

describe.each(all.dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (name, dialect) => {
  describe.each([true, false])('streamed %s', (stream) => {
    it.each([
      ['JSON', plain, plain],
      ['JSON in a fence', `\`\`\`json\n${plain}\n\`\`\``, plain],
      ['JSON that looks like a call', likeACall, likeACall],
      ['JSON that looks like a call, in a fence', `\`\`\`json\n${likeACall}\n\`\`\``, likeACall],
    ])('answers with %s', async (_, written, text) => {
      for (const offered of [[], tools]) {
        const got = await ask(name, stream, written, offered);
        expect({ ...got, text: got.text.trim() }).toMatchObject({ text, calls: [], asked: 1 });
        expect(got.prompt).toContain('JSON Schema');
      }
    });

    it('calls', async () => {
      const call = sampleCall(dialect, tools[0] as (typeof tools)[0]);
      expect(await ask(name, stream, call)).toMatchObject({ text: '', calls: ['get_weather'], asked: 1 });
    });
  });

  if (!dialect.render.prompt) return;
  it('is taught in a whole prompt', async () => {
    for (const offered of [[], tools]) {
      const { prompt } = await ask(name, true, plain, offered, 'prompt');
      expect(prompt).toContain('# Answer format');
      expect(prompt).toContain('"additionalProperties":false');
    }
  });
});
