// dragoman completion: prints the completion script of a shell.

import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { bashScript } from '../completion/bash.js';
import { type CompletableVerb, completableVerbs } from '../completion/completable.js';
import { fishScript } from '../completion/fish.js';
import { zshScript } from '../completion/zsh.js';
import { EXIT } from '../exit-codes.js';
import { didYouMean } from '../nearest.js';
import { write } from '../terminal.js';

const shells: ReadonlyMap<string, (verbs: readonly CompletableVerb[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
]);
const names = [...shells.keys()];

export const completionCommand: Command = {
  usage: 'completion bash|zsh|fish',
  about:
    'Prints a script that teaches a shell to complete verbs, options, and values such as the names of dialects. It is made from the options themselves; print it again after an update.',
  examples: {
    'bash: a file that ~/.bashrc can read.': 'dragoman completion bash | tee dragoman.bash',
    'zsh: in a folder of $fpath.': 'mkdir -p functions\ndragoman completion zsh | tee functions/_dragoman',
    'fish: where it looks by itself.':
      'mkdir -p completions\ndragoman completion fish | tee completions/dragoman.fish',
  },
  options: {},
  words: names,
  sections: {
    'Where to put it': `bash  eval "$(dragoman completion bash)" in ~/.bashrc
zsh   eval "$(dragoman completion zsh)" in ~/.zshrc, after compinit
fish  dragoman completion fish > ~/.config/fish/completions/dragoman.fish`,
    'Exit codes': `0  printed
2  the command was called wrongly, or the shell is not supported`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  const [name = '', ...more] = args.words;
  const script = more.length === 0 ? shells.get(name) : undefined;
  if (!script) {
    const found = args.words.length === 0 ? 'nothing' : args.words.join(' ');
    throw new CommandError(`expected one of ${names.join(', ')}, found ${found}${didYouMean(name, names)}`);
  }
  await write(script(await completableVerbs()));
  return EXIT.done;
}
