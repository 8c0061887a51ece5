// The examples of the documents are run against the build.
//
//   ```js     run by Node as a module, and must end well. It prints the `// →` comments in it, line by line, and
//             the ```text block behind it, where there are any.
//   ```sh     run by a shell in a folder of its own if it calls `dragoman`, and must end well; the same of ```text.
//   ```yaml   a file of that folder, if its first line names it: `# lighthouse.yaml`.
//   ```ts     a sketch, not run.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, documents, readDocument } from './docs/documents.js';
import { published } from './packages.js';
import { root } from './sources.js';

const examples = documents()
  .flatMap((path) => blocksOf(readDocument(path)).map((block) => ({ path, ...block })))
  .filter(isRun);

function isRun({ language, code }: Block): boolean {
  return (
    language === 'js' || (language === 'sh' && /^.*\bdragoman [a-z]/m.test(code) && !/^npm /m.test(code))
  );
}

/** The files that a document has shown before this line, by name. */
function filesOf(path: string, before: number): Map<string, string> {
  const shown = blocksOf(readDocument(path)).filter(
    ({ language, line }) => language === 'yaml' && line < before,
  );
  const named = shown.map(({ code }) => [/^# ([\w.-]+\.yaml)\n/.exec(code)?.[1] ?? '', code] as const);
  return new Map(named.filter(([name]) => name !== ''));
}

const printedBefore = new Map<string, string>();

/** The same code with the same files beside it is run once: some documents speak two languages. */
function run(example: Block & { path: string }): string {
  const { path, line, language, code } = example;
  const files = filesOf(path, line);
  const key = JSON.stringify([language, code, ...files]);
  const printed = printedBefore.get(key) ?? start(language, code, files);
  printedBefore.set(key, printed);
  return printed;
}

function start(language: string, code: string, files: Map<string, string>): string {
  const options = { encoding: 'utf8' as const, env: environment(), input: '' };
  if (language === 'js')
    return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { ...options, cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-readme-'));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  try {
    // `npx` finds the command in a clone, and this folder is outside of it.
    const inClone = `npx() { "$@"; }\n${code}`;
    return execFileSync('sh', ['-e', '-c', inClone], { ...options, cwd: folder });
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
    const readmes = published.map(({ folder }) => `packages/${folder}/README.md`);
    const pages = ['library', 'command', 'zh-CN/library', 'zh-CN/command', 'troubleshooting'];
    const expected = ['README.md', 'README.zh-CN.md', ...pages.map((name) => `docs/${name}.md`), ...readmes];
    expect([...paths]).toEqual(expect.arrayContaining(expected));
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
