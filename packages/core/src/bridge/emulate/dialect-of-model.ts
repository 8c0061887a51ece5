// Chooses the dialect for a model: the one of the options, else the one of the model's name, else the default.

import { alkaid } from '../../dialects/alkaid/alkaid.js';
import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import { dialectOfModel as dialectAmong } from '../../engine/model-words.js';
import type { Registry } from '../../engine/registry.js';
import type { BridgeOptions } from '../options.js';

/** What is taught to a model whose name tells nothing. A registry may have one of its own under this name. */
const TAUGHT = 'alkaid';

/** Gives the dialect the model was trained in, if its name shows it. */
export function dialectOfModel(model: string, dialects: Registry = all): Dialect | undefined {
  return dialectAmong(dialects.dialects, model)?.dialect;
}

/** Gives the dialect of the option; with none, or `auto`, the model's own, else the default, which prompts teach. */
export function settleDialect(
  { dialect, dialects = all }: Pick<BridgeOptions, 'dialect' | 'dialects'>,
  model: string,
): { dialect: Dialect; from: 'name' | 'model' | 'default' } {
  if (typeof dialect === 'object') return { dialect, from: 'name' };
  if (dialect !== undefined && dialect !== 'auto') return { dialect: dialects.find(dialect), from: 'name' };
  const own = dialectOfModel(model, dialects);
  return own
    ? { dialect: own, from: 'model' }
    : { dialect: dialects.has(TAUGHT) ? dialects.find(TAUGHT) : alkaid, from: 'default' };
}
