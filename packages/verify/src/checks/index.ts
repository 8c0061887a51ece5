// All checks, in the order in which they are listed.

import { type Check, checkIds } from '../check.js';
import { argumentChecks } from './argument-checks.js';
import { historyChecks } from './history-checks.js';
import { serviceChecks } from './service.js';
import { streamChecks } from './stream-checks.js';
import { textChecks } from './text-checks.js';
import { toolChecks } from './tool-checks.js';

const unordered = [
  ...serviceChecks,
  ...toolChecks,
  ...argumentChecks,
  ...textChecks,
  ...streamChecks,
  ...historyChecks,
];

export const checks: readonly Check[] = [...unordered].sort(
  (a, b) => checkIds.indexOf(a.id) - checkIds.indexOf(b.id),
);
