import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Arguments } from './arguments.js';
import { checkOwnFiles } from './own-files.js';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-own-files-'));
const at = (name: string) => join(folder, name);

beforeAll(() => {
  for (const name of ['in.jsonl', 'tokenizer.json', 'old.jsonl']) writeFileSync(at(name), '{}\n');
  mkdirSync(at('rows'));
  writeFileSync(at('rows/a.jsonl'), '{}\n');
  writeFileSync(at('chat_template.jinja'), '');
  symlinkSync(at('in.jsonl'), at('link.jsonl'));
  symlinkSync('new.jsonl', at('link-to-new.jsonl'));
  symlinkSync('link-to-new.jsonl', at('second-link.jsonl'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function check(options: Record<string, string>, input = 'in.jsonl'): void {
  const given = Object.entries(options).map(([name, file]): [string, string[]] => [
    name,
    [file === '-' ? file : at(file)],
  ]);
  checkOwnFiles(new Arguments([at(input)], new Map(given)));
}

describe('the files of a command', () => {
  it.each([
    [{ report: 'in.jsonl' }, 'the input'],
    [{ report: 'link.jsonl' }, 'the input'],
    [{ html: 'in.jsonl' }, 'the input'],
    [{ bad: 'in.jsonl' }, 'the input'],
    [{ tokenizer: 'tokenizer.json', report: 'tokenizer.json' }, '--tokenizer'],
    [{ tokenizer: 'tokenizer.json', output: 'tokenizer.json' }, '--tokenizer'],
    [{ tokenizer: 'tokenizer.json', report: 'chat_template.jinja' }, 'a file of --tokenizer'],
    [{ output: 'new.jsonl', report: 'new.jsonl' }, '--output'],
    [{ output: 'new.jsonl', bad: 'new.jsonl' }, '--output'],
    [{ output: 'new.jsonl', report: 'link-to-new.jsonl' }, '--output'],
    [{ output: 'second-link.jsonl', report: 'new.jsonl' }, '--output'],
    [{ output: 'old.jsonl', html: 'old.jsonl' }, '--output'],
    [{ bad: 'new.jsonl', report: 'new.jsonl' }, '--bad'],
    [{ join: 'old.jsonl', html: 'old.jsonl' }, '--join'],
    [{ output: 'new.jsonl', report: 'new.jsonl.bad.jsonl' }, 'the file of rows that are set aside'],
  ])('are not written over: %o', (options, other) => {
    expect(() => check(options)).toThrow(`is ${other} as well and would be lost; name another file`);
  });

  it.each([
    { output: 'new.jsonl', bad: 'bad.jsonl', report: 'report.json', tokenizer: 'tokenizer.json' },
    { output: '-', bad: '-' },
    { output: 'rows', report: 'report.json' },
    // The conversion itself refuses it, with words of its own.
    { output: 'in.jsonl' },
  ])('may be these: %o', (options) => {
    expect(() => check(options)).not.toThrow();
  });

  it.each(['report', 'html', 'bad'])('that are in the input folder are not written over by --%s', (name) => {
    expect(() => check({ [name]: 'rows/a.jsonl' }, 'rows')).toThrow(
      `is a file of the input folder ${at('rows')} and would be lost`,
    );
  });

  it('may be in the folder that is read', () => {
    expect(() => check({ report: 'rows/report.json' }, 'rows')).not.toThrow();
  });
});
