import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringifyJson, type Tool } from '../../model/index.js';
import { flattenTool } from './tools.js';

describe('a flattened tool', () => {
  const flat = (properties: Record<string, unknown>, more: object = {}) => {
    const parameters = { type: 'object', properties, ...more } as NonNullable<Tool['parameters']>;
    return JSON.parse(stringifyJson(flattenTool({ name: 'a', parameters }), 'compact'));
  };

  it('has one of five types, and keeps what else a schema says under the same keys', () => {
    const { parameters } = flat({
      days: { type: 'integer', minimum: 1, default: 3 },
      unit: { enum: ['c', 'f'], description: 'Which' },
      anything: {},
    });
    expect(parameters).toEqual({
      days: { description: '', type: 'number', required: false, integer: true, minimum: 1, default: 3 },
      unit: { description: 'Which', type: 'string', required: false, enum: ['c', 'f'] },
      anything: { description: '', type: 'string', required: false, any: true },
    });
  });

  it('flattens objects, items and maps in the same form', () => {
    const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
    const { parameters } = flat({
      points: { type: 'array', items: point },
      env: { type: 'object', additionalProperties: { type: 'string' } },
    });
    const x = { description: '', type: 'number', required: true };
    expect(parameters.points.items).toEqual({ type: 'object', properties: { x } });
    expect(parameters.env.additionalProperties).toEqual({ type: 'string' });
  });

  it('keeps unions as JSON Schema beside the first type', () => {
    const { parameters } = flat({
      one: { type: ['null', 'integer', 'string'] },
      two: { anyOf: [{ type: 'boolean' }, { type: 'string' }], description: 'Two' },
    });
    expect(parameters.one).toMatchObject({ type: 'number', schema: { type: ['null', 'integer', 'string'] } });
    expect(parameters.two).toEqual({
      description: 'Two',
      type: 'boolean',
      required: false,
      schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
    });
  });

  it('follows references, and keeps those that lead in circles with their definitions', () => {
    const node = {
      type: 'object',
      properties: { size: { $ref: '#/$defs/Size' }, next: { $ref: '#/$defs/Node' } },
    };
    const $defs = { Node: node, Size: { type: 'number' }, Unused: { type: 'string' } };
    const tool = flat({ list: { $ref: '#/$defs/Node', description: 'A list' } }, { $defs });
    expect(tool.parameters.list).toMatchObject({ description: 'A list', type: 'object' });
    expect(tool.parameters.list.properties.size).toMatchObject({ type: 'number' });
    expect(tool.parameters.list.properties.next.schema).toEqual({ $ref: '#/$defs/Node' });
    expect(tool.$defs).toEqual({ Node: node, Size: { type: 'number' } });
  });

  it('keeps rules between properties', () => {
    const anyOf = [{ required: ['a'] }, { required: ['b'] }];
    const tool = flat(
      { a: { type: 'string' }, b: { type: 'string' } },
      { anyOf, additionalProperties: false },
    );
    expect(tool.schema).toEqual({ anyOf });
  });

  it('stays small where a few references stand for very many', () => {
    const $defs: Record<string, unknown> = { D0: { type: 'string' } };
    for (let at = 1; at <= 30; at++) {
      const below = { $ref: `#/$defs/D${at - 1}` };
      $defs[`D${at}`] = { type: 'object', properties: { left: below, right: below } };
    }
    const tool = flat({ root: { $ref: '#/$defs/D30' } }, { $defs });
    expect(JSON.stringify(tool).length).toBeLessThan(100_000);
    expect(Object.keys(tool.$defs).length).toBeGreaterThan(0);
  });

  it('is made of any schema at all', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      'allOf',
      'anyOf',
      'required',
      'enum',
      '__proto__',
    );
    const schema = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        value,
        fc.constantFrom({ type: 'string' }, { $ref: '#' }, { $ref: '#/items' }, { $ref: '#/allOf/0' }),
        fc.dictionary(keyword, fc.oneof(tie('schema'), fc.array(tie('schema')))),
      ),
    })).schema;
    fc.assert(
      fc.property(schema, (parameters) => {
        flattenTool({ name: 'a', parameters: parameters as NonNullable<Tool['parameters']> });
      }),
    );
  });
});
