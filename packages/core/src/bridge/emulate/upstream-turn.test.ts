// Upstreams of someone's own, and what comes in one piece of them: the same answer, and nothing left behind.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnswerEvent, ApiError, acceptTools, type ModelRequest } from '../../model/index.js';
import { heal } from '../heal/heal.js';
import { createResponder } from '../reply/respond.js';
import { fromBatches } from '../upstream/batches.js';
import { countedSignal } from '../upstream/counted-signal.fixture.js';
import type { Upstream } from '../upstream/upstream.js';
import { emulate } from './emulate.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note).on('warning', note);
});
afterEach(async () => {
  await soon(5);
  process.off('unhandledRejection', note).off('warning', note);
  expect(unhandled).toEqual([]);
});
const soon = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

const tools = acceptTools([{ name: 'go', parameters: { type: 'object', properties: {} } }]);
const text = (said: string): AnswerEvent => ({ type: 'text-delta', text: said });
const start: AnswerEvent = { type: 'answer-start' };
const end: AnswerEvent = { type: 'finish', reason: 'stop' };
const failure: AnswerEvent = { type: 'error', error: new ApiError('upstream-failed', 'out of memory') };
const signal = new AbortController().signal;

function asking(settings: ModelRequest['settings'] = {}): ModelRequest {
  return {
    api: 'openai-chat',
    model: 'm',
    conversation: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
      tools,
      toolChoice: 'auto',
    },
    settings,
    stream: true,
  };
}

const upstreamOf = (ask: Upstream['ask'], more: Partial<Upstream> = {}): Upstream => ({
  takes: 'messages',
  tools: false,
  media: false,
  ask,
  ...more,
});

/** Says these batches, one list a request, the last again and again. */
function batched(...replies: AnswerEvent[][][]) {
  let asked = 0;
  return upstreamOf(() => {
    const reply = replies[Math.min(asked++, replies.length - 1)] ?? [];
    return fromBatches(
      (async function* () {
        yield* reply;
      })(),
    );
  });
}

/** All text by choice, and the error at the end, if there is one. */
async function told(events: AsyncIterable<AnswerEvent>) {
  const texts: string[] = [];
  const types: string[] = [];
  let error: string | undefined;
  try {
    for await (const event of events) {
      types.push(event.type);
      if (event.type === 'text-delta')
        texts[event.choice ?? 0] = (texts[event.choice ?? 0] ?? '') + event.text;
    }
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { texts, types, error };
}

const ways = { emulate, heal };

describe.each(Object.entries(ways))('%s: what comes in one piece', (_, way) => {
  it('is told up to an error in the middle of it', async () => {
    const upstream = batched([[start, text('Hello. '), text('I see. '), failure, text('never')]]);
    const { texts, error } = await told(way(asking(), upstream, { signal, dialect: 'hermes' }));
    expect([texts, error]).toEqual([['Hello. I see. '], 'out of memory']);
  });

  it('comes to the same as one by one', async () => {
    const events = [start, text('One '), text('two '), text('three'), end];
    const together = await told(way(asking(), batched([events]), { signal, dialect: 'hermes' }));
    const apart = await told(
      way(asking(), batched(events.map((event) => [event])), { signal, dialect: 'hermes' }),
    );
    expect(together).toEqual(apart);
    expect(together.texts).toEqual(['One two three']);
  });
});

describe('emulation of what comes in one piece', () => {
  it('ends at a stop string in the middle of it', async () => {
    const upstream = batched([[start, text('One '), text('STOP two'), text('three'), end]]);
    const { texts, types } = await told(
      emulate(asking({ stop: ['STOP'] }), upstream, { signal, dialect: 'hermes' }),
    );
    expect(texts).toEqual(['One ']);
    expect(types.slice(-3)).toEqual(['finish', 'usage', 'report']);
  });

  it('begins several choices once', async () => {
    const upstream = batched([[start, text('One '), text('two'), end]]);
    const { texts, types } = await told(
      emulate(asking({ choices: 12 }), upstream, { signal, dialect: 'hermes' }),
    );
    expect(texts).toEqual(Array(12).fill('One two'));
    expect(types.filter((type) => type === 'answer-start')).toHaveLength(1);
    expect(types.filter((type) => type === 'finish')).toHaveLength(12);
  });

  it('puts a paragraph between what was said before asking again and what is said after', async () => {
    const broken = [start, text('Let me go. '), text('<tool_call>\n{"name": "nowhere", "arguments"'), end];
    const upstream = batched([broken], [[start, text('So '), text('be it.'), end]]);
    const { texts } = await told(emulate(asking(), upstream, { signal, dialect: 'hermes' }));
    expect(texts[0]).toMatch(/^Let me go\. ?\n\nSo be it\.$/);
  });
});

describe('an upstream that', () => {
  it.each(Object.entries(ways))(
    'throws before it is asked is an error of the answer (%s)',
    async (_, way) => {
      const counted = countedSignal();
      let asked = 0;
      const upstream = upstreamOf(() => {
        asked++;
        throw new ApiError('upstream-failed', 'at once');
      });
      for (let n = 0; n < 20; n++) {
        const options = { signal: counted.signal, dialect: 'hermes' };
        expect((await told(way(asking(), upstream, options))).error).toBe('at once');
      }
      expect(asked).toBe(20);
      expect(counted.listeners()).toBeLessThan(2);
    },
  );

  it('refuses tools before it is asked is asked without', async () => {
    const upstream = upstreamOf(
      ({ conversation }) => {
        if (conversation.tools.length > 0)
          throw new ApiError('bad-request', 'registry/m does not support tools', { status: 400 });
        return fromBatches(
          (async function* () {
            yield [start, text('Without.'), end];
          })(),
        );
      },
      { tools: true },
    );
    const { texts } = await told(heal(asking(), upstream, { signal, dialect: 'hermes' }));
    expect(texts).toEqual(['Without.']);
  });

  it('has no way to be left is just not asked on', async () => {
    let given = 0;
    const upstream = upstreamOf(() => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: given++ === 0 ? start : text('x ') }),
      }),
    }));
    for await (const event of emulate(asking(), upstream, { signal, dialect: 'hermes' }))
      if (event.type === 'text-delta') break;
    const before = given;
    await soon(5);
    expect(given).toBe(before);
  });
});

describe('an upstream that does not listen', () => {
  const deaf = upstreamOf(() => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
  }));
  const post = (stream: boolean, leaving: AbortController) =>
    new Request('http://test.invalid/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hi.' }] }),
      signal: leaving.signal,
    });

  it.each([true, false])('holds up no client that leaves (stream: %s)', async (stream) => {
    const leaving = new AbortController();
    const asked = createResponder({ upstream: deaf, heartbeat: 0 })(post(stream, leaving));
    setTimeout(() => leaving.abort(new Error('gone')), 5);
    await expect(asked).rejects.toThrow('gone');
  });

  it.each([true, false])('holds up no server that stops (stream: %s)', async (stream) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const respond = createResponder({ upstream: deaf, heartbeat: 0 });
    const asked = Array.from({ length: 20 }, () => respond(post(stream, new AbortController()), { signal }));
    setTimeout(() => stopping.abort(new ApiError('overloaded', 'The end.')), 5);
    for (const response of await Promise.all(asked)) {
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('The end.');
    }
  });
});
