// In the making.

import type { TaggedCalls } from '../../codec/declaration.js';
import type { Family } from './family.js';

export declare const taggedFamily: Family<TaggedCalls>;
