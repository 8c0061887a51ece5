// A model that runs in this process: the options that `serve`, `chat` and `verify` share.

import type { Arguments } from './arguments.js';
import { CommandError } from './command-error.js';

export const ggufOptions = {
  '--gguf <path>':
    'A GGUF file, or a folder of them: the models run in this process, by node-llama-cpp, which is installed apart.',
  '--context <n>':
    'With --gguf: tokens of a conversation. Default: as the model was trained for, at most 32768.',
  '--threads <n>': 'With --gguf: threads that compute. Default: the real cores.',
  '--no-grammar': 'With --gguf: let no grammar hold calls and structured output.',
};

/** The section of the help. */
export function ggufWords(verb: string): string {
  return `dragoman ${verb} --gguf qwen3-4b-q4_k_m.gguf
The model runs in this process. Its chat template and its name tell the
dialect, unless --dialect does. The engine is installed apart, once:
  npm install node-llama-cpp@3`;
}

const OF_GGUF = ['context', 'threads', 'no-grammar'];
const OTHERS = ['upstream', 'kind', 'api', 'upstream-key', 'engine', 'body', 'demo'];

/** Throws a CommandError for options that do not go together. */
export function checkGgufOptions(args: Arguments): void {
  const has = (name: string) => args.has(name);
  if (args.has('gguf')) {
    const other = OTHERS.find(has);
    if (other !== undefined)
      throw new CommandError(`--gguf and --${other} exclude each other: the model runs in this process`);
    return;
  }
  const alone = OF_GGUF.find(has);
  if (alone !== undefined) throw new CommandError(`--${alone} goes with --gguf: add it`);
}
