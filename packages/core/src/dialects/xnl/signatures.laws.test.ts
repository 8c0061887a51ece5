import fc from 'fast-check';
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
  it('are declarations, and hold no marker, whatever a tool says', () => {
    const piece = fc.constantFrom(
      ...marks,
      '*/',
      '/*',
      '*',
      '/',
      '//',
      '\n',
      '\r',
      '\u2028',
      '"',
      '\\',
      '`',
      '${',
      '}',
      ')',
      ';',
    );
    const hostile = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 8, maxLength: 8 }), (texts) => {
        const [name = '', description = '', key = '', note, choice, pattern, ref, title] = texts;
        const member = { description: note, enum: [choice, { [choice ?? '']: choice }], pattern };
        const items = { type: 'array', items: { type: 'string', description: note, title, default: choice } };
        const properties = Object.fromEntries([
          [key, member],
          ['list', items],
          ['other', { $ref: ref }],
        ]);
        const parameters = { description: title, type: 'object', properties } as Schema;
        const text = signatures({ name, description, parameters }, { name: `${name}.a`, description });
        expectDeclarations(text);
        for (const mark of marks) expect(text).not.toContain(mark);
      }),
    );
  });
});
