// Writes tool definitions as types of TypeScript, as the templates of gpt-oss and Apertus print them:
//
//   // The weather of a place
//   type get_weather = (_: {
//   // A city
//   location: string,
//   days?: number, // default: 3
//   }) => any;
//
// The oddities are the templates' own: a line break and white space before the types of an object's members and
// before defaults. Whatever a type cannot express is left out.

import type { Writer } from '../../engine/dialect.js';
import { type ExactValue, stringifyJson, type Tool } from '../../model/index.js';
import { toPythonText } from './python-text.js';
import { isRecord, memberOf, membersOf, toolFunction } from './tool-text.js';

export interface TypeScriptLayout {
  /** The text after the last parameter. */
  last: string;
  /** The text after a definition; `between`: after all but the last. */
  behind: string;
  between: string;
}

export function writeTypeScriptTools(out: Writer, tools: readonly Tool[], layout: TypeScriptLayout): void {
  for (const [at, tool] of tools.entries()) {
    if (at > 0) out.ours(layout.between);
    const field = `tools[${at}]`;
    const definition = toolFunction(tool);
    const description = memberOf(definition, 'description');
    if (description !== undefined) out.ours('// ').outside(toPythonText(description), field).ours('\n');
    out.ours('type ').outside(tool.name, field).ours(' = ');
    writeParameters(out, memberOf(definition, 'parameters'), field, layout.last);
    out.ours(`) => any;${layout.behind}`);
  }
}

function writeParameters(out: Writer, parameters: ExactValue | undefined, field: string, last: string): void {
  const members = membersOf(memberOf(parameters, 'properties'));
  out.ours(members.length > 0 ? '(_: {\n' : '(');
  for (const [at, [name, schema]] of members.entries()) {
    const description = memberOf(schema, 'description');
    if (isTrue(description)) out.ours('// ').outside(toPythonText(description), field).ours('\n');
    out.outside(name, field).ours(isRequired(parameters, name) ? ': ' : '?: ');
    out.outside(typeOf(schema), field);
    writeDefault(out, schema, field);
    out.ours(at < members.length - 1 ? ',\n' : last);
  }
  if (members.length > 0) out.ours('}');
}

function writeDefault(out: Writer, schema: ExactValue, field: string): void {
  const given = memberOf(schema, 'default');
  if (given === undefined) return;
  const isPlain = isTrue(memberOf(schema, 'enum')) || isTrue(memberOf(schema, 'oneOf'));
  out.ours(isTrue(memberOf(schema, 'oneOf')) && !isTrue(memberOf(schema, 'enum')) ? '' : ', ');
  out.ours('// default: ').outside(isPlain ? toPythonText(given) : stringifyJson(given, 'python'), field);
}

/** Whether Python takes the value for true: an empty list, an empty text and None are false. */
function isTrue(value: ExactValue | undefined): value is ExactValue {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? membersOf(value).length > 0 : Boolean(value);
}

function isRequired(schema: ExactValue | undefined, name: string): boolean {
  const required = memberOf(schema, 'required');
  return Array.isArray(required) && required.includes(name);
}

// --- types ---------------------------------------------------------------------------------------------

/** The longest item type that is printed; lists with longer ones become `any[]`. */
const LONGEST_ITEM = 50;
const SCALARS = new Map<unknown, string>([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
]);

function typeOf(schema: ExactValue): string {
  const type = memberOf(schema, 'type');
  const oneOf = memberOf(schema, 'oneOf');
  if (type === 'array') return listType(schema) + orNull(schema);
  if (Array.isArray(type) && type.length > 0) return type.map(toPythonText).join(' | ');
  if (Array.isArray(oneOf) && oneOf.length > 0) return oneOf.map(variantType).join(' | \n');
  if (type === 'string') return stringType(schema);
  if (type === 'object') return objectType(schema);
  return SCALARS.get(type) ?? 'any';
}

const orNull = (schema: ExactValue) => (isTrue(memberOf(schema, 'nullable')) ? ' | null' : '');

function listType(schema: ExactValue): string {
  const items = memberOf(schema, 'items');
  if (!isTrue(items)) return 'any[]';
  const scalar = SCALARS.get(memberOf(items, 'type'));
  if (scalar !== undefined) return `${scalar}[]`;
  const inner = typeOf(items);
  return inner === 'object | object' || [...inner].length > LONGEST_ITEM ? 'any[]' : `${inner}[]`;
}

function variantType(variant: ExactValue): string {
  const description = memberOf(variant, 'description');
  const given = memberOf(variant, 'default');
  const comment = isTrue(description) ? `// ${toPythonText(description)}` : '';
  const value = given === undefined ? '' : `${' '.repeat(20)}// default: ${stringifyJson(given, 'python')}`;
  return typeOf(variant) + comment + value;
}

function stringType(schema: ExactValue): string {
  const options = memberOf(schema, 'enum');
  if (!Array.isArray(options) || options.length === 0) return `string${orNull(schema)}`;
  return `"${options.map(toPythonText).join('" | "')}"`;
}

function objectType(schema: ExactValue): string {
  const members = membersOf(memberOf(schema, 'properties'));
  if (members.length === 0) return 'object';
  const types = members.map(([name, member]) => {
    const mark = isRequired(schema, name) ? '' : '?';
    return `${name}${mark}: \n${' '.repeat(16)}${typeOf(member)}`;
  });
  return `{\n${types.join(', ')}}`;
}
