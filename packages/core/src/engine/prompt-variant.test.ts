import { expect, test } from 'vitest';
import { hermes } from '../dialects/index.js';
import type { Dialect, PromptVariant } from './dialect.js';
import { renderPrompt } from './renderer.js';

const variant = (name: string, models: string[]): PromptVariant => ({
  name,
  models,
  prompt: (out) => out.ours(name),
  stop: [`end of ${name}`],
});

const dialect: Dialect = {
  ...hermes,
  render: {
    ...hermes.render,
    variants: [variant('one', ['QwQ']), variant('two', ['Qwen3.5', 'Qwen3.5-VL'])],
  },
};

test.each([
  ['one', 'one'],
  ['Qwen/QwQ-32B', 'one'],
  ['qwen3.5-4b', 'two'],
  ['org/Qwen3p5-VL-9B-GGUF', 'two'],
])('%s has the prompt of %s', (model, name) => {
  expect(renderPrompt(dialect, { messages: [] }, { model })).toMatchObject({
    text: name,
    stop: [`end of ${name}`],
  });
});

test.each([[undefined], ['Qwen3-8B'], ['qwen3.55'], ['']])('%s has the usual one', (model) => {
  const usual = renderPrompt(hermes, { messages: [] });
  expect(renderPrompt(dialect, { messages: [] }, { ...(model !== undefined && { model }) })).toEqual(usual);
});
