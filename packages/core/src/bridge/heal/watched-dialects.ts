// The dialects whose calls are looked for in the text of a native upstream.

import { all } from '../../dialects/all.js';
import type { Dialect } from '../../engine/dialect.js';
import { ApiError, type ModelRequest, UsageError } from '../../model/index.js';
import { dialectOfModel } from '../emulate/dialect-of-model.js';
import type { BridgeOptions } from '../options.js';

export const isNamed = ({ watch, dialect = 'auto' }: BridgeOptions) =>
  watch !== undefined || dialect !== 'auto';

/** Gives the dialects of `watch`, else the one of `dialect`, else the model's own. */
export function watchedDialects({ model }: ModelRequest, options: BridgeOptions): readonly Dialect[] {
  const { dialects = all } = options;
  const named = options.dialect === 'auto' ? undefined : options.dialect;
  const watch = options.watch ?? (named && [named]);
  if (!watch) {
    const own = dialectOfModel(model, dialects);
    return own ? [own] : [];
  }
  try {
    return [...new Set(watch.map((one) => (typeof one === 'string' ? dialects.find(one) : one)))];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new ApiError('internal', `watch: ${error.message}`, { cause: error });
  }
}
