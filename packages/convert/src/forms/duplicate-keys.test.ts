import { describe, expect, it } from 'vitest';
import { createConvertLine } from './convert.js';
import { findForm } from './forms.js';

const rowOf = (args: string) =>
  `{"messages": [{"role": "user", "content": "{\\"a\\": 1, \\"a\\": 2}"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": ${args}}}]}]}`;

function duplicatesIn(line: string, to = 'anthropic'): string[] {
  const convert = createConvertLine({ from: findForm('openai'), to: findForm(to) });
  return convert(line)
    .notes.filter(({ kind, code }) => kind === 'issue' && code === 'duplicate-key')
    .map(({ path }) => path);
}

describe('a key that stands twice', () => {
  it.each(['anthropic', 'sharegpt', 'openai'])('in arguments that are text is noted: to %s', (to) => {
    const line = rowOf(JSON.stringify('{"city": "Oslo", "at": {"x": 1}, "city": "Rome"}'));
    expect(duplicatesIn(line, to)).toEqual(['messages[1].parts[0]']);
    expect(duplicatesIn(rowOf(JSON.stringify('{"at": {"x": 1, "x": 2}}')), to)).toHaveLength(1);
  });

  it('in an object of the row is noted with the key', () => {
    expect(duplicatesIn(rowOf('{"city": "Oslo", "city": "Rome"}'))).toEqual(['city']);
    // Digits and keys that JavaScript would change.
    expect(duplicatesIn(rowOf('{"1": 1.0, "a": 12345678901234567890, "1": 2}'))).toEqual(['1']);
  });

  it('is not seen in texts, or in rows with all kinds of values', () => {
    const values =
      '{"1": 1.0, "a": 12345678901234567890, "__proto__": {"a": ["b: c", {"a": null}]}, "b": "\\\\\\"a\\":"}';
    expect(duplicatesIn(rowOf(values))).toEqual([]);
    expect(duplicatesIn(rowOf(JSON.stringify(values)))).toEqual([]);
  });
});
