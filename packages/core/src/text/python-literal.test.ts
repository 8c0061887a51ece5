import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LiteralError } from './literal-scanner.js';
import { type PythonLiteral, readPythonLiteral } from './python-literal.js';

interface Case {
  literal: string;
  /** What Python read, or null where it refused. */
  json: string | null;
}

const fixture = new URL('./python-literal.fixture.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, 'utf8')) as { cases: Case[] };

function read(text: string): PythonLiteral {
  const result = readPythonLiteral(text);
  if (!result.ok) throw new Error(`${result.message} (${result.line}:${result.column})`);
  return result;
}

function refuse(text: string): LiteralError {
  const result = readPythonLiteral(text);
  if (result.ok) throw new Error(`was read as ${result.json}`);
  return result;
}

/** Python has no integer -0; that aside, equal values print alike. */
const printed = (json: string) => JSON.stringify(JSON.parse(json));

describe('a literal of Python', () => {
  it.each(cases.filter(({ json }) => json !== null))('is read as Python reads it: $literal', (one) => {
    expect(printed(read(one.literal).json)).toBe(printed(one.json ?? ''));
  });

  it.each(cases.filter(({ json }) => json === null))(
    'is refused, or repaired, where Python refuses: $literal',
    ({ literal }) => {
      const result = readPythonLiteral(literal);
      expect(result.ok ? result.repairs.length : 1).toBeGreaterThan(0);
    },
  );

  it('keeps the digits of its author', () => {
    const { json } = read('[1.0, -0, 1e400, 12345678901234567890, 1_0.50, 5., .5]');
    expect(json).toBe('[1.0,-0,1e400,12345678901234567890,10.50,5.0,0.5]');
  });

  it('has keys that JSON can hold', () => {
    const { json } = read("{'a': 1, 2: 2, None: 3, True: 4, .5: 5, 1e22: 6, -0x10: 7, 1e-5: 8, 100.: 9}");
    expect(Object.keys(JSON.parse(json)).sort()).toEqual(
      ['-16', '0.5', '100.0', '1e+22', '1e-05', '2', 'a', 'null', 'true'].sort(),
    );
  });

  it('may hold words of JSON, which is a repair', () => {
    expect(read("{'a': true, 'b': None}")).toMatchObject({
      json: '{"a":true,"b":null}',
      repairs: [{ code: 'python-word', at: 6 }],
    });
  });

  it('may break a line inside a string, which is a repair', () => {
    expect(read("'a\nb'")).toMatchObject({
      json: '"a\\nb"',
      repairs: [{ code: 'control-character', at: 2 }],
    });
  });

  it('shows the keys that it holds twice, and keeps both', () => {
    expect(read("{'__proto__': 1, 'a': {}, '__proto__': 2}")).toMatchObject({
      json: '{"__proto__":1,"a":{},"__proto__":2}',
      duplicates: [{ key: '__proto__', at: 26 }],
    });
  });

  it.each([
    ['{1, 2}', 1, 2, 'set'],
    ['set()', 1, 1, '`set`'],
    ['[b"x"]', 1, 2, 'prefix `b`'],
    ['[\n  f"{x}"]', 2, 3, 'prefix `f`'],
    ['float("nan")', 1, 1, '`float`'],
    ['[nan]', 1, 2, '`nan`'],
    ['{**a}', 1, 2, 'key'],
    ['{[1]: 2}', 1, 2, 'key'],
    ['[x for x in y]', 1, 2, '`x`'],
    ['1 + 2', 1, 3, 'behind'],
    ['1, 2', 1, 2, 'behind'],
    ['"a"\n"b"', 2, 1, 'behind'],
    ["['a\\N{DASH}']", 1, 4, 'looked up'],
    ["['a", 1, 2, 'never closed'],
    ['', 1, 1, 'the end'],
  ])('is not %j: the error is at %i:%i and says %j', (text, line, column, message) => {
    expect(refuse(text)).toMatchObject({ line, column, message: expect.stringContaining(message) });
  });

  it('is 128 levels deep at most, unless told', () => {
    const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(read(nest(128)).json).toBe(nest(128));
    expect(refuse(nest(129))).toMatchObject({ code: 'too-deep', at: 128 });
    expect(readPythonLiteral(nest(3), { maxDepth: 2 }).ok).toBe(false);
    expect(readPythonLiteral(nest(100_000), { maxDepth: Number.POSITIVE_INFINITY }).ok).toBe(false);
  });
});
