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
  it('pass as they come while there are few', () => {
    expect(pieces(1000, 1)).toHaveLength(1000);
  });

  it('leave nothing behind', () => {
    const coalescer = new Coalescer();
    for (let n = 0; n < 5000; n++) coalescer.add('a');
    expect(coalescer.flush().length).toBeLessThan(16);
    expect(coalescer.flush()).toBe('');
  });
});
