import { all } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { Arguments } from '../arguments.js';
import { ChatSession } from './chat-session.js';
import { reachModel } from './reach-model.js';

const reach = (model?: string) =>
  reachModel(new Arguments([], new Map(model === undefined ? [] : [['model', [model]]])), {}, all);

const session = async (model: string) =>
  new ChatSession({ reached: await reach(model), tools: [], dialect: 'auto', dialects: all });

describe('the models of a chat without an upstream', () => {
  it('are the demo and the tiny model, each in every dialect', async () => {
    const { model, isDemo, listModels } = await reach();
    expect([model, isDemo]).toEqual(['demo', true]);
    expect(await listModels()).toEqual(expect.arrayContaining(['demo/hermes', 'tiny', 'tiny/hermes']));
  });

  it.each([
    ['tiny', 'hermes'],
    ['tiny/glm-4.5', 'glm-4.5'],
    ['tiny/fenced-json', 'fenced-json'],
  ])('%s speaks %s, by its name, and another dialect where one is chosen', async (model, dialect) => {
    const chat = await session(model);
    expect(chat.spoken).toEqual({ name: dialect, why: "by the model's name" });
    const { speak, isDemo } = chat.options.reached;
    expect(isDemo).toBe(false);
    expect(speak?.(model, 'auto')?.dialect.name).toBe(dialect);
    expect(speak?.(model, all.find('xnl'))).toMatchObject({
      dialect: { name: 'xnl' },
      render: { short: true },
      upstream: { takes: 'messages', origins: true },
    });
  });

  it('are the tiny one where its kind is named', async () => {
    const args = new Arguments([], new Map([['kind', ['tiny']]]));
    expect(await reachModel(args, {}, all)).toMatchObject({ model: 'tiny', isDemo: false });
    expect((await reachModel(new Arguments([], new Map([['kind', ['demo']]])), {}, all)).model).toBe('demo');
  });

  it('are no others', async () => {
    expect((await reach()).speak?.('demo/hermes', 'auto')).toBeUndefined();
    for (const model of ['tiny/none', 'gpt']) await expect(reach(model)).rejects.toThrow(model);
  });
});
