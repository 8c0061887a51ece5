// In the making.

import type { NamedCalls } from '../../codec/declaration.js';
import type { Family } from './family.js';

export declare const namedFamily: Family<NamedCalls>;
