// Compares the names that serving engines know with ours: which parser of theirs is which dialect here, and which
// templates of theirs are told. For the day on which one of them has a new release.
//
//   node test/engines/names.mjs <folder of sources>…       after `npx tsc -b packages/core`
//
// A folder is a checkout of vLLM, SGLang, Ollama or llama.cpp, or of several side by side. Nothing of it is kept here.
// The exit code is 1 if a name is unknown to us.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where an engine lists its parsers, and how a name stands there. */
const LISTS = [
  { engine: 'vLLM', path: 'vllm/tool_parsers/__init__.py', name: /^ {4}"([^"]+)": \(/gm },
  { engine: 'vLLM', path: 'vllm/reasoning/__init__.py', name: /^ {4}"([^"]+)": \(/gm },
  {
    engine: 'SGLang',
    path: 'python/sglang/srt/function_call/function_call_parser.py',
    name: /^ {8}"([^"]+)": \w+Detector,/gm,
  },
  {
    engine: 'SGLang',
    path: 'python/sglang/srt/parser/reasoning_parser.py',
    name: /^ {8}"([^"]+)": \w+Detector,/gm,
  },
  { engine: 'Ollama', path: 'model/parsers/parsers.go', name: /^\tcase ((?:"[^"]+"(?:, )?)+):/gm },
];

/** Folders of chat templates. */
const TEMPLATES = [
  { engine: 'llama.cpp', path: 'models/templates' },
  { engine: 'vLLM', path: 'examples' },
];

/** Names that stand for no format of calls. */
const NO_FORMAT = new Set(['passthrough']);

/** Gives the names in the sources of one folder: `{ engine, name }`. */
export function namesIn(folder) {
  return LISTS.flatMap(({ engine, path, name }) => {
    const file = join(folder, path);
    if (!existsSync(file)) return [];
    const found = [...readFileSync(file, 'utf8').matchAll(name)].flatMap(([, names]) =>
      names.replaceAll('"', '').split(', '),
    );
    return [...new Set(found)].filter((one) => !NO_FORMAT.has(one)).map((one) => ({ engine, name: one }));
  });
}

/** Gives the templates in the sources of one folder: `{ engine, name, text }`. */
export function templatesIn(folder) {
  return TEMPLATES.flatMap(({ engine, path }) => {
    const at = join(folder, path);
    if (!existsSync(at)) return [];
    const files = readdirSync(at).filter((file) => file.endsWith('.jinja'));
    return files.map((name) => ({ engine, name, text: readFileSync(join(at, name), 'utf8') }));
  });
}

async function compare(folders) {
  const { all, detect, findDialect } = await import('@dragoman/core');
  const names = folders.flatMap(namesIn);
  const templates = folders.flatMap(templatesIn);
  for (const { engine, name } of names)
    console.log([engine, name, all.has(name) ? findDialect(name).name : 'UNKNOWN'].join('\t'));
  for (const { engine, name, text } of templates) {
    const found = detect({ template: text });
    console.log(
      [engine, basename(name), found ? `${found.dialect.name} ${found.confidence}` : '-'].join('\t'),
    );
  }
  const unknown = names.filter(({ name }) => !all.has(name));
  console.error(`${names.length} names, ${unknown.length} unknown; ${templates.length} templates`);
  if (unknown.length > 0) process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folders = process.argv.slice(2);
  if (folders.length === 0) {
    console.error('node test/engines/names.mjs <folder of sources>…');
    process.exitCode = 2;
  } else await compare(folders);
}
