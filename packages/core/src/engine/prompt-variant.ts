// Models of one dialect may have different prompts around the same calls: the model's name chooses.

import type { PromptVariant, Render } from './dialect.js';
import { nameInModel } from './model-words.js';

/** Gives the prompt of a model, its stop strings and efforts; undefined if the dialect has no whole prompt for it. */
export function promptOfModel(
  { prompt, stop, effort, variants = [] }: Render,
  model: string | undefined,
): (Pick<PromptVariant, 'prompt' | 'effort'> & { stop: readonly string[] }) | undefined {
  const variant = model === undefined ? undefined : variantOf(variants, model);
  const common = { stop, ...(effort && { effort }) };
  if (variant) return { ...common, ...variant };
  return prompt && { ...common, prompt };
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
