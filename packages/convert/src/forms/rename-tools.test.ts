import { describe, expect, it } from 'vitest';
import { createConvertLine } from './convert.js';
import { findForm } from './forms.js';

const call = (id: string, name: string) => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});
const tool = (name: string) => ({ type: 'function', function: { name, strict: true, description: 'd' } });

function row(...names: string[]): string {
  return JSON.stringify({
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: null, tool_calls: names.map((name, at) => call(`c${at}`, name)) },
      ...names.map((name, at) => ({ role: 'tool', tool_call_id: `c${at}`, content: 'r', name })),
    ],
    tools: names.map(tool),
  });
}

const openai = findForm('openai');
const renamed = createConvertLine({ from: openai, to: openai, renameTools: true });

describe('tools whose names an API refuses', () => {
  it('are renamed in definitions, calls and results, and noted once each', () => {
    const { text, notes } = renamed(row('Market Trends API', 'f'));
    expect(text).toBe(row('Market_Trends_API', 'f'));
    expect(notes).toEqual([{ kind: 'loss', code: 'tool-names', path: 'tools[0]' }]);
  });

  it('stay apart where their new names would be the same', () => {
    const long = 'n'.repeat(80);
    const { text } = renamed(row('a b', 'a_b', 'a.b', `${long}1`, `${long}2`));
    expect(text).toBe(row('a_b_2', 'a_b', 'a_b_3', 'n'.repeat(64), `${'n'.repeat(62)}_2`));
  });

  it('are left alone where all are taken, and without the option', () => {
    expect(renamed(row('f', 'read-file'))).toMatchObject({ text: row('f', 'read-file'), notes: [] });
    const plain = createConvertLine({ from: openai, to: openai });
    expect(plain(row('a b'))).toMatchObject({ text: row('a b'), notes: [] });
  });

  it('make a row bad in a dialect, with a reason that names the option', () => {
    const to = findForm('messages', { dialect: 'hermes' });
    expect(() => createConvertLine({ from: openai, to })(row('a b'))).toThrow(
      /tools\[0\]\.name: expected a name .* found "a b"\. .*--rename-tools/,
    );
    expect(createConvertLine({ from: openai, to, renameTools: true })(row('a b')).text).toContain('"a_b"');
  });
});
