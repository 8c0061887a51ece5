// dragoman convert: transcripts from one form to another.

import { startThreads } from '@dragoman/convert/files';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { ARGUMENTS, LANGUAGES, MASK_KINDS, SAFETIES } from '../render-choices.js';
import { indent, padTo, wrapWords } from '../visible-text.js';
import { readSizes } from './convert-sizes.js';

export const convertCommand: Command = {
  usage: 'convert [file or folder …] --to <form> [options]',
  about:
    'Converts transcripts, a row a line, from one form to another: for people who make training data. Reads JSON lines, JSON documents and Parquet, packed or not, from files, folders and pipes; uses all cores; needs little memory however long a file is. Rows that cannot be converted are set aside with the reason. What the target cannot say is told at the end.',
  examples: {
    "OpenAI's form into Anthropic's. The report is on standard error.": `echo '{"messages": [{"role": "user", "content": "Hello."}], "id": 7}' \\
  > chats.jsonl
dragoman convert chats.jsonl --from openai --to anthropic -o out.jsonl
cat out.jsonl`,
    'A folder into a folder, packed; the form is told from the first rows.': `mkdir -p chats
echo '{"messages": [{"role": "user", "content": "Hello."}]}' > chats/a.jsonl
dragoman convert chats --to sharegpt -o packed --as jsonl.gz
gunzip -c packed/a.jsonl.gz`,
    'A filter in a pipe, without the member "id".': `echo '{"id": 7, "messages": [{"role": "user", "content": "Hello."}]}' |
  dragoman convert --jsonl --from openai --to anthropic --drop id`,
    'The second of eight parts, as an array of jobs would do it.': `echo '{"messages": [{"role": "user", "content": "Hello."}]}' > all.jsonl
dragoman convert all.jsonl --from openai --to anthropic --shard 2/8 \\
  -o part-2.jsonl --json`,
  },
  options: {
    '--from <form>':
      'The form of the rows, as `form` or `form:dialect`; see below. Default: told from the first rows.',
    '--to <form>': 'The form to write, as `form` or `form:dialect`. Needed.',
    '-o, --output <path>':
      'A file, packed by its name (.gz, .zst) and a table if it ends in .parquet; or a folder, in which each input gets a file of its own name. Default: standard output.',
    '--as <ending>':
      'The ending of files in a folder: jsonl, jsonl.gz, parquet … Default: that of the input.',
    '--keep <a,b> …': 'Members beside the conversation to pass on. Default: all.',
    '--drop <a,b> …': 'Members beside the conversation to leave out.',
    '--rename-tools':
      'Write names of tools that an API would refuse (spaces, more than 64 characters) with underscores. The report counts them. Default: leave names as they are.',
    '--drop-null-arguments':
      'Remove keys of arguments and tools that are null and not in the schema, or a null description: what a table adds when it merges the rows. Default: count them in the report. In Parquet with arguments as structs they are always left out, and counted as merged-arguments.',
    '--arguments <way>':
      'Parquet: write lists and objects as columns of their own, and arguments and schemas in them as JSON text (json), or as structs where these change nothing in any row (struct). Default: each list or object is JSON text.',
    '--mask':
      'messages, prompt: a member `mask` with the ranges that the model writes; see below. Default: none.',
    '--mask-without <kinds> …': 'With --mask: kinds to leave out, of reasoning, text, calls and end.',
    '--train <which>':
      'With --mask or --per-turn: the answers that are learnt: all, last, or turn:n, from 1. Default: all.',
    '--tokenizer <file>':
      "The model's tokenizer.json. With --mask: writes input_ids, attention_mask and labels, too. With --check-prefix: counts tokens. messages: by the chat template beside it.",
    '--check-prefix':
      'messages, prompt: a member `prefix`: is each prompt of the conversation the beginning of the next? The report counts the rows where one is not.',
    '--per-turn':
      'messages, prompt: a row each time that the model was asked, with the prompt as it was sent, and what the model wrote.',
    '--member <name>': 'The member that holds the text of the form prompt. Default: prompt.',
    '--thinking': 'prompt: the model is to think. Default: in rows that have reasoning.',
    '--no-thinking': 'prompt: the model is not to think. Default: for training, in rows without reasoning.',
    '--no-tools': 'messages: write no member `tools`. Default: the definitions, exactly.',
    '--language <en|zh>': 'messages: the language of what teaches the dialect. Default: en.',
    '--short': 'messages: the short form of what teaches. Default: the full one.',
    '--safety <way>':
      "messages, prompt: markers of the dialect in a row's own text. escape breaks them, reject sets the row aside, exact writes them as they are and sets the row aside if it would be read otherwise. Default: escape.",
    '--bad <path>':
      'Where rows go that cannot be converted; of a folder, the folder of such files. Default: <output>.bad.jsonl, or standard error.',
    '--strict': 'Stop at the first row that cannot be converted. Default: set it aside.',
    '--report <file>': 'Write the report as JSON to this file, too.',
    '--json': 'Print the report as JSON: to standard output, or to standard error if rows go there.',
    '--jsonl':
      'A filter: rows on standard input, rows on standard output, in order, without delay; see below.',
    '--parts':
      'With --jsonl: lines name parts of files of JSON lines, {"path", "start", "end"}; an empty line ends the rows of each.',
    '--shard <i/N>':
      'Convert only the i-th of N parts of the input, i from 1 to N. All parts together are the whole.',
    '--queue <url>':
      'Let workers convert, on any number of machines: redis://host:port of their queue; see below.',
    '--root <folder>': 'With --queue: the folder all machines share, if it is mounted at different places.',
    '-j, --jobs <n>': 'Threads. Default: one a core; with --jsonl, one.',
    '--block-size <bytes>': 'What a thread converts at a time. Default: 1M.',
    '--resume': 'Go on where a run was interrupted. The result is that of an undisturbed one.',
    '--force': 'Replace what is there, also what an interrupted run left.',
  },
  completes: {
    output: 'file',
    language: LANGUAGES,
    safety: SAFETIES,
    bad: 'file',
    arguments: ARGUMENTS,
    'mask-without': MASK_KINDS,
    tokenizer: 'file',
  },
  words: 'file',
  sections: {
    Forms: formList,
    'Training data': `--mask writes [{"kind", "start", "end"}]: the characters that the model
writes, and no others. kind is reasoning, text, calls, or end for the token
at which it stops. Positions count code points, as Python does; of the form
messages, "message" says in which one they are. With --tokenizer, labels are
-100 outside of the mask; a token that crosses a border is not learnt, and
counted.
--per-turn writes {"prompt", "completion", "turn"}: the prompt is what the
gateway would send, and the completion ends where the model stopped. Rows with
one turn are parts of one answer: messages in a row, or calls of gpt-oss.
Rows without reasoning are written with thinking off. --check-prefix writes
{"whole", "breaks": [{"turn", "rule", "characters", "tokens"?}]}: which rule
of the template writes a prompt otherwise when the conversation goes on.
docs/training.md has more.`,
    'Rows that are set aside': `A line each:
  {"line", "file", "reason", "path", "row"}
\`row\` is the line as it stood there (and "base64" its bytes, if they are no
UTF-8), \`path\` the place in it. In a JSON document or a table, \`line\` counts
rows. A line may have 64 MiB; blank lines are passed over.`,
    Interruptions: `Until all is done, <output>.partial holds the rows, and <output>.journal how
many of them are good. Ctrl-C finishes what is on the way; after that, or
after a crash, the same command with --resume goes on. Inputs and options must
be the same; --jobs may change.`,
    'Filters and parts': `--jsonl is for those that divide rows themselves: Spark's pipe, Ray Data, GNU
parallel. One row out for each row in (--per-turn: one a request); a bad one
goes to --bad, or to standard error, and is left out. With --parts, what is
handed out are bytes of files, and a row is converted with the part it begins
in.
--shard is for those that hand out numbers: arrays of Slurm. Its parts are cut
by bytes, at the ends of lines.`,
    'Beyond one machine': `Inputs and output lie in a folder that all machines see. On each:
  dragoman worker --queue redis://host:6379
and on one of them:
  dragoman convert all.jsonl --to anthropic -o out.jsonl \\
    --queue redis://host:6379
The output is that of one machine, byte for byte. Workers and Redis may be
killed and started again; after a kill of this command, --resume goes on.
Needs two more packages: npm install bullmq@6 ioredis@6. A password is best in
DRAGOMAN_QUEUE_PASSWORD. docs/scale.md has more.`,
    'Exit codes': `0    all rows are converted
1    some were set aside
2    called wrongly, or the output could not be written
3    the input is not there, or with --strict, a row was bad
4    Redis does not answer, or workers failed
130  stopped by Ctrl-C`,
  },
  run,
};

/** Loads the converter here while the threads load it, too. */
async function run(args: Arguments): Promise<number> {
  const early = args.has('queue') ? [] : startThreads(args.words, readSizes(args));
  const { runConvert } = await import('./run-convert.js');
  return runConvert(args, early);
}

async function formList(): Promise<string> {
  const { forms } = await import('@dragoman/convert');
  const names = forms.map(({ name, needsDialect }) => (needsDialect ? `${name}:<dialect>` : name));
  const margin = Math.max(...names.map((name) => name.length)) + 2;
  return forms
    .map(({ about }, n) => {
      const [first = '', ...rest] = wrapWords(about, 78 - margin);
      return [padTo(names[n] ?? '', margin) + first, ...rest.map((line) => indent(line, margin))].join('\n');
    })
    .join('\n');
}
