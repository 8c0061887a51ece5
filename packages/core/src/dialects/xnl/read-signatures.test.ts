// Declarations say of a tool what they say to a model: its name, its description and a schema of the same calls.

import { describe, expect, it } from 'vitest';
import { Writer } from '../../engine/writer.js';
import { acceptTools, type JsonObject } from '../../model/index.js';
import { readSignatures } from './read-signatures.js';
import { writeSignatures } from './signatures.js';
import { xnl } from './xnl.js';

function readBack(name: string, properties: JsonObject, description?: string) {
  const parameters = { type: 'object', properties, required: Object.keys(properties).slice(0, 1) };
  const out = new Writer(xnl.markers);
  writeSignatures(out, acceptTools([{ name, ...(description && { description }), parameters }]));
  return readSignatures(out.text);
}

describe('Declarations', () => {
  it.each(['get_weather', 'SysBuiltIn.bash', 'get-weather', 'Tools.x', 'function'])('name %s', (name) => {
    expect(readBack(name, { city: { type: 'string' } }, 'Does */ it.\nWell.')).toMatchObject([
      { name, description: 'Does */ it.\nWell.', parameters: { required: ['city'] } },
    ]);
  });

  it.each<[string, JsonObject]>([
    ['a type', { type: 'boolean' }],
    ['a description', { type: 'string', description: 'Some; "words" (really)' }],
    ['what types cannot say', { type: 'integer', description: 'How far', minimum: 1, format: 'int32' }],
    ['lists with their own limits', { type: 'array', minItems: 1, items: { type: 'array', maxItems: 2 } }],
    ['objects', { type: 'object', properties: { 'x-y': { type: 'number' } }, required: ['x-y'] }],
  ])('say %s', (_, property) => {
    const [tool] = readBack('f', { a: { type: 'string' }, 'user id': property });
    expect(tool?.parameters).toMatchObject({ properties: { a: { type: 'string' }, 'user id': property } });
  });

  it('say literals and unions', () => {
    const [tool] = readBack('f', { unit: { enum: ['c', 1, null] }, id: { type: ['string', 'null'] } });
    expect(tool?.parameters).toMatchObject({
      properties: {
        unit: { anyOf: [{ const: 'c' }, { const: 1 }, { const: null }] },
        id: { anyOf: [{ type: 'string' }, { const: null }] },
      },
    });
  });

  it('say types that contain themselves', () => {
    const [tool] = readBack('f', { next: { $ref: '#' } });
    const self = { properties: { next: { $ref: '#/$defs/Input' } } };
    expect(tool?.parameters).toMatchObject({ properties: { next: self }, $defs: { Input: self } });
  });
});
