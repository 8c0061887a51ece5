// Models of one dialect may have different prompts around the same calls: the model's name chooses.

import type { PromptVariant, Render } from './dialect.js';
import { nameInModel } from './model-words.js';

/** Gives the prompt of a model, and its stop strings; undefined if the dialect has no whole prompt for it. */
export function promptOfModel(
  { prompt, stop, variants = [] }: Render,
  model: string | undefined,
): (Pick<PromptVariant, 'prompt'> & { stop: readonly string[] }) | undefined {
  const variant = model === undefined ? undefined : variantOf(variants, model);
  if (variant) return { prompt: variant.prompt, stop: variant.stop ?? stop };
  return prompt && { prompt, stop };
}

function variantOf(variants: readonly PromptVariant[], model: string): PromptVariant | undefined {
  const named = variants.find(({ name }) => name === model);
  if (named || variants.length === 0) return named;
  const known = nameInModel(
    variants.flatMap(({ models }) => models),
    model,
  );
  return known === undefined ? undefined : variants.find(({ models }) => models.includes(known));
}
