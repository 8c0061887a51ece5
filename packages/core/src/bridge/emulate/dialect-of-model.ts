// Which dialect is spoken with a model: the one that was asked for, else the one its name tells, else the default.

import { alkaid } from '../../dialects/alkaid/alkaid.js';
import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import { dialectOfModel as dialectAmong } from '../../engine/model-words.js';
import type { Registry } from '../../engine/registry.js';
import type { BridgeOptions } from '../options.js';

/** What is taught to a model whose name tells nothing. A registry may have one of its own under this name. */
const TAUGHT = 'alkaid';

/** The dialect the model was trained in, if its name tells. */
export function dialectOfModel(model: string, dialects: Registry = all): Dialect | undefined {
  return dialectAmong(dialects.dialects, model)?.dialect;
}

/** The dialect that was asked for; with none, or `auto`, the model's own, else the one that is taught. */
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
