// In the making.

import type { ExpressionCalls } from '../../codec/declaration.js';
import type { Family } from './family.js';

export declare const expressionFamily: Family<ExpressionCalls>;
