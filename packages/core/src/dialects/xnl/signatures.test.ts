import ts from 'typescript-6';
import { describe, expect, it } from 'vitest';
import { defineMarkers } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import type { Tool } from '../../model/index.js';
import { writeSignatures } from './signatures.js';

const marks = [
  '!quote_start',
  '!quote_end',
  '!unquote_start',
  '!unquote_end',
  '<tool_call',
  '<tool_resp',
  '</#',
];
const markers = defineMarkers(marks);

type Schema = NonNullable<Tool['parameters']>;

function signatures(...tools: Tool[]): string {
  const out = new Writer(markers);
  writeSignatures(out, tools);
  return out.text;
}

function typeOf(schema: unknown, more: object = {}): string {
  const parameters = { type: 'object', properties: { x: schema }, required: ['x'], ...more } as Schema;
  const text = signatures({ name: 'f', parameters });
  expectDeclarations(text);
  return /x: (.*?);? \}\): Promise/s.exec(text)?.[1] ?? text;
}

function syntaxErrors(text: string): string[] {
  const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, fileName: 'tools.ts' });
  return (diagnostics ?? []).map(({ messageText }) => String(messageText));
}

function expectDeclarations(text: string): ts.SourceFile {
  expect(syntaxErrors(text)).toEqual([]);
  const source = ts.createSourceFile('tools.d.ts', text, ts.ScriptTarget.ESNext, true);
  for (const statement of source.statements) {
    const isDeclaration =
      ts.isModuleDeclaration(statement) ||
      ts.isVariableStatement(statement) ||
      ts.isTypeAliasDeclaration(statement);
    expect(isDeclaration, statement.getText()).toBe(true);
  }
  return source;
}

describe('signatures', () => {
  it('are grouped by namespace, with descriptions and constraints as comments', () => {
    const text = signatures(
      {
        name: 'get_weather',
        description: 'Weather of a city',
        parameters: {
          type: 'object',
          properties: {
            location: { type: 'string' },
            days: { type: 'integer', description: 'How far ahead', minimum: 1, default: 3 },
            unit: { enum: ['celsius', 'fahrenheit'] },
          },
          required: ['location'],
        },
      },
      {
        name: 'SysBuiltIn.bash',
        parameters: { type: 'object', properties: { command: { type: 'string' } } },
      },
    );
    expect(text).toBe(`declare namespace Tools {
  /** Weather of a city */
  function get_weather(input: {
    location: string;
    /** How far ahead (integer, minimum: 1, default: 3) */
    days?: number;
    unit?: "celsius" | "fahrenheit";
  }): Promise<string>;
}

declare namespace SysBuiltIn {
  function bash(input: { command?: string }): Promise<string>;
}`);
    expectDeclarations(text);
  });

  it('are members of an object where a name cannot be declared', () => {
    const text = signatures(
      { name: 'get-weather' },
      { name: 'new' },
      { name: 'constructor' },
      { name: 'a.b-c' },
    );
    expect(text).toContain('  // called as Tools["get-weather"]({ … })\n  "get-weather"(input: ');
    expect(text).toContain('  "new"(input: ');
    expectDeclarations(text);
  });

  it('give a type a name where it holds itself', () => {
    const $defs = {
      'tree-node': {
        type: 'object',
        properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree-node' } } },
      },
    };
    const tree = { type: 'object', properties: { tree: { $ref: '#/$defs/tree-node' } }, $defs };
    const text = signatures({ name: 'f', parameters: tree }, { name: 'g', parameters: tree });
    expect(text).toContain('type Treenode = { kids?: Treenode[] };\n');
    expect(text).toContain('type Treenode2 = { kids?: Treenode2[] };\n');
    expectDeclarations(text);
  });

  it.each<[string, unknown, string]>([
    ['an enum', { enum: ['a', 1, null, true] }, '"a" | 1 | null | true'],
    ['a constant', { const: 'a' }, '"a"'],
    ['a constant object', { const: { a: [1, 'b'] } }, '{"a":[1,"b"]}'],
    ['a type list', { type: ['string', 'null'] }, 'string | null'],
    [
      'a union',
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
      'string | number[]',
    ],
    ['a list of a union', { type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
    [
      'an intersection',
      {
        allOf: [{ type: 'object', properties: { a: {} } }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
      },
      '{ a?: unknown } & (string | null)',
    ],
    [
      'a nested object',
      { type: 'object', properties: { 'a-b': { type: 'string' } }, required: ['a-b'] },
      '{ "a-b": string }',
    ],
    ['nullable', { type: 'string', nullable: true }, 'string | null'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [
      'a map with known keys',
      { properties: { a: {} }, additionalProperties: true },
      '{ a?: unknown; [key: string]: unknown }',
    ],
    ['a tuple', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, '[string, ...number[]]'],
    ['a free object', { type: 'object' }, 'Record<string, unknown>'],
    ['anything', true, 'unknown'],
    ['nothing', false, 'never'],
    ['a missing reference', { $ref: '#/$defs/None' }, 'unknown /* #/$defs/None */'],
    ['a reference', { $ref: '#/$defs/Size' }, '1 | 2'],
    [
      'an object and more',
      { type: 'object', properties: { a: {} }, allOf: [{ properties: { b: {} } }] },
      '{ a?: unknown } & { b?: unknown }',
    ],
  ])('spell %s', (_, schema, type) => {
    expect(typeOf(schema, { $defs: { Size: { enum: [1, 2] } } })).toBe(type);
  });

  it('stay small where a few references stand for very many', () => {
    const $defs: Record<string, Schema> = { D0: { type: 'string' } };
    for (let at = 1; at <= 30; at++) {
      const below = { $ref: `#/$defs/D${at - 1}` };
      $defs[`D${at}`] = { type: 'object', properties: { left: below, right: below } };
    }
    const text = signatures({ name: 'f', parameters: { $ref: '#/$defs/D30', $defs } as Schema });
    expect(text.length).toBeLessThan(100_000);
    expectDeclarations(text);
  });

  it('say which tool a marker was found in, where markers are rejected', () => {
    const out = new Writer(markers, 'reject');
    expect(() => writeSignatures(out, [{ name: 'a' }, { name: 'b', description: '!unquote_end' }])).toThrow(
      /^tools\[1\]: /,
    );
  });
});
