import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './folder.js';
import { type ReadOptions, readFile } from './read-file.js';

const root = mkdtempSync(join(tmpdir(), 'dragoman-read-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = Folder.at(root);

function read(content: string | Buffer, options: Partial<ReadOptions> = {}): Promise<string> {
  writeFileSync(join(root, 'file'), content);
  return again(options);
}

function again(options: Partial<ReadOptions> = {}): Promise<string> {
  const signal = new AbortController().signal;
  return readFile(folder, 'file', { offset: 1, limit: 1e9, length: 1000, signal, ...options });
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

describe('reading a file', () => {
  it.each(['text', 'text\n', '\n', '\ufeffwith a mark\r\nand line breaks\r\n', '漢字 😀 \u0000'.slice(0, 5)])(
    'gives %j as it is',
    async (text) => {
      expect(await read(text)).toBe(text);
    },
  );

  it('says that it is empty', async () => {
    expect(await read('')).toBe('[The file is empty.]');
  });

  it('gives the lines that are asked for, and says how to go on', async () => {
    expect(await read(numbered(9), { offset: 3, limit: 2 })).toBe(
      'line 3\nline 4\n[Lines 3 to 4 of a file of 63 bytes. Go on with offset 5.]',
    );
    expect(await again({ offset: 8, limit: 2 })).toBe('line 8\nline 9\n');
    expect(await again({ offset: 9 })).toBe('line 9\n');
    await expect(again({ offset: 10 })).rejects.toThrow('Line 10 is behind the end: the file has 9 lines.');
    await expect(read('a\nb', { offset: 3 })).rejects.toThrow('the file has 2 lines');
  });

  it('goes through any text by following its notes, and loses nothing', async () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀'), maxLength: 9 }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 20, max: 60 }), async (parts, length) => {
        const whole = `${parts.join('\n')}\nend`;
        let gathered = '';
        let offset: number | undefined = 1;
        await read(whole);
        while (offset !== undefined) {
          const text: string = await again({ offset, length });
          const note: RegExpExecArray | null = /\[Lines .* Go on with offset (\d+)\.\]$/.exec(text);
          gathered += note ? text.slice(0, note.index) : text;
          offset = note ? Number(note[1]) : undefined;
        }
        expect(gathered).toBe(whole);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it('cuts a line that is too long alone, not through a character', async () => {
    const text = await read(`${'😀'.repeat(1000)}\nnext\n`, { length: 101 });
    expect(text).toBe(
      `${'😀'.repeat(50)}\n[Cut inside line 1, which is too long to show; the file has 4006 bytes.]`,
    );
  });

  it('reads lines across its chunks', async () => {
    const text = `${'é'.repeat(40_000)}\n${'x'.repeat(70_000)}\nlast 😀\n`;
    expect(await read(text, { offset: 3 })).toBe('last 😀\n');
    expect(await read(text, { length: 1_000_000 })).toBe(text);
  });

  it('reads of a big file only what is needed', async () => {
    writeFileSync(join(root, 'file'), numbered(20_000));
    truncateSync(join(root, 'file'), 50 * 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect(await again({ limit: 1 })).toMatch(/^line 1\n\[Lines 1 to 1 of a file of 53687091200 bytes/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });

  it('reports what is no text, and does not show it', async () => {
    await expect(read(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]))).rejects.toThrow(
      'binary file of 7 bytes',
    );
    await expect(read(Buffer.from([0x1f, 0x8b, 0xff, 0xfe, 0x61]))).rejects.toThrow('binary file of 5 bytes');
    await expect(read(Buffer.from('text', 'utf16le'))).rejects.toThrow('not UTF-8');
  });

  it('shows text with a few bad bytes, and says so', async () => {
    const text = await read(Buffer.from("caf\xe9 au lait, s'il vous pla\u00eet", 'latin1'));
    expect(text).toContain('caf\ufffd au lait');
    expect(text).toContain('[2 places show \ufffd: bytes that are not UTF-8.');
  });

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(again({ signal })).rejects.toThrow('stopped');
  });
});
