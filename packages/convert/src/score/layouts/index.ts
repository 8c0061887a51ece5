// The layouts. A new one is one line here.

import { UsageError } from '@dragoman/core/internal';
import { bfclLayout } from './bfcl.js';
import { inspectLayout } from './inspect.js';
import type { Layout } from './layout.js';
import { lmEvalLayout } from './lm-eval.js';
import { plainLayout } from './plain.js';

export const layouts: readonly Layout[] = [plainLayout, bfclLayout, lmEvalLayout, inspectLayout];

export const layoutNames: readonly string[] = layouts.map(({ name }) => name);

export function findLayout(name: string): Layout {
  const found = layouts.find((layout) => layout.name === name);
  if (found) return found;
  throw new UsageError(
    'bad-options',
    `there is no layout named '${name}': there are ${layoutNames.join(', ')}`,
  );
}
