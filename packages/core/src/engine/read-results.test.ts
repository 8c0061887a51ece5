// Results are read back as their renderer spells them, or it is said that they cannot be.

import { describe, expect, it } from 'vitest';
import { findDialect } from '../dialects/all.js';
import { readResults } from './read-results.js';

const read = (name: string, text: string, waiting: number, alone = false) =>
  readResults(findDialect(name), text, { waiting, alone });

describe('Results', () => {
  it('have their names, ids and texts, in JSON or not', () => {
    expect(read('xlam', '{"name": "f", "result": "a\\n\\u003c"}\n\nAnd now?', 1)).toEqual({
      results: [{ name: 'f', text: 'a\n<' }],
      end: '{"name": "f", "result": "a\\n\\u003c"}'.length,
    });
    const text = '[TOOL_RESULTS] {"content": "a", "call_id": "x1"}[/TOOL_RESULTS]';
    expect(read('mistral-v3', text, 1)?.results).toEqual([{ text: 'a', callId: 'x1' }]);
  });

  it('are counted as far as there are any', () => {
    const text = [...Array(40).keys()].map((at) => `## Return of functions.f:${at}\n${at}`).join('\n');
    expect(read('kimi-k2', text, 40)?.results.map(({ text: said }) => said)).toEqual(
      [...Array(40).keys()].map(String),
    );
    expect(read('kimi-k2', text.replace('f:7', 'f:9'), 40)).toBeUndefined();
  });

  it('without an end have all that is left, and say so where a user may speak in it', () => {
    expect(read('react', 'Observation: a\nb', 1)?.isOpen).toBeUndefined();
    const open = read('react', 'Observation: a\n\nAnd now?', 1);
    expect(open).toMatchObject({ results: [{ text: 'a\n\nAnd now?' }], isOpen: true });
  });

  it('that any text may divide are as many as are due, or untold', () => {
    const two = '<results>\nf\na\n\nb c\n\ng\nd\n</results>';
    expect(read('command-r', two, 1)?.results).toEqual([{ name: 'f', text: 'a\n\nb c\n\ng\nd' }]);
    expect(read('command-r', two, 2)?.results).toEqual([
      { name: 'f', text: 'a\n\nb c' },
      { name: 'g', text: 'd' },
    ]);
    expect(read('command-r', two, 3)?.isUntold).toBe(true);
  });

  it('without a marker are a text of the user where none are due', () => {
    expect(read('llama3-json', '{"output": "a"}', 1)?.results).toEqual([{ text: 'a' }]);
    expect(read('llama3-json', '{"output": "a"}', 0)).toBeUndefined();
    expect(read('functionary-v3.2', 'Hello.', 1)).toBeUndefined();
  });
});
