// Writes the events of content blocks: one open at a time, numbered without gaps. The fixed part of a delta is built
// when its block opens, so that a delta only costs the quoting of its text.

import { frame } from '../sse.js';

const deltaKinds = {
  text: ['text_delta', 'text'],
  thinking: ['thinking_delta', 'thinking'],
  signature: ['signature_delta', 'signature'],
  call: ['input_json_delta', 'partial_json'],
} as const;

export class BlockWriter {
  #index = -1;
  #prefix = '';

  /** `kind` is the kind of the deltas that follow; absent for a block that is complete when it opens. */
  open(block: unknown, kind?: 'text' | 'thinking' | 'call'): string {
    this.#index++;
    if (kind !== undefined) this.#prefix = this.#prefixOf(kind);
    const data = `{"type":"content_block_start","index":${this.#index},"content_block":${JSON.stringify(block)}}`;
    return frame(data, 'content_block_start');
  }

  delta(text: string): string {
    return `${this.#prefix}${JSON.stringify(text)}}}\n\n`;
  }

  signature(signature: string): string {
    return `${this.#prefixOf('signature')}${JSON.stringify(signature)}}}\n\n`;
  }

  close(): string {
    return frame(`{"type":"content_block_stop","index":${this.#index}}`, 'content_block_stop');
  }

  #prefixOf(kind: keyof typeof deltaKinds): string {
    const [type, member] = deltaKinds[kind];
    return (
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},` +
      `"delta":{"type":"${type}","${member}":`
    );
  }
}
