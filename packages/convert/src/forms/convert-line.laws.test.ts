import { parseExact, stringifyJson } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTranscript } from './conversations.fixture.js';
import { createConvert } from './convert.js';
import { createConvertLine } from './convert-line.js';
import type { Form, Row } from './form.js';
import { forms } from './forms.js';

const plain = forms.filter((form): form is Form => !('create' in form));
const generated = fc.sample(anyTranscript, { numRuns: 60, seed: 9 });

/** By the exact reader and writer alone. */
function exactly(from: Form, to: Form): (line: string) => string {
  const convert = createConvert({ from, to });
  return (line) => stringifyJson(convert(parseExact(line) as Row).row as never, 'compact');
}

describe('the door from text to text', () => {
  it.each(plain)('gives the bytes of the exact door for rows of $name', (from) => {
    const lines = generated.map((transcript) =>
      stringifyJson(from.write(transcript).row as never, 'compact'),
    );
    for (const to of plain) {
      const [quick, exact] = [createConvertLine({ from, to }), exactly(from, to)];
      expect(lines.map((line) => quick(line).text)).toEqual(lines.map(exact));
    }
  });

  it('counts the calls', () => {
    const call = '{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}';
    const line = `{"messages":[{"role":"assistant","tool_calls":[${call},${call}]}]}`;
    const [form] = plain as [Form];
    expect(createConvertLine({ from: form, to: form })(line).calls).toBe(2);
  });
});
