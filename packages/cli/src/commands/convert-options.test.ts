import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../arguments.js';
import { optionsOf } from '../common-options.js';
import { convertCommand } from './convert.js';
import { readConvertOptions } from './convert-options.js';

const read = (...argv: string[]) => readConvertOptions(readArguments(argv, optionsOf(convertCommand)));
const forms = ['--from', 'openai', '--to', 'anthropic'];

describe('the options of convert', () => {
  it('name another folder for the output than for the input', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-own-'));
    mkdirSync(join(folder, 'in'));
    const message = (input: string) => `the output folder ${folder} is or holds the input folder ${input}`;
    for (const input of [folder, `${folder}/`, join(folder, 'in')])
      expect(() => read(...forms, input, '-o', folder)).toThrow(message(input));
    expect(read(...forms, folder, '-o', join(folder, 'out')).output).toBe(join(folder, 'out'));
    rmSync(folder, { recursive: true });
  });

  it.each([
    [['a.jsonl'], 'into which form? Add --to'],
    [['a.jsonl', '--to', 'opnai'], '(--to form:dialect); did you mean openai?'],
    [['a.jsonl', '--to', 'nothing'], "--to nothing: there is no form named 'nothing'"],
    [
      ['a.jsonl', '--to', 'prompt:hermess'],
      '--to prompt:hermess: no dialect is called "hermess"; did you mean hermes? `dragoman dialects` lists them',
    ],
    [
      ['a.jsonl', '--to', 'prompt:llama3'],
      '--to prompt:llama3: llama3-json has no whole prompt here: use messages:llama3-json. `dragoman dialects` lists',
    ],
    [[...forms, '--shard', '0/2', 'a'], 'expected i/N with i from 1 to N'],
    [[...forms, '--shard', '3/2', 'a'], 'expected i/N with i from 1 to N'],
    [[...forms, '--shard', '1/2'], '--shard divides files'],
    [[...forms, '--jobs', '0'], 'expected a whole number from 1'],
    [[...forms, '--block-size', '2T'], 'expected bytes up to 1G'],
    [[...forms, '--block-size', '2G'], 'expected bytes up to 1G'],
    [[...forms, '-o', 'x.jsonl', '--force', '--resume'], 'exclude each other'],
    [[...forms, '--member', 'text'], '--member is for the form prompt'],
    [['--from', 'prompt:hermes', '--to', 'openai', '--thinking'], '--thinking is for --to prompt;'],
    [['--to', 'messages:hermes', '--language', 'de'], '--language: expected en, zh, found de'],
    [['--to', 'prompt:hermes', '--thinking', '--no-thinking'], 'exclude each other'],
    [['--jsonl', '--to', 'anthropic'], '--jsonl needs --from'],
    [['--jsonl', ...forms, 'a.jsonl'], '--jsonl reads standard input only'],
    [['--jsonl', ...forms, '-o', 'a.jsonl'], '--jsonl writes to standard output only'],
  ])('%j are refused with a sentence', (argv, message) => {
    expect(() => read(...argv)).toThrow(message);
  });

  it.each([
    [['a', '--queue', 'redis://h'], '--queue needs --output'],
    [['a', '-o', 'b', '--queue', 'redis://h', '--jobs', '2'], '--queue and --jobs exclude'],
    [['a', '-o', 'b', '--queue', 'redis://h', '--shard', '1/2'], '--queue and --shard exclude'],
    [['a', '-o', 'b', '--root', '.'], '--root is for --queue'],
    [['a', '-o', 'b', '--queue', 'redis://h', '--root', 'no-such'], 'there is no folder no-such'],
  ])('of a queue are refused with a sentence: %j', (args, message) => {
    expect(() => read(...args, '--to', 'openai')).toThrow(message);
  });

  it.each([
    ['65536', 65536],
    ['64k', 65536],
    ['4M', 4 * 1024 * 1024],
    ['1GiB', 1024 ** 3],
  ])('--block-size %s is %i bytes', (text, bytes) => {
    expect(read(...forms, '--block-size', text).blockSize).toBe(bytes);
  });

  it('name members one by one or with commas', () => {
    expect(read(...forms, '--keep', 'a, b', '--keep', 'c').keep).toEqual(['a', 'b', 'c']);
    expect(read(...forms).keep).toBeUndefined();
  });

  it('reach the forms that are text', () => {
    const { from, to } = read(
      '--from',
      'prompt:hermes',
      '--to',
      'messages:glm-4.5',
      '--member',
      'text',
      '--no-tools',
    );
    const options = { member: 'text', tools: false, render: {} };
    expect([from, to]).toEqual([
      { form: 'prompt', dialect: 'hermes', options },
      { form: 'messages', dialect: 'glm-4.5', options },
    ]);
    expect(read(...forms)).toMatchObject({ from: { form: 'openai' }, renameTools: false });
  });

  it('ask for one thread in a filter', () => {
    expect(read(...forms, '--jsonl').jobs).toBe(1);
    expect(read(...forms, '--jsonl', '-j', '3').jobs).toBe(3);
  });
});
