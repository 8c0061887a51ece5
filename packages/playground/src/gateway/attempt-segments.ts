// The colours of a raw text the inspector kept, from the events it kept with it.

import type { ParseEvent } from '@dragoman/core';
import { Gather, type Segments } from '../reading/index.js';
import type { ParseRecord } from './shapes.js';

/** Joined events say the same of the text as the ones they were joined from. */
export function attemptSegments(events: readonly ParseRecord[]): Segments {
  const gather = new Gather('');
  gather.add(events as unknown as ParseEvent[]);
  return gather.reading(0, true).segments;
}
