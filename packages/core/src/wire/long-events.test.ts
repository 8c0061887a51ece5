// Long strings of a stream, which are read apart from their events: nothing is lost, however the stream is cut.

import { describe, expect, it } from 'vitest';
import { excessInCalls } from '../model/call-limits.js';
import { createSseDecoder } from './sse.js';

const LONG = 'a "line"\n你好 😀 \\ '.repeat(14_000);

function read(text: string, step: number): unknown[] {
  const found: unknown[] = [];
  const decoder = createSseDecoder({
    read: (value) => {
      found.push(value);
      return [];
    },
    end: () => ({ events: [], complete: true }),
  });
  for (let at = 0; at < text.length; at += step) decoder.feed(text.slice(at, at + step));
  decoder.finish();
  return found;
}

describe('events with long strings', () => {
  const orders = [
    ['short', LONG, LONG],
    [LONG, 'short', LONG],
    ['short', 'short', LONG, 'short'],
    [LONG, LONG, LONG],
  ];

  it.each([[1000], [65_536], [65_537], [150_000], [10_000_000]])('in pieces of %i characters', (step) => {
    for (const texts of orders) {
      const values = texts.map((content, at) => ({ at, content, also: content.slice(0, 100_000) }));
      const stream = values.map((value) => `: note\ndata: ${JSON.stringify(value)}\n\n`).join('');
      const found = read(stream, step);
      expect(found.length).toBe(values.length);
      for (const [at, value] of values.entries())
        expect(JSON.stringify(found[at]) === JSON.stringify(value)).toBe(true);
    }
  });
});

describe('what is counted as arguments', () => {
  const many = '{},'.repeat(13_000);

  it('is JSON, and no text of a freeform tool', () => {
    expect(excessInCalls({ item: { input: `[${many}]` } })?.message).toContain('12000 elements');
    expect(excessInCalls({ item: { input: `patch ${many}` } })).toBeUndefined();
  });

  it('is no input of the request that an answer repeats', () => {
    expect(excessInCalls({ input: `[${many}]` })).toBeUndefined();
    expect(excessInCalls({ type: 'response.completed', response: { input: `[${many}]` } })).toBeUndefined();
    expect(excessInCalls({ response: { output: [{ arguments: `[${many}]` }] } })).toBeDefined();
  });
});
