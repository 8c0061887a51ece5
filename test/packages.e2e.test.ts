// What `npm publish` would send, of the packages as `npm run build` left them.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { published } from './packages.js';
import { root } from './sources.js';
import { packAll, type Tarball } from './tarballs.js';

/** `dist/testing` is an entry of core. */
/** The documentation, which the gateway serves, has pages about the corpus and the tests. */
const DOCUMENTS = /^page\/site\//;
const UNWANTED = /(^|\/)(corpus|fixtures?|tests?)\/|\.(test|fixture)\.|tsbuildinfo|\.map$|^src\//;

let tarballs: Tarball[] = [];
beforeAll(() => {
  tarballs = packAll();
});

describe.each(published)('the tarball of $manifest.name', ({ manifest }) => {
  let paths: string[] = [];
  beforeAll(() => {
    const files = tarballs.find(({ name }) => name === manifest.name)?.files ?? [];
    paths = files.map(({ path }) => path);
  });

  it.each(['docs/README.md', 'docs/zh-CN/README.md'])(
    'is as small as %s says, and not much smaller',
    (page) => {
      const { size = Number.NaN } = tarballs.find(({ name }) => name === manifest.name) ?? {};
      const row = new RegExp(`^\\| \`${manifest.name}\` \\|.*\\| ([\\d.,]+) (kB|MB) \\|$`, 'm');
      const [, number = '', unit] = row.exec(readFileSync(root + page, 'utf8')) ?? [];
      const bound = Number(number.replace(',', '')) * (unit === 'MB' ? 1e6 : 1e3);
      expect(size).toBeLessThanOrEqual(bound);
      expect(size).toBeGreaterThan(bound / 2);
    },
  );

  it('has no test, fixture, corpus or trace of the build', () => {
    expect(paths.filter((path) => UNWANTED.test(path) && !DOCUMENTS.test(path))).toEqual([]);
  });

  it('has README, licence, and every file that package.json leads to', () => {
    const exported = Object.values(manifest.exports ?? {}).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const named = [...exported, ...Object.values(manifest.bin ?? {})].map((path) =>
      path.replace(/^\.\//, ''),
    );
    const wanted = ['README.md', 'LICENSE', 'package.json', ...named];
    expect(wanted.filter((path) => !paths.includes(path))).toEqual([]);
  });
});
