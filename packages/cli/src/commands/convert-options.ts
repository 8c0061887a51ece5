// Reads the options of `dragoman convert` for the package @dragoman/convert.

import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type FormChoice, formNames, formOf, type TextFormOptions } from '@dragoman/convert';
import type { ConvertFilesOptions, Shard } from '@dragoman/convert/files';
import { checkRoot, type QueueOptions, readAddress } from '@dragoman/convert/queue';
import { isDialectFile, readDeclaration } from '@dragoman/gateway/dialect-file';
import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { dialectNamed } from '../find-dialect.js';
import { didYouMean } from '../nearest.js';
import { ARGUMENTS, LANGUAGES, SAFETIES } from '../render-choices.js';
import { readSizes } from './convert-sizes.js';
import { isForTraining, readTraining } from './training-options.js';

export interface ReadOptions extends Omit<ConvertFilesOptions, 'streams' | 'stop' | 'on'> {
  /** Set if workers convert, not this process. */
  queue: Omit<QueueOptions, 'on'> | undefined;
}

export function readConvertOptions(args: Arguments): ReadOptions {
  args.oneOf('resume', 'force');
  for (const other of ['jobs', 'shard', 'jsonl']) args.oneOf('queue', other);
  args.oneOf('thinking', 'no-thinking');
  const given = textOptions.filter(({ name }) => args.has(name));
  const text = given.length > 0 ? readTextOptions(args) : undefined;
  const from = formChoice(args, 'from', text);
  const to = formChoice(args, 'to', text, isForTraining(args));
  if (!to) throw new CommandError('into which form? Add --to <form>; see dragoman convert --help');
  for (const option of given) checkTextOption(option, from, to);
  const options: ReadOptions = {
    inputs: args.words,
    output: args.value('output'),
    from,
    to,
    keep: names(args, 'keep'),
    drop: names(args, 'drop'),
    renameTools: args.has('rename-tools'),
    dropNullArguments: args.has('drop-null-arguments'),
    training: readTraining(args, to),
    columns: readColumns(args),
    as: args.value('as')?.replace(/^\./, ''),
    bad: args.value('bad'),
    strict: args.has('strict'),
    filter: args.has('jsonl'),
    parts: args.has('parts'),
    shard: args.has('shard') ? readShard(args.value('shard') as string) : undefined,
    ...readSizes(args),
    resume: args.has('resume'),
    force: args.has('force'),
    queue: readQueue(args),
  };
  checkTogether(args, options);
  return options;
}

export const PARTS = '--parts is for --jsonl: its lines name the parts';

function checkTogether(args: Arguments, { filter, inputs, output, from, shard }: ReadOptions): void {
  const fromPipe = inputs.length === 0 || inputs.includes('-');
  if (shard && fromPipe) throw new CommandError('--shard divides files, and standard input is none');
  if (args.has('queue') && (output === undefined || output === '-'))
    throw new CommandError('--queue needs --output, in a folder that all workers see');
  const own = inputs.find((input) => output !== undefined && isWithinFolder(input, output));
  if (own !== undefined)
    throw new CommandError(`the output folder ${output} is or holds the input folder ${own}: choose another`);
  if (args.has('root') && !args.has('queue'))
    throw new CommandError('--root is for --queue: where workers find the files');
  if (args.has('parts') && !filter) throw new CommandError(PARTS);
  if (!filter) return;
  if (inputs.some((input) => input !== '-')) {
    throw new CommandError(`--jsonl reads standard input only, found ${inputs.join(', ')}`);
  }
  if (output !== undefined && output !== '-')
    throw new CommandError('--jsonl writes to standard output only');
  // Several filters run in parallel, and must not guess different forms.
  if (!from) throw new CommandError('--jsonl needs --from <form>: it does not wait to see what the rows are');
}

