import { describe, expect, it } from 'vitest';
import { Cursor } from './cursor.js';

describe('a cursor', () => {
  it('stands at the same place in any cutting of the text', () => {
    const text = 'one <two> three';
    for (let a = 0; a <= text.length; a++) {
      for (let b = a; b <= text.length; b++) {
        const cursor = new Cursor();
        cursor.mark();
        let seen = '';
        for (const piece of [text.slice(0, a), text.slice(a, b), text.slice(b)]) {
          cursor.push(piece);
          seen += cursor.text.slice(cursor.at);
          cursor.at = cursor.text.length;
        }
        expect(seen).toBe(text);
        expect(cursor.position).toBe(text.length);
        cursor.rewind();
        expect(cursor.text.slice(cursor.at)).toBe(text);
        expect(cursor.position).toBe(0);
      }
    }
  });

  it('forgets what was read when nothing marks it', () => {
    const cursor = new Cursor();
    for (let n = 0; n < 1000; n++) {
      cursor.push('0123456789');
      cursor.at = cursor.text.length;
      expect(cursor.text.length).toBe(10);
    }
    expect(cursor.position).toBe(10_000);
  });

  it('keeps what stands before an inner mark for the outer one', () => {
    const cursor = new Cursor();
    cursor.push('ab');
    cursor.at = 1;
    cursor.mark();
    cursor.at = 2;
    cursor.push('cd');
    cursor.at = 1;
    cursor.mark();
    cursor.at = 2;
    cursor.push('ef');
    cursor.rewind();
    expect(cursor.text.slice(cursor.at)).toBe('def');
    cursor.rewind();
    expect(cursor.text.slice(cursor.at)).toBe('bcdef');
    expect(cursor.position).toBe(1);
  });

  it('without a mark goes nowhere', () => {
    const cursor = new Cursor();
    cursor.push('abc');
    cursor.at = 2;
    cursor.rewind();
    cursor.release();
    expect(cursor.position).toBe(2);
  });
});

describe('going back', () => {
  /** Goes over the text again and again, in pieces of a length, until it may no more. */
  function roundsAllowed(text: string, size: number): number {
    const cursor = new Cursor();
    cursor.mark();
    for (let at = 0; at < text.length; at += size) {
      cursor.at = cursor.text.length;
      cursor.push(text.slice(at, at + size));
    }
    for (let rounds = 0; ; rounds++) {
      if (!cursor.mayGoBack) return rounds;
      cursor.at = cursor.text.length;
      cursor.rewind();
      cursor.mark();
    }
  }

  it('is allowed as long as all that is read again is a small multiple of the text', () => {
    expect(new Cursor().mayGoBack).toBe(true);
    const rounds = roundsAllowed('x'.repeat(100_000), 100_000);
    expect(rounds).toBeGreaterThan(0);
    expect(rounds).toBeLessThan(12);
  });

  it('is allowed the same number of times in any cutting', () => {
    const text = 'x'.repeat(50_000);
    const rounds = [50_000, 10_000, 777, 10].map((size) => roundsAllowed(text, size));
    expect(new Set(rounds).size).toBe(1);
  });

  it('over nothing costs nothing', () => {
    const cursor = new Cursor();
    for (let n = 0; n < 100_000; n++) {
      cursor.mark();
      cursor.rewind();
    }
    expect(cursor.mayGoBack).toBe(true);
  });
});
