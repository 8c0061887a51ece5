import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coerceText, scalarFromString, schemaHint } from './coerce.js';
import type { SchemaType } from './schema.js';

const set = (...types: SchemaType[]) => new Set(types);
const issue = { code: 'wrong-type', message: expect.any(String) };
const anything = undefined;

describe('coerceText', () => {
  it.each(['null', '5', '"quoted"', ' spaced \n', '{"a":1}', '007', ''])(
    'keeps %j verbatim where only strings are welcome',
    (text) => {
      expect(coerceText(text, set('string'))).toEqual({ json: JSON.stringify(text) });
    },
  );

  it.each([
    ['5', set('integer'), '5'],
    [' 5\n', set('integer'), '5'],
    ['1.0', set('number'), '1.0'],
    ['-0', set('number'), '-0'],
    ['1e400', set('number'), '1e400'],
    ['12345678901234567890', set('integer'), '12345678901234567890'],
    ['{ "a" : [ 1.0 , "x  y\\" " ] }', set('object'), '{"a":[1.0,"x  y\\" "]}'],
    ['true', set('boolean'), 'true'],
    ['null', set('integer', 'null'), 'null'],
  ])('reads %j as JSON under a schema without strings, digits kept', (text, types, json) => {
    expect(coerceText(text, types)).toEqual({ json });
  });

  it.each([
    ['{"a": 1, "a": 2}', set('object')],
    ['[{"b": {"a": 1, "\\u0061": 2}}, {"a": 3}]', set('array', 'string')],
    ["{'a': 1, 'a': 2,}", set('object')],
    ['{"a": {"a": 1}, "a": {"a": 2}}', anything],
  ])('says which key stands twice in %j', (text, types) => {
    expect(coerceText(text, types).duplicates).toEqual(['a']);
  });

  it('finds no duplicate in one key at two places, nor in text that stays a string', () => {
    expect(coerceText('[{"a:a": "x: y"}, {"a:a": {"a:a": null}}]', anything).duplicates).toBeUndefined();
    expect(coerceText('{"a": 1, "a": 2}', set('string')).duplicates).toBeUndefined();
  });

  it('leaves JSON of another type to the validator', () => {
    expect(coerceText('[1]', set('integer'))).toEqual({ json: '[1]' });
    expect(coerceText('"abc"', set('object'))).toEqual({ json: '"abc"' });
  });

  it.each([
    ['True', set('boolean'), 'true', 'python-word'],
    ['FALSE', set('boolean'), 'false', 'python-word'],
    ['None', set('integer', 'null'), 'null', 'python-word'],
    ['"5"', set('number'), '5', 'string-as-scalar'],
    ["'5'", set('number'), '5', 'string-as-scalar'],
    ['"true"', set('boolean'), 'true', 'string-as-scalar'],
    ["{'a': True, 'b': (1, 2.0)}", set('object'), '{"a":true,"b":[1,2.0]}', 'python-literal'],
    ["['it\\'s', None]", set('array'), '["it\'s",null]', 'python-literal'],
    ['[1, 2,]', set('array'), '[1,2]', 'trailing-comma'],
    ['{"a": "http:\\/\\/x",}', set('object'), '{"a":"http:\\/\\/x"}', 'trailing-comma'],
    ['.5', set('number'), '0.5', 'number-format'],
  ])('reads %j generously, and says so', (text, types, json, repair) => {
    const coerced = coerceText(text, types);
    expect(JSON.parse(coerced.json)).toEqual(JSON.parse(json));
    expect(coerced).toEqual({ json: coerced.json, repair });
  });

  it.each([
    ['007', set('number')],
    ['007', set('integer', 'null')],
    ['five', set('integer')],
    ['', set('number')],
    ['None', set('boolean')],
    ["'abc'", set('array')],
    ['NaN', set('number')],
    ['os.getcwd()', set('object', 'array')],
    ['"007"x', set('number')],
  ])('keeps %j verbatim with an issue where no string is welcome', (text, types) => {
    expect(coerceText(text, types)).toEqual({ json: JSON.stringify(text), issue });
  });

  it('names in the issue what was expected', () => {
    expect(coerceText('five', set('integer', 'null')).issue?.message).toContain('expected integer or null');
  });

  it.each([
    ['5', set('string', 'integer'), '5'],
    [' 5 ', set('string', 'integer'), '5'],
    ['5.5', set('string', 'integer'), '"5.5"'],
    ['5', set('string', 'null'), '"5"'],
    ['null', set('string', 'null'), 'null'],
    ['True', set('string', 'boolean'), '"True"'],
    ['"a"', set('string', 'integer'), '"\\"a\\""'],
    ['[1, 2]', set('string', 'array'), '[1,2]'],
    [' plain ', set('string', 'array'), '" plain "'],
  ])('takes %j under a union with string for JSON only if it is one of the others', (text, types, json) => {
    expect(coerceText(text, types)).toEqual({ json });
  });

  it.each([
    ['5', '5'],
    ['1.0', '1.0'],
    ['{"a": 1}', '{"a":1}'],
    ['null', 'null'],
    ['"a"', '"\\"a\\""'],
    ['True', '"True"'],
    ["{'a': 1}", '"{\'a\': 1}"'],
    ['plain text', '"plain text"'],
  ])('takes %j without a schema for JSON if it parses to no string', (text, json) => {
    expect(coerceText(text, anything)).toEqual({ json });
  });

  it('gives back every JSON value that is no string', () => {
    const kinds = [anything, set('string', 'number', 'boolean', 'object', 'array', 'null')];
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(...kinds, set('object')), (value, types) => {
        fc.pre(typeof value !== 'string');
        const text = JSON.stringify(value);
        expect(coerceText(text, types)).toEqual({ json: text });
        expect(coerceText(JSON.stringify(value, null, 2), types)).toEqual({ json: text });
      }),
    );
  });

  it('gives back every text that is no JSON, whatever else is welcome', () => {
    const kinds = [anything, set('string'), set('string', 'integer', 'object', 'boolean')];
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...kinds), (text, types) => {
        fc.pre(!isJson(text));
        expect(coerceText(text, types)).toEqual({ json: JSON.stringify(text) });
      }),
    );
  });

  it('ends every soup of brackets and quotes in valid JSON', () => {
    const soup = fc.string({ unit: fc.constantFrom(...'{}[]"\':,0.- \\nTrue()') });
    fc.assert(
      fc.property(soup, fc.constantFrom(set('object'), set('number', 'boolean'), anything), (text, types) => {
        const { json, repair, issue } = coerceText(text, types);
        expect(isJson(json)).toBe(true);
        expect(repair && issue).toBeUndefined();
      }),
    );
  });

  it('takes what is nested too deep for text', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(coerceText(deep, anything).json).toBe(JSON.stringify(deep));
    expect(coerceText(deep, set('array')).issue?.code).toBe('wrong-type');
    expect(coerceText('[[1]]', anything, 1).json).toBe('"[[1]]"');
    expect(coerceText('[[1]]', anything, 2).json).toBe('[[1]]');
  });
});

