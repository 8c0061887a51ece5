// Training data by the command: on threads, in the filter and in Parquet, the same rows.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openParquet } from '@dragoman/convert/files';
import { afterAll, describe, expect, it } from 'vitest';

const command = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const tokenizer = fileURLToPath(new URL('../../../../test/masks/byte-level.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-training-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const row = (n: number) => ({
  messages: [
    { role: 'user', content: `Question ${n} 😀` },
    { role: 'assistant', content: 'One.' },
    { role: 'user', content: 'And?' },
    { role: 'assistant', content: 'Two 🎉.' },
  ],
  id: n,
});
const rows = Array.from({ length: 400 }, (_, n) => `${JSON.stringify(row(n))}\n`).join('');
const input = join(folder, 'rows.jsonl');
writeFileSync(input, rows);

function run(args: string[], stdin?: string) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, 'convert', ...args], {
    encoding: 'utf8',
    ...(stdin !== undefined && { input: stdin }),
    maxBuffer: 1 << 28,
  });
  return { stdout, stderr, status };
}

const masked = ['--from', 'openai', '--to', 'prompt:hermes', '--mask', '--tokenizer', tokenizer];

describe('dragoman convert for training data', () => {
  it('gives the same rows on threads, in the filter and in Parquet', async () => {
    const lines = join(folder, 'out.jsonl');
    const table = join(folder, 'out.parquet');
    expect(run([input, ...masked, '-o', lines, '--jobs', '2', '--block-size', '8192']).status).toBe(0);
    expect(run([input, ...masked, '-o', table]).status).toBe(0);
    const filtered = run([...masked, '--jsonl'], rows);
    const written = readFileSync(lines, 'utf8');
    expect(filtered.stdout).toBe(written);
    const parquet = await openParquet(table);
    const read = (await parquet.readGroup(0)).map((line) => JSON.parse(line));
    await parquet.close();
    expect(read).toEqual(
      written
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  });

  it('masks what the model writes, in code points, and labels it', () => {
    const { stdout } = run([...masked, '--train', 'last', '--mask-without', 'reasoning', '--jsonl'], rows);
    const first = JSON.parse(stdout.split('\n')[0] ?? '');
    const characters = [...first.prompt];
    const said = first.mask.map(({ kind, start, end }: { kind: string; start: number; end: number }) => [
      kind,
      characters.slice(start, end).join(''),
    ]);
    expect(said).toEqual([
      ['text', 'Two 🎉.'],
      ['end', '<|im_end|>'],
    ]);
    const learnt = first.labels.filter((label: number) => label !== -100);
    expect(learnt.length).toBeGreaterThan(2);
    expect(first.attention_mask).toHaveLength(first.input_ids.length);
  });

  it('writes one sample a turn, and what breaks the prefix', () => {
    const args = ['--from', 'openai', '--to', 'prompt:hermes', '--per-turn', '--check-prefix', '--jsonl'];
    const samples = run(args, `${JSON.stringify(row(1))}\n`)
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(samples.map(({ turn, id }) => [turn, id])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(samples[1].completion).toBe('<think>\n\n</think>\n\nTwo 🎉.<|im_end|>');
    expect(samples[0].prefix).toEqual({
      whole: false,
      breaks: [{ turn: 1, rule: 'answer-start', characters: expect.any(Number) }],
    });
  });

  it('refuses options that would change nothing', () => {
    const to = ['--from', 'openai', '--to'];
    expect(run([...to, 'anthropic', '--mask', '--jsonl']).stderr).toContain('--mask is for');
    expect(run([...to, 'prompt:hermes', '--train', 'last', '--jsonl']).stderr).toContain('--train is for');
    expect(run([...to, 'messages:hermes', '--mask', '--tokenizer', tokenizer, '--jsonl']).stderr).toContain(
      '--tokenizer is for',
    );
    expect(run([input, ...to, 'openai', '--arguments', 'struct', '--jsonl']).status).toBe(2);
  });
});
