// Writes tools as TypeScript declarations, one namespace each:
//
//   declare namespace Tools {
//     /** Weather of a city */
//     function get_weather(input: { location: string }): Promise<string>;
//   }
//
// A namespace with a tool whose name cannot be declared becomes an object, with a comment on how to call such a tool.

import { NO_MARKERS } from '../../engine/markers.js';
import { Writer } from '../../engine/writer.js';
import { SchemaWalk } from '../../families/writing/schema-places.js';
import {
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  stringifyJson,
  type Tool,
} from '../../model/index.js';
import { escapeLineEnds, isDeclarable, isIdentifier, toXnlPath, toXnlSegments } from './names.js';
import { commentLines, type Spelling, typeText } from './types.js';

interface Declared {
  tool: Tool;
  /** The last segment of its path. */
  name: string;
  field: string;
}

/** Writes the declarations of all tools. Namespaces come in the order of their first tool. */
export function writeSignatures(out: Writer, tools: readonly Tool[]): void {
  const taken = new Set(['Array', 'Promise', 'Record']);
  const blocks = [...byNamespace(tools)].map(([namespace, declared]) => {
    const isMember = !declared.every(({ name }) => isDeclarable(name));
    const signatures = declared.map((one) => signature(one, isMember, spellingFor(out, one.field), taken));
    const head = isMember ? `declare const ${namespace}: {` : `declare namespace ${namespace} {`;
    const types = signatures.flatMap((one) => one.types);
    const lines = signatures.map((one) => one.line);
    return `${types.join('')}${head}\n${lines.join('')}${isMember ? '};' : '}'}`;
  });
  // Every piece from outside was escaped already.
  out.outside(blocks.join('\n\n'), 'tools', NO_MARKERS);
}

function byNamespace(tools: readonly Tool[]): Map<string, Declared[]> {
  const namespaces = new Map<string, Declared[]>();
  for (const [at, tool] of tools.entries()) {
    const segments = toXnlSegments(tool.name);
    const name = segments.pop() ?? '';
    const namespace = segments.join('.');
    const declared = namespaces.get(namespace) ?? [];
    declared.push({ tool, name, field: `tools[${at}]` });
    namespaces.set(namespace, declared);
  }
  return namespaces;
}

interface Signature {
  /** Declarations of the types it names. */
  types: string[];
  line: string;
}

function signature(
  declared: Declared,
  isMember: boolean,
  spelling: CodeSpelling,
  taken: Set<string>,
): Signature {
  const { tool, name } = declared;
  const { input, types } = inputType(tool, spelling, taken);
  const spelled = isDeclarable(name) ? name : spelling.literal(name);
  const head = isMember ? spelled : `function ${spelled}`;
  const hint = isIdentifier(name) ? '' : `  // called as ${spelling.code(toXnlPath(tool.name))}({ … })\n`;
  const comment = commentLines(spelling, tool.description ?? '', '  ');
  return { types, line: `${comment}${hint}  ${head}(input: ${input}): Promise<string>;\n` };
}

function inputType(tool: Tool, spelling: Spelling, taken: Set<string>): { input: string; types: string[] } {
  const walk = new SchemaWalk(rootOf(tool));
  const names = new Map<string, string>();
  const nameOf = (ref: string) => {
    const name = names.get(ref) ?? freshName(ref, taken);
    names.set(ref, name);
    return name;
  };
  const printing = { ...spelling, walk, nameOf };
  const input = typeText(printing, walk.start(), '  ');
  const types: string[] = [];
  // Printing a type may add names to the map; the loop visits them, too.
  for (const [ref, name] of names) {
    const place = walk.at(ref);
    if (place !== undefined) types.push(`type ${name} = ${typeText(printing, place, '')};\n`);
  }
  return { input, types };
}

/** Gives the schema of the input: always an object, and without the title, which repeats the tool's name. */
function rootOf({ parameters }: Tool): JsonSchema {
  if (!isObject(parameters)) return { type: 'object' };
  const { title, ...root } = parameters as JsonObject;
  return Object.keys(root).length > 0 ? root : { type: 'object' };
}

/** Gives a fresh type name: `#/$defs/tree-node` is `Treenode`, or `Treenode2` if that is taken. */
function freshName(ref: string, taken: Set<string>): string {
  const last = ref
    .slice(ref.lastIndexOf('/') + 1)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 40);
  const name = last === '' ? 'Input' : last.charAt(0).toUpperCase() + last.slice(1);
  let fresh = name;
  for (let number = 2; taken.has(fresh); number++) fresh = `${name}${number}`;
  taken.add(fresh);
  return fresh;
}

interface CodeSpelling extends Spelling {
  /** Escapes markers in the strings of code. */
  code(text: string): string;
}

/**
 * Makes the escapes: markers are broken in comments, as in all text, and escaped in strings, as JSON and JavaScript
 * allow.
 */
function spellingFor(out: Writer, field: string): CodeSpelling {
  const scratch = () => new Writer(out.markers, out.safety);
  const code = (text: string) => scratch().jsonText(text, field).text;
  return {
    code,
    comment: (text) => scratch().outside(text, field).text.replaceAll('*/', '*\\/'),
    literal: (value: JsonValue) => code(escapeLineEnds(stringifyJson(value, 'compact'))),
  };
}
