import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runSteps, stepsFor } from '../build.mjs';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-build-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(path: string, second: number): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, second, second);
}

describe('npm start', () => {
  const says = (...argv: string[]) => stepsFor(argv, folder).map(({ says }) => says);
  const [compiling, stripping, bundling, page] = [
    'Compiling the packages',
    'Preparing the packages',
    'Bundling the core',
    'Building the page',
  ];

  it('builds where something is missing or older than a source, and only there', () => {
    put('packages/core/src/deep/a.ts', 10);
    put('packages/cli/dist/main.js', 11);
    put('packages/core/dist/node/index.js', 12);
    expect(says('--to-start')).toEqual([stripping, bundling, page]);
    put('packages/gateway/page/index.html', 13);
    expect(says('--to-start')).toEqual([]);
    expect(says('--if-needed')).toEqual([compiling, bundling, page]);
    put('packages/cli/dist/main.d.ts', 13);
    expect(says('--if-needed')).toEqual([]);
    expect(says()).toEqual([compiling, bundling, page]);
    put('packages/core/src/deep/b.ts', 14);
    expect(says('--to-start')).toEqual([compiling, bundling, page]);
    expect(says('--if-needed')).toEqual([compiling, bundling, page]);
  });
});

describe('a build', () => {
  const step = (code: string) => ({ says: 'Bundling the core', args: ['-e', code] });
  const run = (...codes: string[]) => {
    let shown = '';
    const code = runSteps(codes.map(step), (text) => {
      shown += text;
    });
    return { code, shown };
  };

  it('says what it does, and nothing of what its tools print', () => {
    const { code, shown } = run('console.error("[PLUGIN_TIMINGS] slow")', '');
    expect(code).toBe(0);
    expect(shown).toMatch(/^Bundling the core \(1 of 2\) … \d+ s\nBundling the core \(2 of 2\) … \d+ s\n$/);
  });

  it('shows what a tool printed if it fails, and stops', () => {
    const { code, shown } = run('console.error("the reason"); process.exit(3)', '');
    expect(code).toBe(3);
    expect(shown).toMatch(/^Bundling the core \(1 of 2\) … failed\nthe reason\n$/);
  });
});
