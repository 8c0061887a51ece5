// Completion for bash, from 3.2 on, without the package bash-completion.
//
//   dragoman parse --dialect gl<Tab>      previous word: an option that takes a value
//   dragoman parse --dialect=gl<Tab>      bash splits at the =, which is then the previous word
//   dragoman parse --di<Tab>              the word itself: an option
//   dragoman parse out<Tab>               neither: a positional argument

import type { Completes } from '../command.js';
import { type CompletableOption, type CompletableVerb, quoted } from './completable.js';

export function bashScript(verbs: readonly CompletableVerb[]): string {
  return `# dragoman in bash. Put into ~/.bashrc:  eval "$(dragoman completion bash)"

_dragoman_offer() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
}

_dragoman_files() {
  compopt -o filenames 2>/dev/null
  _dragoman_offer "$1" -- "$2"
}

_dragoman() {
  local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} verb= at
  COMPREPLY=()
  if [[ $current == = ]]; then current=
  elif [[ $option == = ]]; then option=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} != -* ]]; then verb=\${COMP_WORDS[at]}; break; fi
  done
  case $verb in
    '') _dragoman_offer -W ${quoted(verbs.map(({ name }) => name).join(' '))} -- "$current" ;;
${verbs.map(verbCase).join('\n')}
  esac
}

complete -F _dragoman dragoman
`;
}

function verbCase({ name, options, words }: CompletableVerb): string {
  const taking = options.filter(({ value }) => value !== undefined);
  const names = options.flatMap(namesOf).join(' ');
  return `    ${name})
      case $option in
${taking.map((option) => `        ${namesOf(option).join('|')}) ${offer(option.value ?? [])}; return ;;\n`).join('')}      esac
      if [[ $current == -* ]]; then _dragoman_offer -W ${quoted(names)} -- "$current"
      else ${offer(words)}; fi ;;`;
}

function namesOf({ name, short }: CompletableOption): string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}

function offer(what: Completes): string {
  if (what === 'file') return '_dragoman_files -f "$current"';
  if (what === 'folder') return '_dragoman_files -d "$current"';
  return what.length === 0 ? ':' : `_dragoman_offer -W ${quoted(what.join(' '))} -- "$current"`;
}
