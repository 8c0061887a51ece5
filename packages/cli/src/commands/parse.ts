// dragoman parse: a model's output in; text, reasoning and calls out.

import { createParser, type Dialect, indentJson, type ParseEvent } from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import {
  chooseDialect,
  dialectOrLines,
  guessOption,
  modelOption,
  templateOption,
} from '../choose-dialect.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { dialectChoices, missingDialect } from '../find-dialect.js';
import { openInput, readInput, readTools, unreadable } from '../input.js';
import { serveLines } from '../json-lines.js';
import {
  answerParse,
  cutText,
  type ParseSettings,
  parserOptions,
  readEvents,
  toAnswer,
} from '../parse-answer.js';
import { ParseSessions } from '../parse-sessions.js';
import { showView, viewOf } from '../parse-view.js';
import { columns, note, write, writeLine } from '../terminal.js';
import { TextInput } from '../text-input.js';
import { version } from '../version.js';

export const parseCommand: Command = {
  usage: 'parse [file] --dialect <name> [options]',
  about:
    'Reads what a model wrote, from a file or standard input, and shows its text, its reasoning and its calls; then what was wrong (issues) and what was read generously (repairs), with line, column and the place. A call that was cut off or cannot be read is never delivered as a call.',
  examples: {
    'A call in the format of Hermes and Qwen, with a comma too many.': `echo '<tool_call>{"name": "add", "arguments": {"a": 1,}}</tool_call>' |
  dragoman parse --dialect hermes`,
    'GLM writes values as text; the schema of the tool says that 3 is a number.': `echo '[{"name": "wait", "parameters":
  {"properties": {"days": {"type": "integer"}}}}]' > tools.json
echo '<tool_call>wait<arg_key>days</arg_key><arg_value>3</arg_value>
</tool_call>' |
  dragoman parse --dialect glm-4.7 --tools tools.json --json`,
    'The dialect by the name of the model; --template takes its chat template.': `echo '<tool_call>now</tool_call>' |
  dragoman parse --dialect auto --model zai-org/GLM-4.5-Air`,
    'One question a line, one answer a line.': `echo '{"id": 1, "dialect": "hermes", "text": "Hello."}' |
  dragoman parse --jsonl`,
  },
  options: {
    ...dialectOrLines,
    ...modelOption,
    ...templateOption,
    ...guessOption,
    '--tools <file>':
      'The tools that were offered, as JSON: a list in the shape of OpenAI, Anthropic, the AI SDK or MCP, or a request that holds one. They type values and check inputs. Default: none.',
    '--thinking': 'The prompt ended inside the reasoning. Default: it did not.',
    '--strict': 'List repairs as issues. The reading is the same. Default: off.',
    '--chunk <n>': 'Feed the parser n UTF-16 code units at a time. Default: as the text comes.',
    '--json': 'Print one JSON object.',
    '--events': 'Print the events of the parser as JSON lines, as they come.',
    '--jsonl': 'Read questions and print answers as JSON lines, for pipes; see below.',
    '--serve': 'Answer the operations of a program, as JSON lines, until its input ends; see below.',
    '--sessions <n>': 'With --serve: the most sessions that may be open at once. Default: 1000.',
  },
  completes: { dialect: dialectChoices },
  words: 'file',
  sections: {
    JSON: `--json prints
  {"text", "reasoning", "calls": [{"id", "name", "input", "raw"}],
   "issues": [{"code", "message", "range"}], "repairs": [{"code", "range"}]}
\`input\` is the value, \`raw\` the same as JSON text; both in the model's own
digits and order. A range is [start, end) in UTF-16 code units of the text.`,
    'JSON lines': `--jsonl reads, a line each,
  {"id", "dialect", "text", "tools"?, "thinking"?, "chunk"?, "policies"?}
and prints, in the same order, what --json prints with the "id" in front.
"policies" are those of the library's parser, as {"calls": "text"}.
--dialect, --tools, --thinking, --strict and --chunk are the defaults of lines
without these members. A line that cannot be served is answered with
  {"id", "error"}
(id null if it could not be read) and the rest is served. Blank lines are
skipped. A line may have 64 MiB. Answers do not wait for later lines.`,
    Serving: `--serve is for programs in other languages (clients/python is one). A line is
an operation, and its answer is one line, in order, with the same "id":
  {"op": "hello"}                       {"protocol", "version", "dialects"}
  {"op": "open", "session", "dialect"}  {}
  {"op": "feed", "session", "text"}     {"events"}
  {"op": "finish", "session"}           {"events"}, and the session is over
  {"op": "close", "session"}            {}, without its events
  {"op": "parse", "dialect", "text"}    what --json prints
  {"op": "parse", "dialect", "texts"}   {"answers"}: one each, or {"error"}
  {"op": "render", "request"}           as in render --jsonl
The client names its sessions. \`open\` and \`parse\` take "tools", "thinking",
"strict" and "policies", too; \`parse\` with "events": true gives the events as
well, which are those of --events. What cannot be done is answered with
{"id", "error"}.`,
    'Exit codes': `0  read without issues; with --jsonl and --serve always: answers list them
1  there are issues
2  the command was called wrongly
3  a file could not be read, or holds no tools`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  const form = args.oneOf('json', 'events', 'jsonl', 'serve');
  if (args.has('sessions') && form !== 'serve') throw new CommandError('--sessions is for --serve: add it');
  const file = args.file();
  // A guess needs the whole text, so it cannot be combined with output while the text arrives.
  args.oneOf('guess', 'events');
  args.oneOf('guess', 'jsonl');
  args.oneOf('guess', 'serve');
  const guessed = args.has('guess') ? await readInput(file) : undefined;
  const settings = await readSettings(args, guessed);
  if (form === 'jsonl') return parseLines(file, settings);
  if (form === 'serve') return parseSessions(file, settings, args.count('sessions', 6) ?? SESSIONS);
  const { dialect } = settings;
  if (!dialect) throw missingDialect();
  if (form === 'events') return parseStream(file, dialect, settings);
  const text = guessed ?? (await readInput(file));
  const events = [...readEvents(dialect, text, settings)];
  if (form === 'json') await writeLine(indentJson(toAnswer(events), 2));
  else await writeLine(showView(viewOf(events), text, columns()));
  return events.some((event) => event.issues?.length) ? EXIT.partial : EXIT.done;
}

async function readSettings(args: Arguments, text = ''): Promise<ParseSettings> {
  const tools = await readTools(args.value('tools'));
  return {
    dialect: await chooseDialect(args, { text, tools }),
    tools,
    thinking: args.has('thinking') || undefined,
    strict: args.has('strict') || undefined,
    chunk: args.count('chunk', 9),
  };
}

function parseLines(file: string | undefined, settings: ParseSettings): Promise<number> {
  // Invalid tools would fail every line, so they are reported before the first.
  if (settings.dialect) createParser(settings.dialect, parserOptions(settings));
  return serveLines(file, (question) => answerParse(question, settings));
}

const SESSIONS = 1000;

function parseSessions(file: string | undefined, settings: ParseSettings, most: number): Promise<number> {
  const sessions = new ParseSessions(settings, most, version());
  return serveLines(file, (question) => sessions.answer(question));
}

/** Prints events while the text still arrives. */
async function parseStream(
  file: string | undefined,
  dialect: Dialect,
  settings: ParseSettings,
): Promise<number> {
  const parser = createParser(dialect, parserOptions(settings));
  const input = new TextInput(note);
  let code: number = EXIT.done;
  const show = async (events: ParseEvent[]) => {
    if (events.some((event) => event.issues?.length)) code = EXIT.partial;
    await write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  };
  const feed = async (text: string) => {
    for (const piece of cutText(text, settings.chunk)) await show(parser.feed(piece));
  };
  try {
    for await (const bytes of openInput(file)) await feed(input.push(bytes as Buffer));
  } catch (error) {
    throw unreadable(file ?? 'standard input', error);
  }
  await feed(input.end());
  await show(parser.finish());
  return code;
}
