import { acceptConversation, all, type Dialect } from '@dragoman/core';
import { collectAnswer, createAsk } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { promptPieces } from './prompt.js';
import { fakeModel, toolLoop, weatherTool } from './tiny.fixture.js';
import { createTinyUpstream, tinyRender } from './tiny-upstream.js';

const askAs = (dialect: Dialect, model: ReturnType<typeof fakeModel>) =>
  createAsk({
    upstream: createTinyUpstream({ dialect, model: async () => model }),
    mode: 'emulate',
    dialect,
    render: tinyRender(dialect),
    reasks: 0,
  });

const settings = { temperature: 1.5, topP: 0.9, seed: 7, maxTokens: 30 };
const context = () => ({ signal: new AbortController().signal });

describe.each(all.dialects.map((dialect) => [dialect.name, dialect] as const))('tiny/%s', (name, dialect) => {
  it('gets the prompt that training spells, by way of the bridge', async () => {
    const model = fakeModel('Hello');
    const request = { model: `tiny/${name}`, conversation: toolLoop, settings, stream: true };
    await collectAnswer(askAs(dialect, model)(request, context()));
    expect(joined(model.requests[0]?.prompt ?? [])).toEqual(joined(promptPieces(dialect, toolLoop)));
    expect(model.requests[0]).toMatchObject({
      sampling: { temperature: 1.5, topP: 0.9, seed: 7 },
      maxTokens: 30,
      stop: dialect.render.prompt ? dialect.render.stop : [],
    });
  });
});

/** Pieces of one origin as one. */
function joined(pieces: readonly { text: string; origin: string }[]): { text: string; origin: string }[] {
  const out: { text: string; origin: string }[] = [];
  for (const { text, origin } of pieces) {
    const last = out.at(-1);
    if (last?.origin === origin) last.text += text;
    else out.push({ text, origin });
  }
  return out;
}

describe('a request to the tiny model', () => {
  const [dialect] = all.dialects as [Dialect];
  const question = acceptConversation({
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [weatherTool],
  });

  it('reports members that have no effect, and takes those of sampling', async () => {
    const model = fakeModel('Hello');
    const extra = { min_p: 0.1, repeat_penalty: 1.1, mirostat: 2 };
    const request = { model: 'tiny', conversation: question, settings: {}, stream: true, extra };
    const answer = await collectAnswer(askAs(dialect, model)(request, context()));
    expect(model.requests[0]?.sampling).toEqual({ minP: 0.1, repetitionPenalty: 1.1 });
    expect(answer.report?.ignored).toEqual(['mirostat']);
    expect(answer.usage).toMatchObject({ inputTokens: 5, cachedTokens: 2, outputTokens: 1 });
  });

  it('fails in words that say why', async () => {
    const upstream = createTinyUpstream({ dialect, model: () => Promise.reject(new Error('no such file')) });
    const ask = createAsk({ upstream, mode: 'emulate', dialect });
    const request = { model: 'tiny', conversation: question, settings: {}, stream: true };
    await expect(collectAnswer(ask(request, context()))).rejects.toMatchObject({
      code: 'upstream-failed',
      message: 'The tiny model could not be loaded: no such file',
    });
  });
});
