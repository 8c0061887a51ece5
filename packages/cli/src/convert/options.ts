// What the words behind `dragoman convert` ask for.

import type { Arguments } from '../arguments.js';
import { CommandError } from '../command-error.js';
import { type Address, readAddress } from '../queue/address.js';
import { readRoot } from '../queue/shared-paths.js';
import type { FormName } from './block.js';
import { formOf } from './row-converter.js';
import { readShard, type Shard } from './shard.js';
import { readSizes, type Sizes } from './sizes.js';
import { readTextOptions } from './text-options.js';

export interface RunOptions extends Sizes {
  inputs: readonly string[];
  output: string | undefined;
  /** Undefined: told from the first rows. */
  from: FormName | undefined;
  to: FormName;
  keep: readonly string[] | undefined;
  drop: readonly string[] | undefined;
  /** Names of tools that an API would refuse are written with underscores. */
  renameTools: boolean;
  as: string | undefined;
  bad: string | undefined;
  report: string | undefined;
  strict: boolean;
  json: boolean;
  quiet: boolean;
  /** Lines in, lines out, as they come. */
  filter: boolean;
  shard: Shard | undefined;
  /** Workers convert, not this process. */
  queue: Address | undefined;
  /** The folder that workers see, where it has another name at each. */
  root: string | undefined;
  resume: boolean;
  force: boolean;
}

export function readRunOptions(args: Arguments): RunOptions {
  args.oneOf('resume', 'force');
  for (const other of ['jobs', 'shard', 'jsonl']) args.oneOf('queue', other);
  const queue = args.value('queue');
  const filter = args.has('jsonl');
  const text = readTextOptions(args);
  const from = formName(args, 'from', text.all);
  const to = formName(args, 'to', text.all);
  if (!to) throw new CommandError('into which form? Add --to <form>; see dragoman convert --help');
  text.check(from, to);
  const options: RunOptions = {
    inputs: args.words,
    output: args.value('output'),
    from,
    to,
    keep: names(args, 'keep'),
    drop: names(args, 'drop'),
    renameTools: args.has('rename-tools'),
    as: args.value('as')?.replace(/^\./, ''),
    bad: args.value('bad'),
    report: args.value('report'),
    strict: args.has('strict'),
    json: args.has('json'),
    quiet: args.has('quiet'),
    filter,
    shard: args.has('shard') ? readShard(args.value('shard') as string) : undefined,
    queue: queue === undefined ? undefined : readAddress(queue),
    root: readRoot(args.value('root')),
    ...readSizes(args),
    resume: args.has('resume'),
    force: args.has('force'),
  };
  checkTogether(options);
  return options;
}

function checkTogether({ filter, inputs, output, from, shard, queue, root }: RunOptions): void {
  const fromPipe = inputs.length === 0 || inputs.includes('-');
  if (shard && fromPipe) throw new CommandError('--shard divides files, and standard input is none');
  if (queue && (output === undefined || output === '-'))
    throw new CommandError('--queue needs --output, in a folder that all workers see');
  if (root !== undefined && !queue)
    throw new CommandError('--root is for --queue: where workers find the files');
  if (!filter) return;
  if (inputs.some((input) => input !== '-')) {
    throw new CommandError(`--jsonl reads standard input only, found ${inputs.join(', ')}`);
  }
  if (output !== undefined && output !== '-')
    throw new CommandError('--jsonl writes to standard output only');
  // Filters that run side by side must not come to different conclusions.
  if (!from) throw new CommandError('--jsonl needs --from <form>: it does not wait to see what the rows are');
}

/** `form` or `form:dialect`. Checked here, so that a wrong name is told before anything is read. */
function formName(args: Arguments, name: string, options: FormName['options']): FormName | undefined {
  const text = args.value(name);
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 0) return checkedForm(name, text, { form: text });
  const named = { form: text.slice(0, colon), dialect: text.slice(colon + 1) };
  return checkedForm(name, text, { ...named, ...(options && { options }) });
}

function checkedForm(name: string, text: string, named: FormName): FormName {
  try {
    formOf(named);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'UsageError') throw error;
    throw new CommandError(`--${name} ${text}: ${error.message} (--${name} form:dialect)`);
  }
  return named;
}

function names(args: Arguments, name: string): string[] | undefined {
  const given = args.values(name).flatMap((value) => value.split(','));
  return args.has(name) ? given.map((one) => one.trim()).filter((one) => one !== '') : undefined;
}
