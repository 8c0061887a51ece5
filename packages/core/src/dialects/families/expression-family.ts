// Family: call expressions. `[f(x="a"), g()]` as Python writes them, `call:f{x:"a"}` with bare keys.

import type { ExpressionCalls } from '../../codec/declaration.js';
import type { Family } from './family.js';

export const expressionFamily: Family<ExpressionCalls> = {
  traits: () => ({ ids: false, values: 'json', streams: true }),
  markers: ({ open = [], close = [] }) => [open, close].flat(),
  grammar: () => ({ openers: [] }),
  writeCalls: () => () => undefined,
  spelling: () => undefined,
};
