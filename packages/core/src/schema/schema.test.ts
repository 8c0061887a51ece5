import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../model/conversation.js';
import { acceptedTypes, itemSchema, propertySchema } from './schema.js';

const types = (schema: unknown, root?: unknown) => {
  const found = acceptedTypes(schema as JsonSchema, (root ?? schema) as JsonSchema);
  return found && [...found].sort();
};

describe('acceptedTypes', () => {
  it.each([
    ['a name', { type: 'string' }, ['string']],
    ['a list of names', { type: ['string', 'null'] }, ['null', 'string']],
    [
      'misspelt names',
      { type: ['boolen', 'int', 'float', 'str'] },
      ['boolean', 'integer', 'number', 'string'],
    ],
    ['names of other languages', { type: ['dict', 'list[str]', 'NoneType'] }, ['array', 'null', 'object']],
    ['names in capitals', { type: 'STRING' }, ['string']],
    ['names with a size', { type: 'int64' }, ['integer']],
    ['an enum', { enum: ['a', 1, 2.5, null] }, ['integer', 'null', 'number', 'string']],
    ['a const', { const: false }, ['boolean']],
    ['a type and an enum', { type: ['string', 'integer'], enum: ['a'] }, ['string']],
    ['a type whose enum contradicts it', { type: 'integer', enum: ['1', '2'] }, ['integer']],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }, ['null', 'string']],
    ['oneOf', { oneOf: [{ type: 'array' }, { const: 1 }] }, ['array', 'integer']],
    ['allOf', { allOf: [{ type: ['string', 'number'] }, { type: 'integer' }] }, ['integer']],
    ['allOf where one part is silent', { allOf: [{ type: 'string' }, { title: 'x' }] }, ['string']],
    ['nullable', { type: 'string', nullable: true }, ['null', 'string']],
    ['properties without a type', { properties: {} }, ['object']],
    ['items without a type', { items: {} }, ['array']],
  ])('reads %s', (_, schema, expected) => {
    expect(types(schema)).toEqual(expected);
  });

  it.each([
    ['no schema', undefined],
    ['true', true],
    ['false, which no value fulfils', false],
    ['an empty schema', {}],
    ['a type of no known name', { type: 'any' }],
    ['a type that is no name', { type: 5 }],
    ['an empty list of types', { type: [] }],
    ['anyOf with a silent branch', { anyOf: [{ type: 'string' }, {}] }],
    ['anyOf that is no list', { anyOf: { type: 'string' } }],
    ['a reference to nowhere', { $ref: '#/$defs/nowhere' }],
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }],
    ['a schema that is only itself', { $ref: '#' }],
    ['what only looks like a keyword', Object.create({ type: 'string' })],
  ])('says nothing for %s', (_, schema) => {
    expect(types(schema)).toBeUndefined();
  });

  it('follows references into the root', () => {
    const root = {
      $id: 'https://example.com/root.json',
      $defs: {
        Id: { type: 'integer' },
        'a/b~c d': { type: 'null' },
        Named: { $anchor: 'named', type: 'array' },
      },
      definitions: { Old: { $ref: '#/$defs/Id' } },
      components: { schemas: [{ type: 'boolean' }] },
    };
    expect(types({ $ref: '#/$defs/Id' }, root)).toEqual(['integer']);
    expect(types({ $ref: '#/definitions/Old' }, root)).toEqual(['integer']);
    expect(types({ $ref: '#/components/schemas/0' }, root)).toEqual(['boolean']);
    expect(types({ $ref: '#/$defs/a~1b~0c%20d' }, root)).toEqual(['null']);
    expect(types({ $ref: '#named' }, root)).toEqual(['array']);
    expect(types({ $ref: 'https://example.com/root.json#/$defs/Id' }, root)).toEqual(['integer']);
  });

  it('takes what a cyclic schema says besides itself', () => {
    const root = { $defs: { Tree: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/Tree' }] } } };
    expect(types({ $ref: '#/$defs/Tree' }, root)).toEqual(['string']);
  });

  it('does not mix up one schema under two roots', () => {
    const schema = { $ref: '#/$defs/X' };
    expect(types(schema, { $defs: { X: { type: 'string' } } })).toEqual(['string']);
    expect(types(schema, { $defs: { X: { type: 'null' } } })).toEqual(['null']);
  });
});

describe('propertySchema', () => {
  const text = { type: 'string' };
  const count = { type: 'integer' };

  it('finds a key in properties, before additionalProperties', () => {
    const schema = { properties: { a: text }, additionalProperties: count };
    expect(propertySchema(schema, 'a')).toBe(text);
    expect(propertySchema(schema, 'b')).toBe(count);
  });

  it('finds nothing where no property is declared, or additional ones are only forbidden', () => {
    expect(propertySchema({ properties: { a: text }, additionalProperties: false }, 'b')).toBeUndefined();
    expect(propertySchema(undefined, 'b')).toBeUndefined();
    expect(propertySchema(true, 'b')).toBeUndefined();
  });

  it('does not guess beside patterns', () => {
    const schema = { patternProperties: { '^(a+)+$': text }, additionalProperties: count };
    expect(propertySchema(schema, 'aaaa')).toBeUndefined();
  });

  it('looks through $ref, allOf and anyOf', () => {
    const root = { $defs: { Base: { properties: { a: text } } } };
    expect(propertySchema({ $ref: '#/$defs/Base' }, 'a', root)).toBe(text);
    expect(propertySchema({ allOf: [{ $ref: '#/$defs/Base' }] }, 'a', root)).toBe(text);
    expect(propertySchema({ anyOf: [{ type: 'null' }, { $ref: '#/$defs/Base' }] }, 'a', root)).toBe(text);
  });

  it('joins what several choices say', () => {
    const schema = { oneOf: [{ properties: { a: text } }, { properties: { a: count } }] };
    expect(types(propertySchema(schema, 'a'))).toEqual(['integer', 'string']);
    const both = {
      allOf: [{ properties: { a: { type: ['string', 'null'] } } }, { properties: { a: text } }],
    };
    expect(types(propertySchema(both, 'a'))).toEqual(['string']);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows %s only if it is declared',
    (key) => {
      expect(propertySchema({ properties: { a: text } }, key)).toBeUndefined();
      const declared = JSON.parse(`{"properties":{"${key}":{"type":"integer"}}}`) as JsonSchema;
      expect(types(propertySchema(declared, key))).toEqual(['integer']);
    },
  );

  it('ends in schemas that contain themselves', () => {
    expect(propertySchema({ allOf: [{ $ref: '#' }] }, 'a')).toBeUndefined();
  });
});

describe('itemSchema', () => {
  it('is what items say', () => {
    const items = { type: 'string' };
    expect(itemSchema({ items })).toBe(items);
    expect(itemSchema({ anyOf: [{ type: 'null' }, { items }] })).toBe(items);
    expect(itemSchema({ items: false })).toBeUndefined();
    expect(itemSchema({ type: 'array' })).toBeUndefined();
  });

  it('is any of a tuple', () => {
    const tuple = [{ type: 'string' }, { type: 'integer' }];
    expect(types(itemSchema({ prefixItems: tuple }))).toEqual(['integer', 'string']);
    expect(types(itemSchema({ items: tuple, additionalItems: { type: 'null' } }))).toEqual([
      'integer',
      'null',
      'string',
    ]);
  });
});
