// A gateway of this process for `dragoman verify --gguf`: the model is tested as clients reach it.

import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { checkGgufOptions } from '../gguf-options.js';

export interface ServedModel {
  url: string;
  close(): Promise<void>;
}

export async function serveGguf(args: Arguments): Promise<ServedModel> {
  checkGgufOptions(args);
  const other = args.words[0] ?? ['replay', 'compare'].find((name) => args.has(name));
  if (other !== undefined)
    throw new CommandError(`--gguf and ${args.words[0] ?? `--${other}`} exclude each other`);
  const { configFromFlags, formatProblems, serve } = await import('@dragoman/gateway');
  const result = configFromFlags({
    gguf: args.value('gguf'),
    context: args.value('context'),
    threads: args.value('threads'),
    grammar: args.has('no-grammar') ? false : undefined,
    dialect: args.value('dialect'),
    port: 0,
    log: 'warn',
  });
  if (!result.ok) throw new CommandError(formatProblems(result.problems));
  try {
    const gateway = await serve(result.config, { write: (line) => void process.stderr.write(`${line}\n`) });
    return { url: `${gateway.url}/v1`, close: () => gateway.close() };
  } catch (error) {
    if ((error as Error).name !== 'LocalModelError') throw error;
    throw new CommandError((error as Error).message, EXIT.upstream);
  }
}
