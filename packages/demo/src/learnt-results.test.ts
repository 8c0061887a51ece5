import { dialects, findDialect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { blanksIn, createSeeker, matchBlanks } from './blanks.js';
import { learnResults } from './learnt-results.js';

describe('words with blanks', () => {
  const blanks = blanksIn('\n## Return of functions.demo_tool:1\n');

  it('stand around any name and any number', () => {
    const text = 'a\n## Return of functions.get_weather:12\nb';
    expect(matchBlanks(text, 1, blanks)).toBe(text.length - 1);
    expect(matchBlanks(text, 0, blanks)).toBe(-1);
    expect(createSeeker(text, blanks)(0)).toEqual({ at: 1, end: text.length - 1 });
  });

  it('do not stand around what is no name', () => {
    expect(matchBlanks('\n## Return of functions.two words:1\n', 0, blanks)).toBe(-1);
    expect(matchBlanks(`\n## Return of functions.${'x'.repeat(300)}:1\n`, 0, blanks)).toBe(-1);
  });

  it('are found one after the other', () => {
    const seek = createSeeker('<1>a<22>b', blanksIn('<1>'));
    expect([seek(0), seek(1), seek(5)]).toEqual([{ at: 0, end: 3 }, { at: 4, end: 8 }, undefined]);
  });
});

describe('results', () => {
  const read = (name: string, text: string, answersCalls = false) =>
    learnResults(findDialect(name)).read(text, () => answersCalls);

  it('end where their last frame closes, and what a user adds stands behind', () => {
    const text = '<tool_output>\none\n</tool_output>\n<tool_output>\ntwo\n</tool_output>\n\nand now?';
    expect(read('ernie-4.5', text)).toEqual({
      results: [{ text: 'one' }, { text: 'two' }],
      end: text.indexOf('\n\nand'),
    });
  });

  it('are read out of JSON, with names and ids in it', () => {
    const text = '[TOOL_RESULTS] {"content": "a \\"b\\"", "call_id": "x9"}[/TOOL_RESULTS] more';
    expect(read('mistral-v3', text)?.results).toEqual([{ text: 'a "b"' }]);
  });

  it('are all of a text that answers calls, where nothing stands around them', () => {
    expect(read('functionary-v3.2', 'one\ntwo', true)?.results).toEqual([{ text: 'one\ntwo' }]);
    expect(read('functionary-v3.2', 'one\ntwo')).toBeUndefined();
  });

  it.each(dialects.map(({ name }) => name))('are not found in what a user says: %s', (name) => {
    for (const text of ['', 'Hello', '{"a": 1}', '<b>bold</b>']) expect(read(name, text)).toBeUndefined();
  });
});
