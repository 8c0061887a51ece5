// Collects the chat templates of serving engines into one folder, for template-table.mjs and for DRAGOMAN_TEMPLATES.
// Nothing of it is part of the project.
//
//   node test/corpus/collect-templates.mjs <folder> llama.cpp=<git directory> vllm=… sglang=… ollama=…
//
// A file has its own name. Where an engine before it has another file of that name, its engine stands before it:
// `sglang-tool_chat_template_deepseekv31.jinja`.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const IS_TEMPLATE = /(?<!\.ya?ml)\.jinja2?$/;

function git(directory, ...args) {
  return execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

function placeOf(folder, engine, path, text) {
  const place = join(folder, basename(path));
  return !existsSync(place) || readFileSync(place, 'utf8') === text
    ? place
    : join(folder, `${engine}-${basename(path)}`);
}

const [folder, ...engines] = process.argv.slice(2);
if (folder === undefined || engines.length === 0)
  throw new Error('name the folder, and an engine with its git directory: vllm=<directory>');
mkdirSync(folder, { recursive: true });
const written = new Set();
for (const given of engines) {
  const at = given.indexOf('=');
  const [engine, directory] = [given.slice(0, at), given.slice(at + 1)];
  const paths = git(directory, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  for (const path of paths.filter((one) => IS_TEMPLATE.test(one))) {
    const text = git(directory, 'show', `HEAD:${path}`);
    const place = placeOf(folder, engine, path, text);
    writeFileSync(place, text);
    written.add(place);
  }
}
console.log(`${written.size} templates in ${folder}`);
