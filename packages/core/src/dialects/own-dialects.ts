// The dialects the project began with, in their order.

import type { Dialect } from '../engine/dialect.js';
import { deepseekV31 } from './deepseek/deepseek-v3.1.js';
import { firstDialects } from './registry.js';

export const ownDialects: readonly Dialect[] = [
  ...firstDialects.slice(0, 4),
  deepseekV31,
  ...firstDialects.slice(4),
];
