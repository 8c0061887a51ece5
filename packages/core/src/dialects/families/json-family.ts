// In the making.

import type { JsonCalls } from '../../codec/declaration.js';
import type { Family } from './family.js';

export declare const jsonFamily: Family<JsonCalls>;
