// Makes what `npm start` runs of a clone, in seconds: packages/*/dist without declarations, each module as it is written
// but without its types.
//
// `tsc -b` checks types and writes the same modules with their declarations: some ten seconds of a new user, who
// has not changed anything that could be wrong. Whoever builds or tests gets that one.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'rolldown/utils';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The folders of the packages that `npm run build` compiles. */
export function builtPackages() {
  const config = readFileSync(join(root, 'tsconfig.build.json'), 'utf8');
  return [...config.matchAll(/"path": "([^"]+)"/g)].map(([, folder]) => folder);
}

/** The modules of a package, as paths below its `src`. */
export function modulesOf(folder) {
  return readdirSync(join(root, folder, 'src'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture|d)\.ts$/.test(path));
}

/** The module without its types. Throws where the syntax is wrong. */
export function stripTypes(path) {
  const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), {
    target: 'es2023',
    tsconfig: false,
    // As `verbatimModuleSyntax` has it: an import without `type` stays.
    typescript: { onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const folder of builtPackages()) {
    for (const path of modulesOf(folder)) {
      const target = join(root, folder, 'dist', path.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, stripTypes(join(root, folder, 'src', path)));
    }
  }
}
