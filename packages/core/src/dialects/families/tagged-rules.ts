// The same tags as rules for a sampler.

import type { TaggedCalls } from '../../codec/declaration.js';
import type { Spelling } from '../../codec/spelling.js';

export function taggedRules(_calls: TaggedCalls): Spelling | undefined {
  return undefined;
}
