// Completion for zsh, on its own _arguments.

import type { Completes } from '../command.js';
import { type CompletableOption, type CompletableVerb, quoted } from './completable.js';

export function zshScript(verbs: readonly CompletableVerb[]): string {
  return `#compdef dragoman
# dragoman in zsh. Put it into a folder of $fpath as _dragoman, or into ~/.zshrc, after compinit:
#   eval "$(dragoman completion zsh)"

_dragoman() {
  local line state state_descr context
  typeset -A opt_args
  _arguments -C '(- *)'{-h,--help}'[Print help]' '(- *)--version[Print the version]' '1: :->verb' '*:: :->rest'
  case $state in
    verb)
      local -a verbs
      verbs=(
${verbs.map(({ name, about }) => `        ${quoted(`${name}:${about}`)}`).join('\n')}
      )
      _describe verb verbs ;;
    rest)
      case $line[1] in
${verbs.map(verbCase).join('\n')}
      esac ;;
  esac
}

if [[ $funcstack[1] == _dragoman ]]; then _dragoman "$@"; else compdef _dragoman dragoman; fi
`;
}

function verbCase({ name, options, words }: CompletableVerb): string {
  const specs = [
    ...options.map(optionSpec),
    ...(words.length === 0 ? [] : [quoted(`*:word:${action(words)}`)]),
  ];
  return `        ${name})\n          _arguments -s ${specs.map((spec) => `\\\n            ${spec}`).join(' ')} ;;`;
}

/** Writes the spec of an option, which is offered again only if it may be given several times. */
function optionSpec({ name, short, about, many, value }: CompletableOption): string {
  const takes = value === undefined ? '' : `:value:${action(value)}`;
  const said = quoted(`[${about.replaceAll(/[[\]\\]/g, '\\$&')}]${takes}`);
  const long = `--${name}${value === undefined ? '' : '='}`;
  if (short === undefined) return `${quoted(`${many ? '*' : ''}${long}`)}${said}`;
  const both = `{-${short},${long}}`;
  return many ? `'*'${both}${said}` : `${quoted(`(-${short} --${name})`)}${both}${said}`;
}

function action(what: Completes): string {
  if (what === 'file') return '_files';
  if (what === 'folder') return '_files -/';
  return what.length === 0 ? ' ' : `(${what.join(' ')})`;
}
