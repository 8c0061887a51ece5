import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkLastFile } from './last-file.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-last-file-')));
const at = (name: string) => join(folder, name);
const check = (name: string, output?: string) => checkLastFile('report', at(name), output);

function link(name: string, target: string): void {
  symlinkSync(target, at(name));
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('the file that a command writes last', () => {
  it('is left as it is by the check', async () => {
    writeFileSync(at('old.json'), 'old');
    await check('old.json');
    await check('new.json');
    expect(readFileSync(at('old.json'), 'utf8')).toBe('old');
    expect(existsSync(at('new.json'))).toBe(false);
  });

  it('may be behind a symbolic link: the check makes no file there', async () => {
    link('link.json', 'behind.json');
    link('second.json', 'link.json');
    await check('second.json');
    expect(existsSync(at('behind.json'))).toBe(false);
  });

  it('is refused where a symbolic link leads to a folder that is not there', async () => {
    link('lost.json', 'no/report.json');
    const refused = `--report: cannot write ${at('lost.json')}: it is a symbolic link to ${at('no/report.json')}: ENOENT`;
    await expect(check('lost.json')).rejects.toThrow(refused);
    // The command makes the folder of its output, but not that one.
    await expect(check('lost.json', at('rows.jsonl'))).rejects.toThrow(refused);
    await check('lost.json', at('no/rows.jsonl'));
  });

  it('is refused where symbolic links lead to each other', async () => {
    link('one.json', 'two.json');
    link('two.json', 'one.json');
    await expect(check('one.json')).rejects.toThrow('ELOOP');
  });

  it('may be made by another command during the check', async () => {
    await Promise.all(Array.from({ length: 20 }, () => check('busy.json')));
    expect(existsSync(at('busy.json'))).toBe(false);
  });
});
