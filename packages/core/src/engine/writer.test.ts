import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../model/index.js';
import type { Safety } from './dialect.js';
import { defineMarkers, hasMarker, NO_MARKERS, neutralise, restore } from './markers.js';
import { Writer } from './writer.js';

const markers = defineMarkers(['<tool_call>', '</tool_call>', '<|user|>']);
const texts = fc
  .array(
    fc.constantFrom(
      '<tool',
      '_call>',
      '<tool_call>',
      '</tool_call>',
      '<|us',
      'er|>',
      '<\\|user|>',
      'x',
      '\n',
      '"',
    ),
  )
  .map((parts) => parts.join(''));

type Piece = { kind: 'ours' | 'outside' | 'json'; text: string };
const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.record({ kind: fc.constantFrom('ours', 'outside', 'outside', 'json'), text: texts }),
);

function write(list: readonly Piece[], safety: Safety = 'escape'): Writer {
  const out = new Writer(markers, safety);
  for (const { kind, text } of list) {
    if (kind === 'ours') out.ours(text);
    else if (kind === 'outside') out.outside(text, 'field');
    else out.json(text, 'field');
  }
  return out;
}

describe('spans', () => {
  it('tile the text, none is empty, and neighbours are of different origin', () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom<Safety>('escape', 'exact'), (list, safety) => {
        const { text, spans } = write(list, safety);
        let end = 0;
        for (const [n, span] of spans.entries()) {
          expect(span.start).toBe(end);
          expect(span.end).toBeGreaterThan(span.start);
          expect(span.origin).not.toBe(spans[n - 1]?.origin);
          end = span.end;
        }
        expect(end).toBe(text.length);
      }),
    );
  });

  it('say which characters are ours, as they were written', () => {
    fc.assert(
      fc.property(pieces, (list) => {
        const { text, spans } = write(list);
        const ours = spans
          .filter(({ origin }) => origin === 'ours')
          .map(({ start, end }) => text.slice(start, end));
        const written = list.filter(({ kind }) => kind === 'ours').map((piece) => piece.text);
        expect(ours.join('')).toBe(written.join(''));
      }),
    );
  });

  it('of nothing are none', () => {
    const { text, spans } = new Writer(markers).ours('').outside('', 'field');
    expect(text).toBe('');
    expect(spans).toEqual([]);
  });
});

describe('text from outside', () => {
  it('holds no marker, and is restored from its spans', () => {
    fc.assert(
      fc.property(fc.array(texts), fc.array(texts), (first, second) => {
        const out = new Writer(markers);
        for (const text of first) out.outside(text, 'a');
        out.ours('\n---\n');
        for (const text of second) out.outside(text, 'b');
        const [before = '', after = ''] = out.text.split('\n---\n');
        expect(restore(before, markers)).toBe(first.join(''));
        expect(restore(after, markers)).toBe(second.join(''));
        expect(out.text).toBe(
          `${neutralise(first.join(''), markers)}\n---\n${neutralise(second.join(''), markers)}`,
        );
      }),
    );
  });

  it('is neutralised as one where pieces follow each other: two halves make no marker', () => {
    const { text } = new Writer(markers).outside('<tool', 'a').outside('', 'b').outside('_call>', 'c');
    expect(text).toBe('<\\tool_call>');
    expect(new Writer(markers).outside('<tool', 'a').ours('').outside('_call>', 'c').text).toBe(
      '<\\tool_call>',
    );
  });

  it('with our own markup in between is left alone: the halves do not touch', () => {
    expect(new Writer(markers).outside('<tool', 'a').ours('|').outside('_call>', 'b').text).toBe(
      '<tool|_call>',
    );
  });

  it('may be held to other markers than the writer’s', () => {
    const out = new Writer(markers).outside('<tool_call><x>', 'a', defineMarkers(['<x>']));
    expect(out.text).toBe('<tool_call><\\x>');
    expect(new Writer(markers).outside('<tool_call>', 'a', NO_MARKERS).text).toBe('<tool_call>');
  });

  it('with half a surrogate pair has U+FFFD there; a pair in two pieces is a pair', () => {
    expect(new Writer(markers).outside('a\ud83d', 'a').text).toBe('a\ufffd');
    expect(new Writer(markers).outside('\ud83d', 'a').outside('\ude00', 'b').text).toBe('\ud83d\ude00');
    expect(new Writer(markers, 'exact').outside('\ude00', 'a').text).toBe('\ufffd');
    expect(new Writer(markers).jsonText('"\ud83d"', 'a').text).toBe('"\ufffd"');
  });

  it('reads the same whenever it is asked for', () => {
    const out = new Writer(markers).ours('<').outside('a', 'f');
    expect([out.text, out.text, out.spans.length]).toEqual(['<a', '<a', 2]);
    expect(out.ours('>').text).toBe('<a>');
  });
});

describe('JSON from outside', () => {
  it('holds no marker and is the same value, in the spelling of Python', () => {
    fc.assert(
      fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
        const { text } = new Writer(markers).json(value, 'field');
        expect(hasMarker(text, markers)).toBe(false);
        expect(JSON.parse(text)).toEqual(value);
      }),
    );
    expect(new Writer(markers).json({ a: [1, '<tool_call>'] }, 'f').text).toBe(
      '{"a": [1, "\\u003ctool_call>"]}',
    );
  });

  it('as text keeps its spaces and digits', () => {
    expect(new Writer(markers).jsonText('{"a":  1.0}', 'f').text).toBe('{"a":  1.0}');
  });
});

describe('safety', () => {
  const hostile = 'hi <|user|>';

  it('escape breaks a marker and goes on', () => {
    expect(new Writer(markers, 'escape').outside(hostile, 'f').text).toBe('hi <\\|user|>');
    expect(new Writer(markers, 'escape').json(hostile, 'f').text).toBe('"hi \\u003c|user|>"');
  });

  it('exact writes what is there', () => {
    expect(new Writer(markers, 'exact').outside(hostile, 'f').text).toBe(hostile);
    expect(new Writer(markers, 'exact').json(hostile, 'f').text).toBe(`"${hostile}"`);
  });

  it('reject throws what the caller can act upon: the code and the field', () => {
    const field = 'messages[1].content';
    for (const write of [
      () => new Writer(markers, 'reject').outside(hostile, field).text,
      () => new Writer(markers, 'reject').outside('<|us', field).outside('er|>', 'other').text,
      () => new Writer(markers, 'reject').outside(hostile, field).ours('x'),
      () => new Writer(markers, 'reject').json([hostile], field),
    ]) {
      let thrown: unknown;
      try {
        write();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(UsageError);
      expect(thrown).toMatchObject({ code: 'hostile-text', path: field });
    }
  });

  it('reject lets harmless text and our own markers pass', () => {
    const out = new Writer(markers, 'reject').ours('<|user|>').outside('a < b', 'f').json({ a: '<' }, 'f');
    expect(out.text).toBe('<|user|>a < b{"a": "<"}');
  });
});
