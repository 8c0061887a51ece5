import { validate } from '@cfworker/json-schema';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonSchema } from '../model/conversation.js';
import type { JsonValue } from '../model/json.js';
import { hostilePatterns } from './hostile-patterns.fixture.js';
import { createCheckBudget } from './safe-schema.js';
import { createValidator } from './validate.js';

/** `path: message`, as a re-ask would quote them. */
function check(schema: unknown, value: unknown): string[] {
  const validator = createValidator(schema as JsonSchema);
  expect(validator.note).toBeUndefined();
  return validator.check(value as JsonValue).map(({ path, message }) => `${path}: ${message}`);
}

const object = (properties: unknown, more: object = {}) => ({ type: 'object', properties, ...more });

describe('what a validator says', () => {
  const search = object(
    {
      city: { type: 'string', minLength: 2, maxLength: 5 },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      unit: { enum: ['celsius', 'fahrenheit'] },
      filters: {
        type: 'array',
        maxItems: 2,
        items: object({ name: { type: 'string' } }, { required: ['name'] }),
      },
    },
    { required: ['city'], additionalProperties: false },
  );

  it.each([
    ['a value that fits', { city: 'Rome', days: 3, unit: 'celsius', filters: [{ name: 'x' }] }, []],
    ['a wrong type', { city: 'Rome', days: '3' }, ['days: expected integer, got string']],
    ['a number that is no integer', { city: 'Rome', days: 1.5 }, ['days: expected integer, got number']],
    ['a missing property', {}, ['city: required, but missing']],
    ['one missing inside', { city: 'Rome', filters: [{}] }, ['filters[0].name: required, but missing']],
    [
      'a wrong one inside',
      { city: 'Rome', filters: [{ name: 1 }] },
      ['filters[0].name: expected string, got integer'],
    ],
    ['an unknown property', { city: 'Rome', 'no such': 1 }, ['["no such"]: unknown property']],
    [
      'a value not in the enum',
      { city: 'Rome', unit: 'K' },
      ['unit: expected "celsius" or "fahrenheit", got "K"'],
    ],
    ['a number too small', { city: 'Rome', days: 0 }, ['days: expected at least 1, got 0']],
    ['a number too large', { city: 'Rome', days: 99 }, ['days: expected at most 14, got 99']],
    ['a text too short', { city: '🏛' }, ['city: expected at least 2 characters, got 1']],
    ['a text too long', { city: 'Berlin' }, ['city: expected at most 5 characters, got 6']],
    ['the wrong kind altogether', [], [': expected object, got array']],
  ])('names %s', (_, value, expected) => {
    expect(check(search, value)).toEqual(expected);
  });

  it('names what else can be wrong', () => {
    expect(check({ const: 1 }, 2)).toEqual([': expected 1, got 2']);
    expect(check({ exclusiveMinimum: 1 }, 1)).toEqual([': expected more than 1, got 1']);
    expect(check({ minimum: 1, exclusiveMinimum: true }, 1)).toEqual([': expected more than 1, got 1']);
    expect(check({ multipleOf: 2 }, 3)).toEqual([': expected a multiple of 2, got 3']);
    expect(check({ minItems: 1 }, [])).toEqual([': expected at least 1 items, got 0']);
    expect(check({ minProperties: 1 }, {})).toEqual([': expected at least 1 properties, got 0']);
    expect(check({ not: { type: 'string' } }, 'a')).toEqual([': not allowed']);
    expect(check({ contains: { type: 'string' } }, [1])).toEqual([
      ': no item is of the kind the list must contain',
    ]);
    expect(check({ propertyNames: { maxLength: 1 } }, { ab: 1, c: 2 })).toEqual(['ab: name not allowed']);
    expect(check({ dependentRequired: { a: ['b'] } }, { a: 1 })).toEqual([
      'b: required, but missing beside "a"',
    ]);
    expect(check({ dependencies: { a: ['b'] } }, { a: 1 })).toEqual(['b: required, but missing beside "a"']);
    expect(check(JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 })).toEqual([
      'b: required, but missing',
    ]);
    expect(check(false, 1)).toEqual([': not allowed']);
  });

  it('joins the choices of a union', () => {
    const union = { anyOf: [{ type: 'integer' }, { type: 'null' }, { type: 'array' }] };
    expect(check(union, 'a')).toEqual([': expected integer, null or array, got string']);
    expect(check({ oneOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }, 'd')).toEqual([
      ': expected "a", "b" or "c", got "d"',
    ]);
    expect(check({ type: ['string', 'null'] }, 5)).toEqual([': expected string or null, got integer']);
    expect(check({ type: 'string', nullable: true }, 5)).toEqual([': expected string or null, got integer']);
  });

  it('goes into the one choice that is meant', () => {
    const optional = { anyOf: [object({ n: { type: 'integer' } }), { type: 'null' }] };
    expect(check(optional, { n: 'x' })).toEqual(['n: expected integer, got string']);
    const shapes = {
      oneOf: [
        object({ kind: { const: 'circle' }, r: { type: 'number' } }, { required: ['kind', 'r'] }),
        object({ kind: { const: 'square' }, a: { type: 'number' } }, { required: ['kind', 'a'] }),
      ],
    };
    expect(check(shapes, { kind: 'circle', r: '1' })).toEqual(['r: expected number, got string']);
    expect(check(shapes, { kind: 'line' })).toEqual([': fits none of the forms it may have']);
    expect(check({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3)).toEqual([
      ': fits more than one of the forms of which it must fit one',
    ]);
  });

  it('names at most five problems, the same ones every time', () => {
    const properties = Object.fromEntries([...'abcdefgh'].map((key) => [key, { type: 'integer' }]));
    const value = Object.fromEntries([...'hgfedcba'].map((key) => [key, 'x']));
    const problems = check(object(properties), value);
    expect(problems).toEqual([...'abcde'].map((key) => `${key}: expected integer, got string`));
    expect(check(object(properties), value)).toEqual(problems);
  });

  it('stays short for long values and long lists', () => {
    const [problem] = check(
      { enum: Array.from({ length: 500 }, (_, n) => `option ${n}`) },
      'x'.repeat(9_999),
    );
    expect(problem?.length).toBeLessThan(400);
    expect(problem).toContain('490 more');
  });
});

