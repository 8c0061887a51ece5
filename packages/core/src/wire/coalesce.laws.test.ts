import { describe, expect, it } from 'vitest';
import { Coalescer } from './coalesce.js';

function pieces(length: number, size: number): string[] {
  const coalescer = new Coalescer();
  const sent: string[] = [];
  for (let at = 0; at < length; at += size) {
    const now = coalescer.add('x'.repeat(size));
    if (now !== '') sent.push(now);
  }
  const last = coalescer.flush();
  return last === '' ? sent : [...sent, last];
}

describe('fragments of arguments', () => {
  it('stay under what clients take, however small the pieces of 16 MiB are', () => {
    const sent = pieces(16 * 1024 * 1024, 1);
    expect(sent.length).toBeLessThan(50_000);
    expect(sent.reduce((sum, piece) => sum + piece.length, 0)).toBe(16 * 1024 * 1024);
  });
});
