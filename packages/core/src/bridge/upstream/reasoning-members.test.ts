// Reasoning in the members that chat servers and clients have for it.

import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../model/index.js';
import { decodeRequest } from '../../wire/openai-chat/decode-request.js';
import { encodeRequest } from '../../wire/openai-chat/encode-request.js';
import { createUpstream } from './http-upstream.js';

const answered = (members: object) => ({
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', ...members },
    { role: 'user', content: 'Go on' },
  ],
});

describe('reasoning_details', () => {
  const details = [
    { type: 'reasoning.summary', summary: 'First. ' },
    { type: 'reasoning.text', text: 'Then.', signature: null },
    { type: 'reasoning.encrypted', data: 'abc' },
  ];

  it('are reasoning, and come out as they came in', () => {
    const body = answered({ reasoning_details: details });
    const request = decodeRequest(structuredClone(body));
    expect(request.conversation.messages[1]?.parts).toMatchObject([
      { type: 'reasoning', text: 'First. Then.' },
      { type: 'text', text: 'Hello' },
    ]);
    expect(encodeRequest(request)).toEqual(body);
  });

  it('are not read twice beside another member', () => {
    const request = decodeRequest(answered({ reasoning: 'Once.', reasoning_details: details }));
    expect(request.conversation.messages[1]?.parts[0]).toMatchObject({ text: 'Once.' });
  });
});

describe('an upstream', () => {
  /** Asks twice; gives the assistant's message of each body. */
  async function sent(delta: object, request: ReturnType<typeof decodeRequest>): Promise<unknown[]> {
    const bodies: { messages: unknown[] }[] = [];
    const upstream = createUpstream({
      url: 'http://up.invalid/v1',
      async fetch(_, { body }) {
        bodies.push(JSON.parse(String(body)));
        const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`;
        const text = `${chunk({ index: 0, delta })}${chunk({ index: 0, delta: {}, finish_reason: 'stop' })}`;
        return new Response(`${text}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const events: AnswerEvent[] = [];
    for (let turn = 0; turn < 2; turn++)
      for await (const event of upstream.ask(request, { signal: new AbortController().signal }))
        events.push(event);
    expect(events).toContainEqual(expect.objectContaining({ type: 'reasoning-delta', text: 'Hm.' }));
    return bodies.map(({ messages }) => messages[1]);
  }

  it.each([
    ['reasoning_content', 'reasoning_content'],
    ['reasoning', 'reasoning'],
  ])('that writes reasoning as %s gets it back as %s', async (written, read) => {
    const request = decodeRequest(answered({ reasoning_content: 'Thought.' }));
    const [first, second] = await sent({ [written]: 'Hm.' }, request);
    expect(first).toEqual({ role: 'assistant', content: 'Hello', reasoning_content: 'Thought.' });
    expect(second).toEqual({ role: 'assistant', content: 'Hello', [read]: 'Thought.' });
  });

  it('gets reasoning of clients of other APIs in the same member', async () => {
    const { api: _, ...foreign } = decodeRequest(answered({ reasoning_content: 'Thought.' }));
    const [, second] = await sent({ reasoning: 'Hm.' }, { ...foreign, api: 'openai-responses' });
    expect(second).toEqual({ role: 'assistant', content: 'Hello', reasoning: 'Thought.' });
  });

  it('gets the reasoning of each model in the member of that model', async () => {
    const sent: [model: string, message: object][] = [];
    let usual = false;
    const upstream = createUpstream({
      url: 'http://up.invalid/v1',
      stream: false,
      async fetch(_, { body }) {
        const { model, messages } = JSON.parse(String(body));
        sent.push([model, messages[1]]);
        const member = model === 'a' && !usual ? 'reasoning' : 'reasoning_content';
        const message = { role: 'assistant', content: 'Hello', [member]: 'Hm.' };
        return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
      },
    });
    const ask = async (model: string) => {
      const request = { ...decodeRequest(answered({ reasoning_content: 'Thought.' })), model };
      const events = upstream.ask(request, { signal: new AbortController().signal });
      for await (const event of events) expect(event.type).not.toBe('error');
    };
    for (const model of ['a', 'b', 'a', 'b']) await ask(model);
    usual = true;
    for (const model of ['a', 'a']) await ask(model);
    const as = (model: string, member: string) => [
      model,
      { role: 'assistant', content: 'Hello', [member]: 'Thought.' },
    ];
    expect(sent).toEqual([
      as('a', 'reasoning_content'),
      as('b', 'reasoning_content'),
      as('a', 'reasoning'),
      as('b', 'reasoning_content'),
      // The server was updated.
      as('a', 'reasoning'),
      as('a', 'reasoning_content'),
    ]);
  });
});
