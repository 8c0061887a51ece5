// dragoman score: recorded outputs of models, read again.

import { startThreads } from '@dragoman/convert/files';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { dialectChoices } from '../find-dialect.js';
import { FAIL_ON, LAYOUTS } from '../score/score-choices.js';
import { readSizes } from './convert-sizes.js';

export const scoreCommand: Command = {
  usage: 'score [file or folder …] [--layout <name>] [options]',
  about:
    'Reads recorded outputs of an evaluation again, row by row, and tells errors of the model from errors of the parser that read it: by name, arguments, schema, count and leak. Reads JSON lines, JSON documents, Parquet and the logs of three harnesses, packed or not; uses all cores; needs little memory however long a file is.',
  examples: {
    'Rows of your own: the text, the tools, and the calls that are right.': `echo '{"text": "[add(a=2)]", "tools": [{"name": "add"}],
  "expect": [{"name": "add", "arguments": {"a": 2}}]}' | tr -d '\\n' \\
  > outputs.jsonl
dragoman score outputs.jsonl --dialect pythonic`,
    'The verdict of each row, in a pipe.': `echo '{"text": "Hello.", "expect": [], "dialect": "glm-4.5"}' |
  dragoman score --jsonl`,
    'Results of the Berkeley leaderboard, with questions and answers.': `echo '{"id": "s0", "result": "[add(a=2)]"}' > result.json
echo '{"id": "s0", "function": [{"name": "add"}]}' > questions.json
echo '{"id": "s0", "ground_truth": [{"add": {"a": [2]}}]}' > answers.json
dragoman score result.json --layout bfcl --join questions.json \\
  --join answers.json --dialect pythonic --html score.html`,
  },
  options: {
    '-l, --layout <name>': 'plain, bfcl, lm-eval or inspect; see below. Default: plain.',
    '-d, --dialect <name>':
      'The dialect to read in: a name, a file with a dialect of your own, or auto, which takes the one that reads most in each output. A row that names its own is read in that one. Default: that of the row or of its model.',
    '--thinking': 'The prompts ended inside the reasoning. Default: what the row says.',
    '--text <path>': 'Where a row has the raw text, such as `answer.raw`. Default: that of the layout.',
    '--tools <path>': 'Where a row has the tools. Default: that of the layout.',
    '--expect <path>': 'Where a row has the calls that are right. Default: that of the layout.',
    '--reader <path>':
      "Where a row has the engine's own reading, to compare with: a list of calls, or an object with `text` and `calls`. Default: none; of inspect, the calls of the messages.",
    '--join <file> …': 'A file of JSON lines whose members are added to the rows with the same `id`.',
    '-o, --output <path>':
      'Write the verdict of each row: to a file, packed by its name and a table if it ends in .parquet; or to a folder, in which each input gets a file. Default: none.',
    '--json': 'Print the counts and examples as JSON. Default: a table.',
    '--html <file>': 'Write them as a page, too. Default: none.',
    '--fail-on <who>': 'What ends with 1: any error, errors of the parser, or never. Default: any.',
    '--bad <path>': 'Where rows go that cannot be read. Default: <output>.bad.jsonl, or standard error.',
    '--strict': 'Stop at the first row that cannot be read. Default: set it aside.',
    '--jsonl': 'A filter: rows on standard input, verdicts on standard output, in order, without delay.',
    '--parts':
      'With --jsonl: lines name parts of files of JSON lines, {"path", "start", "end"}; an empty line ends the verdicts of each.',
    '--shard <i/N>': 'Score only the i-th of N parts of the input, i from 1 to N.',
    '--queue <url>': 'Let workers score: redis://host:port of their queue, as in `dragoman convert`.',
    '--root <folder>': 'With --queue: the folder all machines share, if it is mounted at different places.',
    '-j, --jobs <n>': 'Threads. Default: one a core; with --jsonl, one.',
    '--block-size <bytes>': 'What a thread scores at a time. Default: 1M.',
    '--resume': 'Go on where a run with --output was interrupted.',
    '--force': 'Replace what is there, also what an interrupted run left.',
  },
  completes: {
    layout: LAYOUTS,
    dialect: dialectChoices,
    output: 'file',
    bad: 'file',
    'fail-on': FAIL_ON,
  },
  words: 'file',
  sections: {
    Layouts: `plain     {"text", "tools", "expect"}, and if you like "id", "dialect",
          "model", "thinking"; expect is a list of calls
bfcl      results of the Berkeley leaderboard; --join its questions and
          possible answers. Several turns, Java and JavaScript stay unscored.
lm-eval   samples of lm-evaluation-harness: resps, doc.tools, and calls in
          target or doc.expect
inspect   logs of inspect_ai, .json or .eval: the assistant's messages, and
          calls in target or metadata.expect`,
    Verdicts: `right     the calls are the expected ones, in any order, and none is left in
          the text. Counted as repaired if a repair was needed.
model     the text, read in its dialect, has other calls
parser    the text has the right calls, and a reader missed them: the engine
          (--reader), or the dialect it is read in here, when another dialect
          reads it right
unscored  no raw text is recorded; of bfcl also several turns, other
          languages, and rows whose question or answer is missing. Left out
          of the rate. A row without expected calls is scored: by names,
          schemas and leaks alone.
docs/score.md has the rules.`,
    'Rows of verdicts': `A line for each row, with a verdict for each output of it:
  {"id"?, "verdict", "outputs": [{"verdict", "dialect"?, "by"?, "reads_as"?,
   "reads_thinking"?, "reader_right"?, "reason"?,
   "errors": [{"check", "message"}], "calls": [{"name", "arguments"}],
   "repairs", "issues"}]}`,
    'Exit codes': `0    every output is right, or has no error that --fail-on names
1    some have an error, or rows were set aside
2    called wrongly, or the output could not be written
3    the input is not there, or with --strict, a row was bad
4    Redis does not answer, or workers failed
130  stopped by Ctrl-C`,
  },
  run,
};

/** Loads the parsers here while the threads load them, too. */
async function run(args: Arguments): Promise<number> {
  const early = args.has('queue') ? [] : startThreads(args.words, readSizes(args));
  const { runScore } = await import('../score/run-score.js');
  return runScore(args, early);
}