describe('scalarFromString', () => {
  it.each([
    ['5', set('integer'), '5'],
    ['5.0', set('integer'), '5.0'],
    ['-1.5e3', set('number', 'null'), '-1.5e3'],
    ['12345678901234567890', set('integer'), '12345678901234567890'],
    ['True', set('boolean'), 'true'],
    ['false', set('boolean', 'integer'), 'false'],
  ])('reads %j as the scalar the schema wants', (decoded, types, json) => {
    expect(scalarFromString(decoded, types)).toBe(json);
  });

  it.each([
    ['5', set('string', 'integer')],
    ['5', anything],
    ['5', set('boolean')],
    ['5.5', set('integer')],
    ['007', set('number')],
    ['+1', set('number')],
    ['.5', set('number')],
    [' 5', set('number')],
    ['NaN', set('number')],
    ['true', set('number')],
    ['null', set('null', 'number')],
    ['yes', set('boolean')],
    ['', set('number', 'boolean')],
    ['[1]', set('array')],
  ])('leaves %j a string otherwise', (decoded, types) => {
    expect(scalarFromString(decoded, types)).toBeUndefined();
  });
});

describe('schemaHint', () => {
  const hint = schemaHint({
    properties: {
      n: { type: 'integer' },
      s: { type: ['string', 'integer'] },
      list: { items: { $ref: '#/$defs/B' } },
    },
    $defs: { B: { type: 'boolean' } },
  });

  it('turns strings to scalars where the schema says so, at any depth', () => {
    expect(hint?.property('n')?.scalar?.('5')).toBe('5');
    expect(hint?.property('list')?.item()?.scalar?.('True')).toBe('true');
  });

  it('holds back no string that stays one', () => {
    expect(hint?.scalar).toBeUndefined();
    expect(hint?.property('s')?.scalar).toBeUndefined();
    expect(hint?.property('constructor')).toBeUndefined();
    expect(schemaHint(undefined)).toBeUndefined();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
