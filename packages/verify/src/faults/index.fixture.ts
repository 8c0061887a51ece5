// Faults of endpoints that all APIs, or several, have words for: one value each, with the checks that name them.

import { argumentFaults } from './argument-faults.fixture.js';
import { callFaults } from './call-faults.fixture.js';
import { conversationFaults } from './conversation-faults.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';
import { serviceFaults } from './service-faults.fixture.js';
import { streamFaults } from './stream-faults.fixture.js';
import { textFaults } from './text-faults.fixture.js';

export const faults: Record<string, NamedFault> = {
  ...callFaults,
  ...argumentFaults,
  ...textFaults,
  ...streamFaults,
  ...conversationFaults,
  ...serviceFaults,
};
