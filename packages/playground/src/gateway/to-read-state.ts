// Turns what the gateway tells of an answer into the state of Read: its raw text, its segments, the tools of its request.

import type { JsonValue, ParseEvent } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { ParseRecord } from '@dragoman/gateway';
import { ReadingBuilder, type Segments, segment } from '../reading/index.js';
import type { ReadState } from '../view.js';

export interface RawAnswer {
  text: string;
  dialect: string | undefined;
  /** JSON text. */
  tools: string;
  segments: Segments;
}

export function toReadState({ text, dialect = 'auto', tools, segments }: RawAnswer): ReadState {
  // A text that begins with reasoning but no tag continues a prompt that opened the reasoning.
  const thinking = segment(segments, 0)?.base === 'reasoning';
  return { text, dialect, tools, ...(thinking && { thinking }) };
}

/** The recorded events are joined neighbours; they give the same segments as the single ones. */
export function attemptSegments(events: readonly ParseRecord[]): Segments {
  const gather = new ReadingBuilder('');
  gather.add(events as unknown as ParseEvent[]);
  return gather.reading(0, true).segments;
}

/** Gives the tools of a recorded request as JSON text: as the client declared them, if the record has that. */
export function recordTools(request: JsonValue | undefined): string {
  const conversation = isObject(request) ? request.conversation : undefined;
  const tools = isObject(conversation) ? conversation.tools : undefined;
  if (!Array.isArray(tools) || tools.length === 0) return '';
  const declared = tools.map((tool: unknown) =>
    isObject(tool) && isObject(tool.source) ? tool.source : tool,
  );
  return JSON.stringify(declared, null, 2);
}
