// Writes tool definitions as types of TypeScript, as Functionary's chat template does:
//
//   // The weather of a place
//   type get_weather = (_: {
//   // A city.
//   location: string,
//   near?: {
//       lat?: number,
//   },
//   tags?: string[],
//   }) => any;
//
// A comment has the description, the default, the format and the limits. A schema without a type gets an empty one.

import type { Writer } from '../../engine/dialect.js';
import { strip, toPythonText } from '../../families/writing/python-text.js';
import { isRecord, memberOf, membersOf, toolFunction } from '../../families/writing/tool-text.js';
import type { ExactValue, Tool } from '../../model/index.js';

type Member = [name: string, schema: ExactValue];

export function writeFunctionaryTools(out: Writer, tools: readonly Tool[]): void {
  out.ours(
    '// Supported function definitions that should be called when necessary.\nnamespace functions {\n\n',
  );
  for (const [at, tool] of tools.entries()) {
    const field = `tools[${at}]`;
    const definition = toolFunction(tool);
    const parameters = memberOf(definition, 'parameters');
    const members = membersOf(memberOf(parameters, 'properties'));
    out.ours('// ').outside(toPythonText(memberOf(definition, 'description') ?? ''), field);
    out.ours('\ntype ').outside(tool.name, field);
    if (members.length > 0)
      out
        .ours(' = (_: {')
        .outside(membersText(members, requiredOf(parameters), 0), field)
        .ours('\n})');
    else out.ours(' = ()');
    out.ours(' => any;\n\n');
  }
  out.ours('} // namespace functions');
}

function requiredOf(schema: ExactValue | undefined): readonly ExactValue[] {
  const required = memberOf(schema, 'required');
  return Array.isArray(required) ? required : [];
}

const margin = (depth: number) => `\n${' '.repeat(4 * depth)}`;

function membersText(members: readonly Member[], required: readonly ExactValue[], depth: number): string {
  let text = '';
  for (const [name, schema] of members) {
    if (isRecord(schema))
      text += memberText(name, schema, required.includes(name) ? name : `${name}?`, depth);
  }
  return text;
}

function memberText(name: string, schema: ExactValue, key: string, depth: number): string {
  const type = typeOf(schema);
  const items = memberOf(schema, 'items');
  const comment = commentOf(schema);
  const examples = examplesOf(name, schema, depth);
  const said = comment === undefined ? '' : margin(depth) + comment;
  if (type === 'object') {
    const inner = membersText(membersOf(memberOf(schema, 'properties')), requiredOf(schema), depth + 1);
    return `${said}${examples}${margin(depth)}${key}: {${inner}${margin(depth)}},`;
  }
  if (type === 'array' && memberOf(items, 'type') !== undefined) {
    const list = listText(key, schema, depth);
    return said + examples + (list.endsWith(',') ? list : `${list},`);
  }
  const shown = type === 'array' ? '[]' : `${enumOf(schema) ?? type}${isNullable(schema) ? ' | null' : ''}`;
  return `${said}${comment === undefined ? '' : examples}${margin(depth)}${key}: ${shown},`;
}

const isNullable = (schema: ExactValue) => Boolean(memberOf(schema, 'nullable'));

/** Writes a list. `key`: undefined for a list in a list. */
function listText(key: string | undefined, schema: ExactValue, depth: number): string {
  const items = memberOf(schema, 'items');
  const lead = key === undefined ? '' : `${key}: `;
  if (membersOf(items).length === 0) return `${margin(depth)}${lead}[]`;
  const type = typeOf(items as ExactValue);
  if (type === 'object') {
    const inner = membersText(membersOf(memberOf(items, 'properties')), requiredOf(items), depth + 1);
    return `${margin(depth)}${lead}{${inner}${margin(depth)}}[]`;
  }
  if (type === 'array') {
    const inner = listText(undefined, items as ExactValue, depth + 1);
    return key === undefined ? `\n${inner}[]` : `${margin(depth)}${lead}${strip(inner)}[]`;
  }
  const options = enumOf(items as ExactValue);
  if (options !== undefined) return `${key === undefined ? '' : margin(depth) + lead}(${options})[]`;
  return key === undefined ? `\n${type}[]` : `${margin(depth)}${lead}${type}[],`;
}

// --- types and comments --------------------------------------------------------------------------------

function typeOf(schema: ExactValue): string {
  const type = memberOf(schema, 'type');
  const oneOf = memberOf(schema, 'oneOf');
  if (type !== undefined) return inTypeScript(Array.isArray(type) ? type : [type]);
  const types = (Array.isArray(oneOf) ? oneOf : []).map((variant) => memberOf(variant, 'type'));
  return inTypeScript([...new Set(types.filter((one) => one !== undefined))]);
}

function inTypeScript(types: readonly ExactValue[]): string {
  const text = types.map(toPythonText).join(' | ');
  return text === 'integer' || text === 'float' ? 'number' : text;
}

function enumOf(schema: ExactValue): string | undefined {
  const options = memberOf(schema, 'enum');
  if (!Array.isArray(options)) return undefined;
  return options.map((one) => (typeof one === 'string' ? `"${one}"` : toPythonText(one))).join(' | ');
}

const LIMITS = [
  ['maximum', 'Maximum'],
  ['minimum', 'Minimum'],
  ['maxLength', 'Maximum length'],
  ['minLength', 'Minimum length'],
] as const;

function commentOf(schema: ExactValue): string | undefined {
  const description = memberOf(schema, 'description');
  const given = memberOf(schema, 'default');
  const format = formatOf(schema);
  const limits = LIMITS.filter(([key]) => memberOf(schema, key) !== undefined);
  const isLimited = limits.some(([key]) => Boolean(memberOf(schema, key)));
  if (description === undefined && given === undefined && format === undefined && !isLimited)
    return undefined;
  const words = ['//'];
  if (description !== undefined) words.push(endedByPoint(toPythonText(description)));
  if (given !== undefined) words.push(`Default=${defaultText(given, memberOf(schema, 'type'))}.`);
  if (format !== undefined) words.push(`Format=${format}`);
  for (const [key, name] of limits) words.push(`${name}=${toPythonText(memberOf(schema, key) ?? '')}`);
  return words.join(' ');
}

const endedByPoint = (text: string) => (text.endsWith('.') ? text : `${text}.`);

function defaultText(value: ExactValue, type: ExactValue | undefined): string {
  return type === 'string' ? `"${toPythonText(value)}"` : toPythonText(value);
}

/** Gives the format of a schema, or the formats of all its `oneOf` variants. */
function formatOf(schema: ExactValue): string | undefined {
  const format = memberOf(schema, 'format');
  if (format !== undefined) return toPythonText(format);
  const oneOf = memberOf(schema, 'oneOf');
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf
    .flatMap((variant) => memberOf(variant, 'format') ?? [])
    .map(toPythonText)
    .join(' or ');
}

function examplesOf(name: string, schema: ExactValue, depth: number): string {
  const examples = memberOf(schema, 'examples');
  if (!Array.isArray(examples)) return '';
  const lines = [`Example ${name}:`, ...examples.map(toPythonText)];
  return lines.map((line) => `${margin(depth)}// ${line.replaceAll("'", '"')}`).join('');
}
