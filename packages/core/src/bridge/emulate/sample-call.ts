// An example call in a dialect, made up from a tool's schema: shown to a model that could not write one.

import type { Dialect } from '../../engine/dialect.js';
import { Writer } from '../../engine/writer.js';
import { isObject, type JsonObject, type JsonValue, type Tool } from '../../model/index.js';

export function sampleCall(dialect: Dialect, tool: Tool): string {
  const out = new Writer(dialect.markers);
  const call = { type: 'tool-call' as const, id: 'call_1', name: tool.name, input: sampleInput(tool) };
  dialect.render.calls(out, [call], { tools: [tool], afterText: false });
  return out.text;
}

/** Gives values for the required members, or for the first two. */
function sampleInput(tool: Tool): JsonObject {
  const schema = isObject(tool.parameters) ? tool.parameters : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  const shown = names.filter((name) => required.includes(name));
  const chosen = shown.length > 0 ? shown : names.slice(0, 2);
  return Object.fromEntries(chosen.map((name) => [name, sampleValue(properties[name])]));
}

function sampleValue(schema: unknown): JsonValue {
  if (!isObject(schema)) return '…';
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0] as JsonValue;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleValue(schema.items)];
    case 'object':
      return {};
    case 'null':
      return null;
    default:
      return '…';
  }
}
