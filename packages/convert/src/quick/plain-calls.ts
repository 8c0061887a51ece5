// Recognises calls and definitions that certainly read back unchanged from a text in a dialect.

import { type Dialect, hasMarker, type Tool, type ToolCall } from '@dragoman/core/internal';
import { saysSomething } from '../forms/losses.js';
import { isRow, keysOf, memberOf } from '../forms/members.js';

const NAME = /^[A-Za-z0-9_.:-]{1,128}$/;
/** JSON with fewer brackets than this cannot be nested too deep, so it need not be parsed to find out. */
const BRACKETS = 100;
const LENGTH = 100_000;

/** Whether the tool is in OpenAI's shape, with a valid schema. */
export function isPlainTool({ name, source, extra, parameters }: Tool): boolean {
  if (!NAME.test(name) || (extra && saysSomething(extra)) || !isRow(source)) return false;
  const inner = memberOf(source, 'function');
  if (keysOf(source).length !== 2 || memberOf(source, 'type') !== 'function' || !isRow(inner)) return false;
  if (parameters === undefined) return true;
  const schema = memberOf(inner, 'parameters');
  return isRow(schema) && !Object.hasOwn(schema, 'jsonSchema') && !Object.hasOwn(schema, '~standard');
}

export function isPlainInput(
  { traits, markers }: Dialect,
  { name, input, raw }: ToolCall,
  tools: readonly Tool[],
): boolean {
  if (traits.ids || !NAME.test(name) || typeof input !== 'object' || input === null) return false;
  const text = raw ?? JSON.stringify(input);
  if (text.length > LENGTH || text.includes('\\u') || !text.isWellFormed() || !isFlat(text)) return false;
  if (traits.values === 'json' && !traits.coercesStrings) return true;
  if (hasMarker(text, markers)) return false;
  const tool = tools.find((one) => one.name === name);
  const properties = typeof tool?.parameters === 'object' ? tool.parameters.properties : undefined;
  if (!isRow(properties)) return false;
  return Object.entries(input).every(([key, value]) => {
    if (!/^[a-z_]+$/.test(key)) return false;
    const schema = memberOf(properties, key);
    if (isRow(schema)) return isTyped(value, memberOf(schema, 'type'));
    // Parsers look into `arguments` and `input` for the other arguments.
    return schema === undefined && key !== 'arguments' && key !== 'input' && isProse(value);
  });
}

function isFlat(text: string): boolean {
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > BRACKETS) return false;
    }
  }
  return true;
}

/** Whether a value written as bare text keeps its type by the schema. */
function isTyped(value: unknown, type: unknown): boolean {
  if (type === 'string') return typeof value === 'string' && value.trim() !== '';
  if (type === 'integer') return Number.isSafeInteger(value) && !Object.is(value, -0);
  return type === 'boolean' && typeof value === 'boolean';
}

/** Whether the text cannot be taken for a value of another type. */
function isProse(value: unknown): boolean {
  return typeof value === 'string' && /^[ \t]*(?:[\p{L}#/<*@`]|- )\S*\s+\S/u.test(value);
}
