// Asks transformers for assistant masks, where a Python that has it is at hand: see ../corpus/transformers.mjs.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export { hasTransformers } from '../corpus/transformers.mjs';

const program = fileURLToPath(new URL('ask_masks.py', import.meta.url));

export function askMasks(requests) {
  const python = process.env.DRAGOMAN_PYTHON ?? 'python3';
  const { stdout, stderr, status } = spawnSync(python, [program], {
    input: requests.map((request) => JSON.stringify(request)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 512 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${python} ended with ${status}: ${stderr}`);
  const [{ version }, ...answers] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { version, answers };
}
