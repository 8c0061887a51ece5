// A raw text of the gateway as Read takes it.

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
  // A text that begins with a thought and no tag was written behind a prompt that opened the reasoning.
  const thinking = segment(segments, 0)?.base === 'reasoning';
  return { text, dialect, tools, ...(thinking && { thinking }) };
}
