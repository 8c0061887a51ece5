import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { guessForm } from './guess-form.js';
import { findSources, STANDARD_INPUT } from './source.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-guess-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function guessed(text: string, name = 'rows.jsonl'): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  const { sources } = await findSources([path]);
  return (await guessForm(sources[0] ?? STANDARD_INPUT))?.form ?? 'no rows';
}

const rows = {
  openai: {
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ],
  },
  anthropic: {
    system: 's',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
    ],
  },
  sharegpt: {
    conversations: [
      { from: 'human', value: 'a' },
      { from: 'gpt', value: 'b' },
    ],
  },
  glaive: { system: 'SYSTEM: You are helpful.', chat: 'USER: a\n\n\nASSISTANT: b <|endoftext|>' },
};

describe('the form of a file', () => {
  it.each(Object.entries(rows))('is told from its first rows: %s', async (form, row) => {
    expect(await guessed(`\n${JSON.stringify(row)}\n`)).toBe(form);
    expect(await guessed(JSON.stringify([row], null, 1), 'rows.json')).toBe(form);
    expect(await guessed(JSON.stringify(row), 'rows.jsonl.gz')).toBe(form);
  });

  it('is that of most rows, where some are broken', async () => {
    expect(await guessed(`{"messages"\n[]\n${`${JSON.stringify(rows.openai)}\n`.repeat(3)}`)).toBe('openai');
  });

  it('cannot be told from rows of no form, and not from a pipe', async () => {
    await expect(guessed('{"text": "a"}\n')).rejects.toThrow(/say which with --from/);
    await expect(guessed('\ufeff{\0"\0')).rejects.toThrow('write it as UTF-8 first');
    expect(await guessed('')).toBe('no rows');
    expect(await guessed(' \n\n')).toBe('no rows');
    await expect(guessForm(STANDARD_INPUT)).rejects.toThrow(/say its form, --from/);
  });
});
