// Training data by the command: on threads, in the filter and in Parquet, the same rows.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openParquet } from '@dragoman/convert/files';
import { afterAll, describe, expect, it } from 'vitest';
import { manyRuns } from '../many-runs.fixture.js';

const tokenizer = fileURLToPath(new URL('../../../../test/masks/byte-level.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-training-'));
const dragoman = manyRuns();
afterAll(async () => {
  await dragoman.end();
  rmSync(folder, { recursive: true, force: true });
});

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

const run = (args: string[], stdin?: string) => dragoman(['convert', ...args], stdin);

const masked = ['--from', 'openai', '--to', 'prompt:hermes', '--mask', '--tokenizer', tokenizer];

describe('dragoman convert for training data', () => {
  it('gives the same rows on threads, in the filter and in Parquet', async () => {
    const lines = join(folder, 'out.jsonl');
    const table = join(folder, 'out.parquet');
    expect((await run([input, ...masked, '-o', lines, '--jobs', '2', '--block-size', '8192'])).status).toBe(
      0,
    );
    expect((await run([input, ...masked, '-o', table])).status).toBe(0);
    const filtered = await run([...masked, '--jsonl'], rows);
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

  it.each([
    ['last', 'Two 🎉.'],
    ['turn:1', 'One.'],
  ])('masks what the model writes, in code points, and labels it: --train %s', async (train, text) => {
    const { stdout } = await run(
      [...masked, '--train', train, '--mask-without', 'reasoning', '--jsonl'],
      rows,
    );
    const first = JSON.parse(stdout.split('\n')[0] ?? '');
    const characters = [...first.prompt];
    const said = first.mask.map(({ kind, start, end }: { kind: string; start: number; end: number }) => [
      kind,
      characters.slice(start, end).join(''),
    ]);
    expect(said).toEqual([
      ['text', text],
      ['end', '<|im_end|>'],
    ]);
    const learnt = first.labels.filter((label: number) => label !== -100);
    expect(learnt.length).toBeGreaterThan(2);
    expect(first.attention_mask).toHaveLength(first.input_ids.length);
  });

  it.each([
    ['prompt:hermes', ['--train', 'turn:3']],
    ['messages:hermes', ['--train', 'turn:3']],
    ['prompt:hermes', ['--mask-without', 'reasoning,text,end']],
  ])('counts rows of %s that leave nothing to learn: %j', async (to, which) => {
    const { stdout } = await run([
      input,
      '--from',
      'openai',
      '--to',
      to,
      '--mask',
      ...which,
      '-o',
      join(folder, 'empty.jsonl'),
      '--force',
      '--json',
    ]);
    expect(JSON.parse(stdout).issues).toMatchObject({ 'nothing-learnt': { count: 400 } });
  });

  it('writes one sample a turn, and what breaks the prefix', async () => {
    const args = ['--from', 'openai', '--to', 'prompt:hermes', '--per-turn', '--check-prefix', '--jsonl'];
    const { stdout } = await run(args, `${JSON.stringify(row(1))}\n`);
    const samples = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(samples.map(({ turn, id }) => [turn, id])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    // Without reasoning in the row, thinking is off: what closes it is in the prompt.
    expect(samples[1].prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
    expect(samples[1].completion).toBe('Two 🎉.<|im_end|>');
    expect(samples[0].prefix).toEqual({
      whole: false,
      breaks: [{ turn: 1, rule: 'answer-start', characters: expect.any(Number) }],
    });
  });

  it('counts the rows whose prefix breaks', async () => {
    const args = ['--from', 'openai', '--to', 'prompt:hermes', '--check-prefix'];
    const { stdout } = await run([input, ...args, '-o', join(folder, 'prefix.jsonl'), '--json']);
    expect(JSON.parse(stdout).issues).toEqual({
      'prefix-break': { count: 400, example: { row: 1, path: 'turn 1, answer-start' } },
    });
  });

  describe('of taught messages', () => {
    const model = join(folder, 'model');
    mkdirSync(model);
    copyFileSync(tokenizer, join(model, 'tokenizer.json'));
    const template = `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{%- if message.role == 'assistant' and '</think>' in message.content and not loop.last -%}
{{- message.content.split('</think>')[-1] -}}
{%- else -%}{{- message.content -}}{%- endif -%}{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`;
    writeFileSync(join(model, 'tokenizer_config.json'), JSON.stringify({ chat_template: 'not this' }));
    writeFileSync(join(model, 'chat_template.jinja'), template);
    const taught = ['--from', 'openai', '--to', 'messages:hermes', '--mask', '--tokenizer'];
    const args = [...taught, join(model, 'tokenizer.json')];
    const reasoned = (n: number) => ({
      ...row(n),
      messages: row(n).messages.map((message) =>
        message.role === 'assistant' ? { ...message, reasoning_content: 'I think.' } : message,
      ),
    });
    const { added_tokens } = JSON.parse(readFileSync(tokenizer, 'utf8')) as {
      added_tokens: { id: number; content: string }[];
    };
    const idOf = (token: string) => added_tokens.find(({ content }) => content === token)?.id;

    it('labels the answers and the end tokens that its chat template writes', async () => {
      const out = join(folder, 'taught.jsonl');
      const table = join(folder, 'taught.parquet');
      expect((await run([input, ...args, '-o', out, '--jobs', '2', '--block-size', '8192'])).status).toBe(0);
      expect((await run([input, ...args, '-o', table])).status).toBe(0);
      const written = readFileSync(out, 'utf8');
      expect((await run([...args, '--jsonl'], rows)).stdout).toBe(written);
      const [first] = written.split('\n').map((line) => line && JSON.parse(line));
      expect(first.labels).toHaveLength(first.input_ids.length);
      const ends = first.labels.filter((label: number) => label === idOf('<|im_end|>'));
      expect(ends).toHaveLength(2);
      expect(first.labels).not.toContain(idOf('<|im_start|>'));
      const parquet = await openParquet(table);
      const [read] = (await parquet.readGroup(0)).map((line) => JSON.parse(line));
      await parquet.close();
      expect(read).toEqual(first);
      const without = await run([...args, '--mask-without', 'end', '--train', 'last', '--jsonl'], rows);
      expect(JSON.parse(without.stdout.split('\n')[0] ?? '').labels).not.toContain(idOf('<|im_end|>'));
    });

    it('learns each answer as it was written in samples of turns, and counts those that are rewritten', async () => {
      const line = `${JSON.stringify(reasoned(1))}\n`;
      const { stdout } = await run([...args, '--per-turn', '--check-prefix', '--jsonl'], line);
      const samples = stdout
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
      expect(samples).toHaveLength(2);
      for (const { labels } of samples) {
        expect(labels).toContain(idOf('<think>'));
        expect(labels).toContain(idOf('<|im_end|>'));
      }
      const tokens = expect.any(Number);
      expect(samples[0].prefix).toEqual({
        whole: false,
        breaks: [{ turn: 1, rule: 'old-reasoning', characters: expect.any(Number), tokens }],
      });
    });

    it('does not learn an answer that the template rewrites when the conversation goes on, and counts it', async () => {
      writeFileSync(
        join(model, 'chat_template.jinja'),
        template
          .replace("'</think>' in message.content", "'One' in message.content")
          .replace('</think>', 'O'),
      );
      const report = await run([input, ...args, '-o', join(folder, 'again.jsonl'), '--force', '--json']);
      expect(JSON.parse(report.stdout).issues).toMatchObject({ 'rewritten-answer': { count: 400 } });
      const [first] = readFileSync(join(folder, 'again.jsonl'), 'utf8').split('\n');
      const ends = JSON.parse(first ?? '').labels.filter((label: number) => label === idOf('<|im_end|>'));
      expect(ends).toHaveLength(1);
    });

    it('sets a row aside that the template refuses, in its words', async () => {
      writeFileSync(join(model, 'chat_template.jinja'), "{{ raise_exception('Roles must alternate') }}");
      const refused = await run([...args, '--jsonl'], `${JSON.stringify(row(1))}\n`);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain('Roles must alternate');
    });
  });

  it('refuses options that would change nothing', async () => {
    const to = ['--from', 'openai', '--to'];
    expect((await run([...to, 'anthropic', '--mask', '--jsonl'])).stderr).toContain('--mask is for');
    expect((await run([...to, 'prompt:hermes', '--train', 'last', '--jsonl'])).stderr).toContain(
      '--train is for',
    );
    expect(
      (await run([...to, 'messages:hermes', '--mask', '--tokenizer', tokenizer, '--jsonl'])).stderr,
    ).toContain('there is no chat template beside');
    expect((await run([input, ...to, 'openai', '--arguments', 'struct', '--jsonl'])).status).toBe(2);
  });
});
