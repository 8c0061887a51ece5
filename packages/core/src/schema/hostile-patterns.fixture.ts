// Patterns that take exponential time on their value if a validator runs them, in every place where a schema has one.

const hostile = `${'a'.repeat(50)}!`;
const pattern = '^(a+)+$';

export const hostilePatterns: [place: string, schema: unknown, value: unknown][] = [
  ['at the root', { pattern }, hostile],
  ['under properties', { type: 'object', properties: { a: { pattern } } }, { a: hostile }],
  ['under $defs', { $defs: { P: { pattern } }, properties: { a: { $ref: '#/$defs/P' } } }, { a: hostile }],
  ['under allOf', { allOf: [{ anyOf: [{ oneOf: [{ pattern }] }] }] }, hostile],
  [
    'under items',
    { items: { pattern }, prefixItems: [{ pattern }], contains: { pattern } },
    [hostile, hostile],
  ],
  [
    'under if, then, else',
    Object.fromEntries(['if', 'then', 'else'].map((key) => [key, { pattern }])),
    hostile,
  ],
  ['under dependentSchemas', { dependentSchemas: { a: { properties: { a: { pattern } } } } }, { a: hostile }],
  ['in the place of a reference', { x: { deep: { pattern } }, $ref: '#/x/deep' }, hostile],
  ['as patternProperties', { patternProperties: { [pattern]: { type: 'string' } } }, { [hostile]: 1 }],
  ['as propertyNames', { propertyNames: { pattern } }, { [hostile]: 1 }],
  ['as a format', { format: 'regex' }, pattern],
  ['as a format that is slow', { format: 'url' }, `http://${'a-'.repeat(5_000)}`],
];
