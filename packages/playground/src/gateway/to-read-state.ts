// Turns a raw text of the gateway into the state of Read.

import { type Segments, segment } from '../reading/index.js';
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
