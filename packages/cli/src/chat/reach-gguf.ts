// The model of a chat that runs in this process: a GGUF file, or one of a folder.

import type { Dialect, Registry } from '@dragoman/core';
import { LocalModelError } from '@dragoman/local';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import type { LocalReach, Reached } from './reach-model.js';

export async function reachGguf(
  args: Arguments,
  path: string,
  dialects: Registry,
  asked: Dialect | 'auto',
): Promise<Reached> {
  const { createGgufUpstream, ggufFiles, ModelShelf } = await import('@dragoman/local');
  try {
    const context = args.count('context', 8);
    const threads = args.count('threads', 4);
    const { files } = ggufFiles(path);
    // One person talks, so one conversation has all of the context.
    const shelf = new ModelShelf({
      parallel: 1,
      ...(context !== undefined && { context }),
      ...(threads !== undefined && { threads }),
    });
    await shelf.checkEngine();
    const names = files.map(({ name }) => name);
    const model = args.value('model') ?? names[0] ?? '';
    if (args.value('model') === undefined && names.length > 1)
      throw new CommandError(`which model? Add --model <name>; the folder has ${shown(names)}`);
    const of = (name: string, dialect: Dialect | 'auto'): ReturnType<LocalReach['of']> => {
      const file = files.find((one) => one.name === name) ?? (files.length === 1 ? files[0] : undefined);
      if (!file) throw new CommandError(`there is no model called ${name}; there are ${shown(names)}`);
      const { upstream, chosen } = createGgufUpstream(file, {
        dialect,
        dialects,
        grammar: !args.has('no-grammar'),
        lease: (asked) => shelf.lease(file, asked),
      });
      const why = chosen.by === 'given' ? 'as you chose' : chosen.reason;
      return { upstream, dialect: chosen.dialect, why };
    };
    return {
      upstream: of(model, asked).upstream,
      mode: 'emulate',
      model,
      place: 'this process',
      isDemo: false,
      secrets: [],
      listModels: async () => names,
      local: { of },
      close: () => shelf.close(),
    };
  } catch (error) {
    if (error instanceof LocalModelError) throw new CommandError(error.message, EXIT.upstream);
    throw error;
  }
}

function shown(names: readonly string[]): string {
  return names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
}
