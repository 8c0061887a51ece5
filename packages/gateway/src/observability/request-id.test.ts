import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestId } from './request-id.js';

describe('requestId', () => {
  it.each(['a', 'req_1', '018f.2-A_b', 'x'.repeat(128)])('keeps %s', (id) => {
    expect(requestId(id)).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a\nb', 'é', 'a/b', '"', '٣', undefined, null])(
    'replaces %j',
    (id) => {
      expect(requestId(id)).toMatch(/^req_[A-Za-z0-9]{24}$/);
    },
  );

  it('gives an id that it would keep, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        const id = requestId(given);
        expect(id).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
        expect(requestId(id)).toBe(id);
      }),
      { seed: 4 },
    );
  });

  it('never gives the same one twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => requestId())).size).toBe(1000);
  });
});
