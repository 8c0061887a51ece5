// The coloured segments of a raw text in the inspector, from the events recorded with it.

import type { ParseEvent } from '@dragoman/core';
import type { ParseRecord } from '@dragoman/gateway';
import { ReadingBuilder, type Segments } from '../reading/index.js';

/** The recorded events are joined neighbours; they give the same segments as the single ones. */
export function attemptSegments(events: readonly ParseRecord[]): Segments {
  const gather = new ReadingBuilder('');
  gather.add(events as unknown as ParseEvent[]);
  return gather.reading(0, true).segments;
}