/** Whether it is a folder that is the output folder or lies in it, where files count as outputs. */
function isWithinFolder(input: string, output: string): boolean {
  const isFolder = statSync(input, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && (resolve(input) + sep).startsWith(resolve(output) + sep);
}

export function readQueue(args: Arguments): ReadOptions['queue'] {
  const queue = args.value('queue');
  const root = args.value('root');
  checkRoot(root);
  return queue === undefined ? undefined : { address: readAddress(queue), root };
}

export function readShard(text: string): Shard {
  const [, index, count] = /^([0-9]{1,9})\/([0-9]{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new CommandError(`--shard: expected i/N with i from 1 to N, such as 1/8, found ${text}`);
}

/** Reads `form` or `form:dialect`. It is checked here, so that a wrong name is reported before anything is read. */
function formChoice(
  args: Arguments,
  name: string,
  options: TextFormOptions | undefined,
  isTraining = false,
): FormChoice | undefined {
  const text = args.value(name);
  if (text === undefined) return undefined;
  const [form = '', ...rest] = text.split(':');
  try {
    const dialect =
      rest.length > 0 ? { dialect: dialectOf(rest.join(':')), ...(options && { options }) } : {};
    const choice = { form, ...dialect };
    formOf(choice, isTraining ? {} : undefined);
    return choice;
  } catch (error) {
    if (error instanceof CommandError) throw new CommandError(`--${name} ${text}: ${error.message}`);
    if (!(error instanceof Error) || error.name !== 'UsageError') throw error;
    const hint = formNames.includes(form)
      ? '. `dragoman dialects` lists the dialects, those with a whole prompt as `prompt`'
      : ` (--${name} form:dialect)${didYouMean(form, formNames)}`;
    throw new CommandError(`--${name} ${text}: ${error.message}${hint}`);
  }
}

/** Gives a dialect's name, or the declaration in a file: threads and workers need not see the file. */
function dialectOf(name: string): NonNullable<FormChoice['dialect']> {
  // Also finds a wrong name, and says which are near.
  dialectNamed(name);
  return isDialectFile(name) ? readDeclaration(name) : name;
}

function names(args: Arguments, name: string): string[] | undefined {
  const given = args.values(name).flatMap((value) => value.split(','));
  return args.has(name) ? given.map((one) => one.trim()).filter((one) => one !== '') : undefined;
}

/** Parquet is known by the name of the output, or of the files in a folder. */
function readColumns(args: Arguments): ReadOptions['columns'] {
  const columns = args.word('arguments', ARGUMENTS);
  const name = `${args.value('output') ?? ''}.${args.value('as') ?? ''}`;
  if (columns !== undefined && !/\.parquet\b/i.test(name))
    throw new CommandError('--arguments is for Parquet: JSON lines hold arguments as the form has them');
  return columns;
}

/** Options that only forms of text in a dialect have: for which forms, and whether only for writing. */
interface TextOption {
  name: string;
  forms: readonly string[];
  writing: boolean;
}

const textOptions: readonly TextOption[] = [
  { name: 'member', forms: ['prompt'], writing: false },
  { name: 'thinking', forms: ['prompt'], writing: true },
  { name: 'no-thinking', forms: ['prompt'], writing: true },
  { name: 'no-tools', forms: ['messages'], writing: true },
  { name: 'language', forms: ['messages'], writing: true },
  { name: 'short', forms: ['messages'], writing: true },
  { name: 'safety', forms: ['messages', 'prompt'], writing: true },
  { name: 'mask', forms: ['messages', 'prompt'], writing: true },
  { name: 'check-prefix', forms: ['messages', 'prompt'], writing: true },
  { name: 'per-turn', forms: ['messages', 'prompt'], writing: true },
  { name: 'tokenizer', forms: ['messages', 'prompt'], writing: true },
];

/** Throws a CommandError for an option that would have no effect. */
function checkTextOption(option: TextOption, from: FormChoice | undefined, to: FormChoice): void {
  const { name, forms, writing } = option;
  const used = writing ? [to.form] : [to.form, from?.form];
  if (used.some((form) => form !== undefined && forms.includes(form))) return;
  const where = writing ? `--to ${forms.join(' or --to ')}` : `the form ${forms.join(' or ')}`;
  throw new CommandError(`--${name} is for ${where}; here it would change nothing`);
}

function readTextOptions(args: Arguments): TextFormOptions {
  const member = args.value('member');
  const language = args.word('language', LANGUAGES);
  const safety = args.word('safety', SAFETIES);
  const thinking = args.choice('thinking');
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
