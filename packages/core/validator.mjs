// Puts the part of the schema validator that core uses into the build: dist/schema/json-schema.js.
//
//   dist/schema/validate.js:  import { validate } from '@cfworker/json-schema'  →  from './json-schema.js'
//   dist/schema/*.d.ts:       import type { Schema } from …                     →  from './json-schema.js'
//
// Core gives the validator schemas without `format`, and finds references itself (src/schema/safe-schema.ts). The checks of
// formats, which are regular expressions of a client's choice, and the search for references would still be loaded with it:
// 2 of the 31 KB of a page that reads one dialect. Core writes its own messages (src/schema/schema-problems.ts), so those of
// the validator are left out as well.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const LIBRARY = '@cfworker/json-schema';
const described = createRequire(import.meta.url).resolve(`${LIBRARY}/package.json`);
const folder = new URL('dist/schema/', import.meta.url);
const user = new URL('validate.js', folder);
const copy = new URL('json-schema.js', folder);

/** What stands in for the modules that are left out. A call of one is a fault of ours, and must not pass as valid. */
const left = {
  'format.js': 'export const format = {};',
  'dereference.js':
    "export const dereference = () => { throw new Error('The references of a schema must be given.'); };",
};

/** The message of an error, which core does not read. Some of them quote a whole `enum` at each value that is not in it. */
const message = /,\s*error: (?:`[^`]*`|'[^']*')/g;
/** And that of a reference that leads nowhere, which core leaves out of a schema. */
const unresolved = /let message = `Unresolved[^}]*\}[\s\S]*?throw new Error\(message\);/;

export async function bundleValidator() {
  const build = await rolldown({
    input: join(dirname(described), 'dist/esm/validate.js'),
    platform: 'neutral',
    tsconfig: false,
    plugins: [
      {
        name: 'left-out',
        load: (id) => left[basename(id)],
        transform: (code, id) =>
          basename(id) === 'validate.js'
            ? code.replaceAll(message, '').replace(unresolved, 'throw new Error($ref);')
            : undefined,
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  if (/\berror: [`']|Unresolved/.test(output[0].code))
    throw new Error(`${LIBRARY} writes messages in another way`);
  writeFileSync(copy, `${notice()}\n${output[0].code}`);
  importFrom('./json-schema.js');
  declareTypes('./json-schema.js');
}

/** The package is no dependency of ours, so its types must be in the build, too: not all projects skip their check. */
function declareTypes(path) {
  const types = readFileSync(join(dirname(described), 'dist/esm/types.d.ts'), 'utf8');
  writeFileSync(new URL('json-schema.d.ts', folder), `${notice()}\n${types}`);
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.d.ts'))) {
    const file = new URL(name, folder);
    const text = readFileSync(file, 'utf8');
    if (text.includes(`from '${LIBRARY}'`))
      writeFileSync(file, text.replaceAll(`from '${LIBRARY}'`, `from '${path}'`));
  }
}

function notice() {
  const { version, author, license } = JSON.parse(readFileSync(described, 'utf8'));
  return `/*! ${LIBRARY} ${version}, Copyright (c) ${author}, ${license} license: the terms are those of ../../LICENSE */`;
}

/** Changes the import of the built module, unless an earlier build did. The quotes are those of the tool that built it. */
function importFrom(path) {
  const built = readFileSync(user, 'utf8');
  const imports = (from) => [`from '${from}'`, `from "${from}"`].find((text) => built.includes(text));
  if (imports(path)) return;
  const given = imports(LIBRARY);
  if (!given) throw new Error(`${user.pathname} does not import ${LIBRARY}`);
  writeFileSync(user, built.replace(given, `from '${path}'`));
}
