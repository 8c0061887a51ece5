// The options of `dragoman convert` that only forms of text in a dialect know, and which of them knows which.

import type { TextFormOptions } from '@dragoman/convert';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { LANGUAGES, SAFETIES } from '../render-choices.js';
import type { FormName } from './block.js';

/** Options by name, the forms that know each, and whether only writing asks for it. */
const known: readonly { name: string; forms: readonly string[]; writing: boolean }[] = [
  { name: 'member', forms: ['prompt'], writing: false },
  { name: 'thinking', forms: ['prompt'], writing: true },
  { name: 'no-thinking', forms: ['prompt'], writing: true },
  { name: 'no-tools', forms: ['messages'], writing: true },
  { name: 'language', forms: ['messages'], writing: true },
  { name: 'short', forms: ['messages'], writing: true },
  { name: 'safety', forms: ['messages', 'prompt'], writing: true },
];

export interface TextOptions {
  /** Undefined where none is given. */
  all: TextFormOptions | undefined;
  /** Throws a CommandError for an option that would change nothing. */
  check(from: FormName | undefined, to: FormName): void;
}

export function readTextOptions(args: Arguments): TextOptions {
  args.oneOf('thinking', 'no-thinking');
  const given = known.filter(({ name }) => args.has(name));
  return {
    all: given.length > 0 ? read(args) : undefined,
    check(from, to) {
      for (const { name, forms, writing } of given) {
        const asked = writing ? [to.form] : [to.form, from?.form];
        if (asked.some((form) => form !== undefined && forms.includes(form))) continue;
        const where = writing ? `--to ${forms.join(' or --to ')}` : `the form ${forms.join(' or ')}`;
        throw new CommandError(`--${name} is for ${where}; here it would change nothing`);
      }
    },
  };
}

function read(args: Arguments): TextFormOptions {
  const member = args.value('member');
  const language = word(args, 'language', LANGUAGES);
  const safety = word(args, 'safety', SAFETIES);
  const thinking = args.has('thinking') ? true : args.has('no-thinking') ? false : undefined;
  return {
    ...(member !== undefined && { member }),
    ...(args.has('no-tools') && { tools: false }),
    render: {
      ...(thinking !== undefined && { thinking }),
      ...(language && { language }),
      ...(args.has('short') && { short: true }),
      ...(safety && { safety }),
    },
  };
}

function word<T extends string>(args: Arguments, name: string, words: readonly T[]): T | undefined {
  const value = args.value(name);
  if (value === undefined || words.includes(value as T)) return value as T | undefined;
  throw new CommandError(`--${name}: expected ${words.join(', ')}, found ${value}`);
}
