// Corrects arguments of a dialect whose values are bare text. Without a schema `true` is read as a boolean; but if the
// renderer writes booleans as `True`, it was a string. A value's type is the one that renders to the same text.

import {
  type Dialect,
  type ExactValue,
  exactObject,
  type JsonObject,
  parse,
  readMembers,
  stringifyJson,
  type ToolCall,
  toPlain,
  Writer,
} from '@dragoman/core/internal';

/** Gives the calls with strings for the values that would be rendered differently. */
export function asWritten(dialect: Dialect, text: string, calls: readonly ToolCall[]): ToolCall[] {
  const strings = parse(dialect, text, { tools: stringTools(calls) }).calls;
  if (strings.length !== calls.length) return [...calls];
  return calls.map((call, at) => settle(dialect, call, strings[at]?.raw ?? '{}'));
}

/** Makes tools with string parameters only, each with the keys of all its calls. */
function stringTools(calls: readonly ToolCall[]): unknown[] {
  const keys = new Map<string, Set<string>>();
  for (const { name, raw = '{}' } of calls) {
    const known = keys.get(name) ?? new Set();
    for (const { key } of readMembers(raw)) known.add(key);
    keys.set(name, known);
  }
  return [...keys].map(([name, known]) => ({
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries([...known].map((key) => [key, { type: 'string' }])),
    },
  }));
}

function settle(dialect: Dialect, call: ToolCall, strings: string): ToolCall {
  const written = new Map(readMembers(strings).map(({ key, value }) => [key, value]));
  const members = readMembers(call.raw ?? '{}').map(({ key, value }): [string, ExactValue] => {
    const text = written.get(key);
    if (typeof text !== 'string') return [key, value];
    return [key, spelled(dialect, call, key, value) === spelled(dialect, call, key, text) ? value : text];
  });
  const input = exactObject(members);
  return { ...call, input: toPlain(input) as JsonObject, raw: stringifyJson(input, 'compact') };
}

function spelled(dialect: Dialect, call: ToolCall, key: string, value: ExactValue): string {
  const input = exactObject([[key, value]]);
  const out = new Writer(dialect.markers);
  const alone = { ...call, input: toPlain(input) as JsonObject, raw: stringifyJson(input, 'compact') };
  dialect.render.calls(out, [alone], { tools: [], afterText: false });
  return out.text;
}
