// All checks, in the order in which they are listed.

import { type Check, type CheckId, checkIds } from '../check.js';
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

export function checkOf(id: CheckId): Check {
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`There is no check ${id}.`);
  return found;
}
