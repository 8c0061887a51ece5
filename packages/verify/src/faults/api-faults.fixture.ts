// Faults in the words of one API.

import type { ApiName } from '@dragoman/core/wire';
import { chatFaults } from './chat-faults.fixture.js';
import { messagesFaults } from './messages-faults.fixture.js';
import type { NamedFault } from './named-fault.fixture.js';
import { responsesFaults } from './responses-faults.fixture.js';

const byApi: Partial<Record<ApiName, Record<string, NamedFault>>> = {
  'openai-chat': chatFaults,
  'openai-responses': responsesFaults,
  'anthropic-messages': messagesFaults,
};

export const apiFaults = Object.entries(byApi).flatMap(([api, faults]) =>
  Object.entries(faults).map(([name, fault]): [ApiName, string, NamedFault] => [api as ApiName, name, fault]),
);
