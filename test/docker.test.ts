import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { published } from './packages.js';
import { root } from './sources.js';

const dockerfile = readFileSync(`${root}Dockerfile`, 'utf8');

/** The packages of the repository that the command needs, and those that they need. */
function neededBy(name: string, known = new Set<string>()): Set<string> {
  const found = published.find(({ manifest }) => manifest.name === name);
  if (!found || known.has(found.folder)) return known;
  known.add(found.folder);
  for (const other of Object.keys(found.manifest.dependencies ?? {})) neededBy(other, known);
  return known;
}

describe('the container', () => {
  // The tiny model is an optional peer, and in the image all the same.
  const inImage = published
    .map(({ folder }) => folder)
    .filter((folder) => dockerfile.includes(` packages/${folder}/dist\n`));

  it('has the packages that the command needs, and the tiny model', () => {
    expect(inImage).toEqual(expect.arrayContaining([...neededBy('dragoman'), 'tiny']));
  });

  it.each(inImage)('has the package %s with its files', (folder) => {
    expect(dockerfile).toContain(`COPY packages/${folder}/package.json packages/${folder}/\n`);
    const { manifest } = published.find((one) => one.folder === folder) ?? {};
    const files = ((manifest?.files ?? []) as string[]).filter(
      (file) => !file.startsWith('!') && !/\.\w+$/.test(file),
    );
    expect(files).toContain('dist');
    for (const file of files)
      expect(dockerfile).toMatch(
        new RegExp(`^COPY .*packages/${folder}/${file} packages/${folder}/${file}$`, 'm'),
      );
  });
});
