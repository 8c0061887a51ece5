// The examples of the documents are run against the build.
//
//   ```js     run by Node as a module, and must end well. It prints the `// →` comments in it, line by line, and
//             the ```text block behind it, where there are any.
//   ```sh     run by a shell in an empty folder if it calls `dragoman`, and must end well; the same of ```text.
//   ```ts     a sketch, not run.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, documents, readDocument } from './docs/documents.js';
import { root } from './sources.js';

const examples = documents()
  .flatMap((path) => blocksOf(readDocument(path)).map((block) => ({ path, ...block })))
  .filter(isRun);

function isRun({ language, code }: Block): boolean {
  return (
    language === 'js' || (language === 'sh' && /^.*\bdragoman [a-z]/m.test(code) && !/^npm /m.test(code))
  );
}

function run({ language, code }: Block): string {
  const options = { encoding: 'utf8' as const, env: environment(), input: '' };
  if (language === 'js')
    return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { ...options, cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-readme-'));
  try {
    return execFileSync('sh', ['-e', '-c', code], { ...options, cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The command as npm links it, and no colours. */
function environment(): NodeJS.ProcessEnv {
  const path = `${root}node_modules/.bin${delimiter}${process.env.PATH}`;
  return { ...process.env, PATH: path, NO_COLOR: '1' };
}

function promised({ code }: Block): string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line as string);
}

describe('the examples', () => {
  it('are found', () => {
    const paths = new Set(examples.map(({ path }) => path));
    expect([...paths]).toEqual(expect.arrayContaining(['README.md', 'README.zh-CN.md']));
    expect(examples.filter(({ language }) => language === 'sh').length).toBeGreaterThan(4);
    expect(examples.filter(({ language }) => language === 'js').length).toBeGreaterThan(4);
  });

  it.each(examples)('$path:$line runs and prints what it says', (example) => {
    const printed = run(example);
    const lines = promised(example);
    if (lines.length > 0) expect(printed.trimEnd().split('\n')).toEqual(lines);
    if (example.output !== undefined) expect(printed.trimEnd()).toBe(example.output.trimEnd());
  });
});
