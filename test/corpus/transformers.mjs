// Asks transformers, where a Python that has it is at hand: `python3`, or the one that DRAGOMAN_PYTHON names.
//
//   python3 -m venv /some/folder && /some/folder/bin/pip install transformers jinja2
//   DRAGOMAN_PYTHON=/some/folder/bin/python node test/corpus/template-table.mjs <folder of templates>

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('ask-transformers.py', import.meta.url));
const python = process.env.DRAGOMAN_PYTHON ?? 'python3';
const MOST_BYTES = 512 * 1024 * 1024;

export const missing = 'transformers is not here: set DRAGOMAN_PYTHON to a Python that has it and jinja2';

/** Whether transformers and jinja2 can be imported. */
export function hasTransformers() {
  return spawnSync(python, ['-c', 'import transformers, jinja2']).status === 0;
}

/** Gives the version of transformers, and its answer to each request: see ask-transformers.py. */
export function askTransformers(requests) {
  const input = requests.map((request) => (typeof request === 'string' ? request : JSON.stringify(request)));
  const { stdout, stderr, status } = spawnSync(python, [program], {
    input: input.join('\n'),
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  if (status !== 0) throw new Error(`${python} ended with ${status}: ${stderr}`);
  const [{ version }, ...answers] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { version, answers };
}
