// A fault of an endpoint with the checks that name it.

import type { ApiName } from '@dragoman/core/wire';
import type { CheckId } from '../check.js';
import type { Fault } from '../stand-in.fixture.js';

export interface NamedFault extends Fault {
  fails: CheckId[];
  /** The APIs that have words for it. Absent: all. */
  by?: readonly ApiName[];
  /** Only such answers can have it. Absent: both. */
  only?: 'stream' | 'whole';
  /** The checks that fail if only streams have it, where those are others. */
  streamed?: CheckId[];
}

/** The Responses API ends answers with and without calls alike. */
export const WORDS_FOR_CALLS: readonly ApiName[] = ['openai-chat', 'anthropic-messages'];
