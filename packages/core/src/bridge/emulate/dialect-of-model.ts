// Chooses the dialect for a model: the one of the options, else the one of the model's name, else the default.

import { findDialect, knownDialects } from '../../dialects/index.js';
import type { Dialect } from '../../engine/dialect.js';
import { dialectOfModel as dialectAmong } from '../../engine/model-words.js';

/** Gives the dialect the model was trained in, if its name shows it. */
export function dialectOfModel(model: string): Dialect | undefined {
  return dialectAmong(knownDialects(), model)?.dialect;
}

/** Gives the dialect of the option; with none, or `auto`, the model's own, else the default, which prompts teach. */
export function settleDialect(
  option: Dialect | string | undefined,
  model: string,
): { dialect: Dialect; from: 'name' | 'model' | 'default' } {
  if (typeof option === 'object') return { dialect: option, from: 'name' };
  if (option !== undefined && option !== 'auto') return { dialect: findDialect(option), from: 'name' };
  const own = dialectOfModel(model);
  return own ? { dialect: own, from: 'model' } : { dialect: findDialect('alkaid'), from: 'default' };
}
