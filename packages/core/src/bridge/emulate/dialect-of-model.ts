// Which dialect is spoken with a model: the one that was asked for, else the one its name tells, else the default.

import { findDialect, knownDialects } from '../../dialects/index.js';
import type { Dialect } from '../../engine/dialect.js';
import { dialectOfModel as dialectAmong } from '../../engine/model-words.js';

/** The dialect the model was trained in, if its name tells. */
export function dialectOfModel(model: string): Dialect | undefined {
  return dialectAmong(knownDialects(), model)?.dialect;
}

/** The dialect that was asked for; with none, or `auto`, the model's own, else the one that is taught. */
export function settleDialect(
  option: Dialect | string | undefined,
  model: string,
): { dialect: Dialect; from: 'name' | 'model' | 'default' } {
  if (typeof option === 'object') return { dialect: option, from: 'name' };
  if (option !== undefined && option !== 'auto') return { dialect: findDialect(option), from: 'name' };
  const own = dialectOfModel(model);
  return own ? { dialect: own, from: 'model' } : { dialect: findDialect('alkaid'), from: 'default' };
}
