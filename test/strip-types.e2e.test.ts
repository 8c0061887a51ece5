// What `npm start` of a new clone runs is what `npm run build` makes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { builtPackages, modulesOf, stripTypes } from '../strip-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Without the differences of two printers. */
const plain = (name: string, code: string) => minifySync(name, code, { compress: false, mangle: false }).code;

describe('a module without its types', () => {
  it('is the one that the compiler writes', () => {
    const modules = builtPackages().flatMap((folder) => modulesOf(folder).map((path) => ({ folder, path })));
    expect(modules.length).toBeGreaterThan(900);
    for (const { folder, path } of modules) {
      const name = path.replace(/\.ts$/, '.js');
      const compiled = readFileSync(join(root, folder, 'dist', name), 'utf8');
      // The bundle of the validator takes its place in the build, by either way.
      const stripped = stripTypes(join(root, folder, 'src', path)).replace(
        '"@cfworker/json-schema"',
        '"./json-schema.js"',
      );
      expect(plain(name, stripped), `${folder}/${path}`).toBe(plain(name, compiled));
    }
  });
});
