import type { LocalEvent, LocalRequest } from '@dragoman/local';
import { describe, expect, it } from 'vitest';
import { randomModel } from './gguf.fixture.js';
import { PromptTooLong, TinyModel } from './tiny-model.js';

const weights = randomModel({ context: 160 });
const create = (slots = 2) => new TinyModel(weights, { slots });

const request = (text: string, more: Partial<LocalRequest> = {}): LocalRequest => ({
  prompt: [{ text: `<|begin|><|user|>${text}<|assistant|>`, origin: 'ours' }],
  sampling: {},
  stop: [],
  maxTokens: 20,
  signal: new AbortController().signal,
  ...more,
});

async function run(model: TinyModel, asked: LocalRequest) {
  const events: LocalEvent[] = [];
  for await (const event of model.generate(asked)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('expected an end');
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text, ...end };
}

describe('what is sampled', () => {
  it('is the same for the same seed, and another for another', async () => {
    const sampling = { temperature: 1, seed: 5 };
    const one = await run(create(), request('the weather', { sampling }));
    expect(await run(create(), request('the weather', { sampling }))).toEqual(one);
    const other = await run(create(), request('the weather', { sampling: { temperature: 1, seed: 6 } }));
    expect(other.text).not.toBe(one.text);
  });

  it.each([
    { temperature: 0 },
    { temperature: 1, topK: 1 },
    { temperature: 1, topP: 1e-9 },
    { temperature: 1, minP: 1 },
  ])('is the likeliest with %j', async (sampling) => {
    const greedy = await run(create(), request('the weather'));
    expect(await run(create(), request('the weather', { sampling }))).toEqual(greedy);
  });

  it.each([{ presencePenalty: 50 }, { frequencyPenalty: 50 }, { repetitionPenalty: 1e6 }])(
    'never repeats a token with %j',
    async (sampling) => {
      const texts = async (more: Partial<LocalRequest>) => {
        const all: string[] = [];
        for await (const event of create().generate(request('the weather', { maxTokens: 40, ...more })))
          if (event.type === 'text' && !event.text.includes('\ufffd')) all.push(event.text);
        return all;
      };
      const free = await texts({});
      expect(new Set(free).size).toBeLessThan(free.length);
      const held = await texts({ sampling });
      expect(new Set(held).size).toBe(held.length);
    },
  );
});

describe('an answer', () => {
  it('has as many tokens as it may, at most those of the context', async () => {
    expect(await run(create(), request('the', { maxTokens: 3 }))).toMatchObject({
      reason: 'length',
      usage: { outputTokens: 3 },
    });
    const { maxTokens: _, ...unbound } = request('the', { sampling: { temperature: 3, seed: 1 } });
    const { usage } = await run(create(), unbound);
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(160);
  });

  it('ends before a stop text, wherever tokens end', async () => {
    const whole = (
      await run(create(), request('city', { maxTokens: 40, sampling: { temperature: 1, seed: 2 } }))
    ).text;
    for (let at = 2; at + 3 < whole.length; at += 5) {
      const stop = whole.slice(at, at + 3);
      const asked = request('city', {
        maxTokens: 40,
        sampling: { temperature: 1, seed: 2 },
        stop: ['zzzz', stop],
      });
      const found = await run(create(), asked);
      expect(found.text).toBe(whole.slice(0, whole.indexOf(stop)));
      expect(found.reason).toBe('stop');
    }
  });

  it('is refused where the prompt is too long', async () => {
    await expect(run(create(), request('\u0001'.repeat(200)))).rejects.toThrow(PromptTooLong);
  });
});

describe('the beginning of a conversation', () => {
  it('is computed once, and gives the same answer', async () => {
    const model = create();
    const first = await run(model, request('weather in oslo '.repeat(3)));
    const longer = request(`${'weather in oslo '.repeat(3)} the city`);
    expect(first.usage.cachedTokens).toBe(0);
    const second = await run(model, longer);
    const { usage: fresh, ...answer } = await run(create(), longer);
    expect(second).toMatchObject(answer);
    expect(second.usage.cachedTokens).toBeGreaterThan(20);
    expect(fresh.cachedTokens).toBe(0);
    // All but the last token, whose outcome is needed.
    const again = await run(model, longer);
    expect(again.usage.cachedTokens).toBe(again.usage.inputTokens - 1);
  });

  it('is shared with an answer that is being written', async () => {
    const model = create(3);
    const asked = (seed: number) =>
      request('weather in oslo '.repeat(3), { sampling: { temperature: 1, seed } });
    const first = model.generate(asked(1));
    await first.next();
    const second = await run(model, asked(2));
    expect(second.usage.cachedTokens).toBe(second.usage.inputTokens - 1);
    expect(second.text).toBe((await run(create(), asked(2))).text);
    await first.return(undefined);
  });

  it('of the conversation used last stays, where there are more than slots', async () => {
    const model = create(2);
    for (const text of ['aaa '.repeat(8), 'the '.repeat(8), 'city '.repeat(8)])
      await run(model, request(text));
    expect((await run(model, request('the '.repeat(8)))).usage.cachedTokens).toBeGreaterThan(8);
  });
});

describe('several answers at once', () => {
  it('are those of each alone, also where they wait for a slot', async () => {
    const texts = ['the', 'weather', 'city of oslo', 'aaa', '天气'];
    const asked = (text: string) => request(text, { sampling: { temperature: 1, seed: 3 } });
    const alone = await Promise.all(texts.map(async (text) => (await run(create(1), asked(text))).text));
    const model = create(2);
    const together = await Promise.all(texts.map(async (text) => (await run(model, asked(text))).text));
    expect(together).toEqual(alone);
  });

  it('leave the event loop free between tokens', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const { usage } = await run(
      create(),
      request('the', { maxTokens: 100, sampling: { temperature: 3, seed: 1 } }),
    );
    clearInterval(timer);
    expect(usage.outputTokens).toBeGreaterThan(10);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('an abort', () => {
  it('ends an answer at once, and the model goes on to serve', async () => {
    const model = create(1);
    const aborter = new AbortController();
    const reason = new Error('enough');
    const seen: string[] = [];
    const running = (async () => {
      for await (const event of model.generate(
        request('the', { signal: aborter.signal, maxTokens: 150, sampling: { temperature: 3, seed: 1 } }),
      )) {
        seen.push(event.type);
        aborter.abort(reason);
      }
    })();
    await expect(running).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
    expect((await run(model, request('the'))).text).toBe((await run(create(), request('the'))).text);
  });

  it('ends waiting for a slot, and before anything began', async () => {
    const model = create(1);
    const first = model.generate(request('the'));
    await first.next();
    const aborter = new AbortController();
    const waiting = run(model, request('city', { signal: aborter.signal }));
    aborter.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(run(model, request('city', { signal: aborter.signal }))).rejects.toThrow('enough');
    await first.return(undefined);
    expect((await run(model, request('the'))).reason).toBeDefined();
  });
});