describe('which schemas a validator understands', () => {
  it('takes draft 2020-12 and draft-07', () => {
    const modern = { prefixItems: [{ type: 'string' }], items: { type: 'integer' } };
    expect(check(modern, ['a', 'b'])).toEqual(['[1]: expected integer, got string']);
    const old = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { Id: { type: 'integer' } },
      items: [{ $ref: '#/definitions/Id', minimum: 5 }],
      additionalItems: false,
    };
    expect(check(old, [1])).toEqual([]);
    expect(check(old, ['1', 2])).toEqual(['[0]: expected integer, got string', '[1]: not allowed']);
    const now = { $defs: { Id: { type: 'integer' } }, $ref: '#/$defs/Id', minimum: 5 };
    expect(check(now, 1)).toEqual([': expected at least 5, got 1']);
  });

  it('follows references anywhere in the document, also into themselves', () => {
    const tree = object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } });
    expect(check(tree, { children: [{ children: [{ name: 1 }] }] })).toEqual([
      'children[0].children[0].name: expected string, got integer',
    ]);
    const api = { ...object({ a: { $ref: '#/components/a~1b' } }), components: { 'a/b': { type: 'null' } } };
    expect(check(api, { a: 1 })).toEqual(['a: expected null, got integer']);
  });

  it('takes schemas that are objects inside themselves', () => {
    const schema: Record<string, unknown> = object({});
    schema.properties = { next: schema, n: { type: 'integer' } };
    expect(check(schema, { next: { next: { n: 'x' } } })).toEqual([
      'next.next.n: expected integer, got string',
    ]);
  });

  it('reads misspelt types as what they mean, and asks nothing of unknown ones', () => {
    expect(check({ type: 'boolen' }, true)).toEqual([]);
    expect(check({ type: 'int' }, 'a')).toEqual([': expected integer, got string']);
    expect(check({ type: 'any' }, 'a')).toEqual([]);
  });

  it('passes over keywords of the wrong shape', () => {
    const odd = {
      ...{ required: true, properties: [], anyOf: [], items: 'string', enum: [], minimum: '5', allOf: {} },
      ...{ additionalProperties: 'no', not: 'this', dependencies: 5, type: { a: 1 }, multipleOf: null },
    };
    for (const value of [{ a: 1 }, [1], 3, 'a', null]) expect(check(odd, value)).toEqual([]);
    expect(check(object({ a: { type: 'string', required: true } }), { a: 1 })).toEqual([
      'a: expected string, got integer',
    ]);
  });

  it('treats __proto__ and constructor as keys like any other', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"integer"}},"required":["constructor"]}');
    expect(check(schema, JSON.parse('{"__proto__":"x"}'))).toEqual([
      'constructor: required, but missing',
      '__proto__: expected integer, got string',
    ]);
  });

  it('keeps properties named like keywords', () => {
    const names = ['pattern', 'format', '$ref', 'enum', 'patternProperties', 'not', '$recursiveAnchor'];
    const schema = object(Object.fromEntries(names.map((name) => [name, { type: 'integer' }])));
    for (const name of names) {
      expect(check(schema, { [name]: 'x' })).toEqual([`${name}: expected integer, got string`]);
    }
    expect(check({ const: { pattern: 'a' } }, { pattern: 'b' })).toHaveLength(1);
    expect(check({ enum: [{ format: 'a' }] }, { format: 'a' })).toEqual([]);
  });

  it.each([
    ['a reference to nowhere', { $ref: '#/$defs/nowhere' }, 'nowhere'],
    ['a reference to another document', object({ a: { $ref: 'https://example.com/x' } }), 'example.com'],
    ['a reference that is no text', { $ref: 5 }, '5'],
    ['a reference only to itself', { $ref: '#' }, 'itself'],
    [
      'two that refer to each other',
      {
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
        $ref: '#/$defs/a',
      },
      'itself',
    ],
    ['too many nodes', { enum: Array.from({ length: 10_001 }, (_, n) => n) }, '10000'],
    ['a nest too deep', JSON.parse(`${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}`), 'deep'],
  ])('passes everything and says so for %s', (_, schema, note) => {
    const validator = createValidator(schema as JsonSchema);
    expect(validator.note).toContain(note);
    expect(validator.check({ a: 1 })).toEqual([]);
  });

  it('passes what the library passes, for schemas from which nothing is left out', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 'a/b~');
    const { schema } = fc.letrec<{ schema: unknown; some: unknown[] }>((tie) => ({
      some: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.boolean(),
        fc.record({ type: fc.constantFrom('string', 'integer', 'object', 'array', ['null', 'number']) }),
        fc.record({ enum: fc.constantFrom(['a', 1], [null, { a: 1 }], [[]]) }),
        fc.record({ const: fc.constantFrom(1, 'a', null, []) }),
        fc.record({ minimum: fc.integer({ min: 0, max: 2 }) }),
        fc.record({ maxLength: fc.constant(1), minItems: fc.constant(1) }),
        fc.record({ required: fc.array(key, { maxLength: 2 }) }),
        fc.record({ properties: fc.dictionary(key, tie('schema')), additionalProperties: tie('schema') }),
        fc.record({ properties: fc.dictionary(key, tie('schema')), unevaluatedProperties: tie('schema') }),
        fc.record({ items: tie('schema'), prefixItems: tie('some') }),
        fc.record({ contains: tie('schema') }),
        fc.record({ propertyNames: tie('schema') }),
        fc.record({ allOf: tie('some'), not: tie('schema') }),
        fc.record({ anyOf: tie('some') }),
        fc.record({ oneOf: tie('some') }),
        fc.record(Object.fromEntries(['if', 'then', 'else'].map((key) => [key, tie('schema')]))),
        fc.record({ dependentSchemas: fc.dictionary(key, tie('schema')) }),
        fc.record({ items: fc.record({ $ref: fc.constant('#') }) }),
      ),
    }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 1, 2.5, '', 'a', 'ab'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(schema, value, (schema, value) => {
        const plain = JSON.parse(JSON.stringify(schema));
        const { valid } = validate(JSON.parse(JSON.stringify(value)), plain, '2020-12');
        const problems = check(JSON.parse(JSON.stringify(schema)), JSON.parse(JSON.stringify(value)));
        expect(problems.length === 0).toBe(valid);
        for (const problem of problems) expect(problem).not.toMatch(/undefined|\[object/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('makes one validator a schema, and leaves the schema as it was', () => {
    const schema = object({ a: { type: 'string', pattern: 'x' } });
    const before = structuredClone(schema);
    expect(createValidator(schema as JsonSchema)).toBe(createValidator(schema as JsonSchema));
    createValidator(schema as JsonSchema).check({ a: 1 });
    expect(schema).toEqual(before);
  });
});

describe('patterns of a client', () => {
  const pattern = '^(a+)+$';

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each(hostilePatterns)('are never run: %s (M18)', (_, schema, value) => {
    const made: string[] = [];
    const Real = RegExp;
    vi.stubGlobal('RegExp', function spy(source: string, flags?: string) {
      made.push(source);
      return new Real(source, flags);
    });
    expect(check(schema, value)).toEqual([]);
    expect(made).toEqual([]);
  });

  it('cause no complaint where leaving them out would turn the meaning round', () => {
    expect(check({ not: { pattern: '^x' } }, 'a')).toEqual([]);
    expect(check({ oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a')).toEqual([]);
    expect(check({ oneOf: [{ type: 'string', format: 'date' }, { type: 'string' }] }, 'a')).toEqual([]);
    expect(check(JSON.parse('{"if":{"pattern":"^a"},"then":{"maxLength":1}}'), 'bcd')).toEqual([]);
    const closed = { patternProperties: { '^x-': {} }, additionalProperties: false };
    expect(check(closed, { 'x-a': 1 })).toEqual([]);
    expect(check({ allOf: [closed], unevaluatedProperties: false }, { 'x-a': 1 })).toEqual([]);
    const inner = { not: { unevaluatedProperties: false }, properties: { a: { pattern: 'x' } } };
    expect(check(inner, { a: 'a' })).toEqual([]);
    expect(check({ contains: { type: 'string' }, minContains: 0 }, [1])).toEqual([]);
    const far = { $defs: { P: { properties: { a: { pattern: 'x' } } } }, not: { $ref: '#/$defs/P' } };
    expect(check(far, { a: 'a' })).toEqual([]);
  });

  it('leave the rest of the schema in force', () => {
    const schema = object({ a: { type: 'string', pattern, maxLength: 3 } }, { required: ['b'] });
    expect(check(schema, { a: 'aaaa' })).toEqual([
      'b: required, but missing',
      'a: expected at most 3 characters, got 4',
    ]);
    const one = { oneOf: [{ type: 'string', pattern }, { type: 'null' }] };
    expect(check(one, 5)).toEqual([': expected string or null, got integer']);
  });
});

describe('what a check costs', () => {
  it('does not hide what is wrong with a long list', () => {
    expect(check(object({ a: { items: { type: 'string' } } }), { a: list(80_000) })[0]).toBe(
      'a[0]: expected string, got integer',
    );
  });

  it('does not keep a large and honest input from being checked', () => {
    const rows = { items: object({ id: { type: 'integer' }, name: { type: 'string' } }) };
    const value = list(20_000).map((id) => ({ id, name: 'x' }));
    expect(check(rows, [...value, { id: 'x' }])).toEqual(['[20000].id: expected integer, got string']);
    const choices = { items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } };
    expect(check(choices, [...list(2900), 'x'])).toEqual(['[2900]: expected integer or null, got string']);
  });

  it('leaves a long text beside choices checked', () => {
    const mode = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const schema = object({ path: { minLength: 1 }, content: { maxLength: 1e7 }, mode });
    const problems = check(schema, { path: 'a', content: 'x'.repeat(1e6), mode: 5 });
    expect(problems).toEqual(['mode: expected string or null, got integer']);
  });

  /** A schema of so many levels of two choices: two to the power of the levels are visited. */
  const choices = (levels: number): object => {
    const inner = levels === 1 ? { type: 'string' } : choices(levels - 1);
    return { anyOf: [inner, { ...inner }] };
  };

  it('does not keep a list of objects that have one of 30 forms from being checked', () => {
    const note = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const form = (kind: string) =>
      object(
        { kind: { const: kind }, id: { type: 'integer' }, name: { type: 'string' }, note },
        { required: ['kind', 'id'], additionalProperties: false },
      );
    const forms = { items: { anyOf: list(30).map((n) => form(`k${n}`)) } } as JsonSchema;
    const row = (id: JsonValue) => ({ kind: `k${Number(id) % 30}`, id, name: 'x', note: null });
    const rows = [...list(29).map(row), { ...row(0), id: 'x' }];
    expect(check(forms, rows)).toEqual(['[29].id: expected integer, got string']);
  });

  it('lets 20 calls with 60 members that may be null be checked', () => {
    const names = list(60).map((n) => `p${n}`);
    const member = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const schema = object(Object.fromEntries(names.map((name) => [name, member])), { required: names });
    const value = Object.fromEntries(names.map((name, n) => [name, n === 0 ? 5 : null]));
    const budget = createCheckBudget();
    const found = list(20).map(() => createValidator(schema as JsonSchema).check(value, budget).length);
    expect(found).toEqual(list(20).map(() => 1));
  });

  it('is not paid by parts that the schema never sees', () => {
    const schema = object({ a: choices(14) });
    expect(check(schema, { a: 1, junk: list(95_000) })).toEqual([]);
    const budget = createCheckBudget();
    const { left } = budget;
    createValidator(object({ a: true }) as JsonSchema).check({ junk: list(95_000) }, budget);
    createValidator(object({ a: { anyOf: [true] } }) as JsonSchema).check({ junk: list(95_000) }, budget);
    expect(budget.left).toBeLessThanOrEqual(left);
  });

  it('is shared by all checks with one budget', () => {
    const schema = choices(10);
    const budget = createCheckBudget();
    const validator = createValidator(schema as JsonSchema);
    const found = list(20).map(() => validator.check(1, budget).length);
    expect(found.slice(0, 2)).toEqual([1, 1]);
    expect(found.at(-1)).toBe(0);
    expect(validator.check(1)).toHaveLength(1);
  });
});

function list(length: number): number[] {
  return Array.from({ length }, (_, n) => n);
}
