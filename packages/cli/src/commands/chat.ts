// dragoman chat: talk to a model that only writes text, with tools.

import { type Dialect, detect, type Registry } from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import { answerOnce } from '../chat/answer-once.js';
import { ChatSession } from '../chat/chat-session.js';
import { type ChatTools, openTools } from '../chat/chat-tools.js';
import { Gate } from '../chat/gate.js';
import { History, historyFile } from '../chat/history.js';
import { Keyboard } from '../chat/keyboard.js';
import { Questions } from '../chat/questions.js';
import { type Reached, reachModel } from '../chat/reach-model.js';
import { Screen } from '../chat/screen.js';
import { Talk } from '../chat/talk.js';
import { TerminalView } from '../chat/terminal-view.js';
import { readEvidence, refuseClues, tellChoice, templateOption } from '../choose-dialect.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { dialectChoices, dialectNamed, withDialect } from '../find-dialect.js';
import { ggufOptions, ggufWords } from '../gguf-options.js';
import { readInput } from '../input.js';
import { kindChoices, kindOptions, variablesOfUpstream } from '../kind-options.js';
import { isTerminal, note } from '../terminal.js';

export const chatCommand: Command = {
  usage: 'chat [--upstream <url> | --gguf <path>] [--tools sys]',
  about:
    'Talks to a model that only writes text, with tools: those of this machine, and those of MCP servers. On a terminal it streams text, reasoning and calls, and asks before a tool acts. In a pipe it answers one question. Without an upstream it talks to the demo model, which needs no key.',
  examples: {
    'The demo model, with the tools of this machine.': 'dragoman chat --tools sys',
    'A local model, with the tools of an MCP server, and its raw text beside.': `dragoman chat --upstream http://localhost:11434/v1 --model qwen3 --raw \\
  --mcp "npx -y @modelcontextprotocol/server-everything"`,
    'One question, one answer.': `echo 'List the files in this folder.' | dragoman chat --tools sys`,
    'The same for programs; --yes lets tools act.': `echo 'Run the command "date"' | dragoman chat --tools sys --yes --json`,
  },
  options: {
    '--upstream <url>': 'The model’s server, up to /v1. Default: the demo model.',
    ...ggufOptions,
    '-m, --model <name>': 'Default: the only one the server or the folder has.',
    '-d, --dialect <name>':
      'The model’s dialect: a name, a file with a dialect of your own, or auto: chosen by the model’s name or --template, else taught by a prompt. Default: auto.',
    ...templateOption,
    ...kindOptions,
    '--upstream-key <key>':
      'The API key for the upstream. Better set in the environment, where other programs do not see it.',
    '--thinking': 'Let the model reason. Default: the model decides.',
    '--no-thinking': 'Do not let it reason.',
    '--system <text>': 'The system message. Default: none.',
    '--tools <set>': 'sys: bash, read_file, write_file and list_files, in one folder. Default: none.',
    '--folder <path>':
      'Where the tools of sys work. File tools stay in it; a shell command can leave it. Default: here.',
    '--mcp <server> …': 'An MCP server: a command to start, or the URL of one that speaks streamable HTTP.',
    '-y, --yes': 'Let all tools act without asking.',
    '--max-turns <n>': 'The most requests to the model for one answer. Default: 20.',
    '--raw': 'On a terminal: show the model’s raw text beside the parsed answer.',
    '--no-history': 'Keep no history of what is typed.',
    '-q, --quiet': 'Nothing but the answer: no greeting, no notes.',
    '--json': 'One question; the answer as one JSON object.',
    '--jsonl': 'One question; what happens as JSON lines, while it happens.',
  },
  completes: { dialect: dialectChoices, ...kindChoices, tools: ['sys'] },
  sections: {
    'On a terminal': `/help lists what can be typed: /dialect, /model, /tools, /raw, /show, /text,
/save, /clear, /quit. A line that ends with \\ goes on in the next. Ctrl-C
stops an answer, twice it leaves. Questions are kept for the arrow keys in
$XDG_STATE_HOME/dragoman/chat-history, or ~/.local/state; never one that holds
a key, nor one that begins with a space.`,
    'In a pipe': `Standard input is the question, standard output the text of the answer, and
standard error everything else. Tools that act are refused without --yes; the
model gets the refusal as their result. --json prints
  {"model", "dialect", "text", "reasoning",
   "calls": [{"id", "name", "input", "output", "isError"?, "ran"}],
   "reason", "turns", "usage"?, "issues", "repairs", "error"?}`,
    'GGUF files': ggufWords('chat'),
    'MCP servers': `A command is split at spaces, with quotes as in a shell, and started without
one. It gets PATH, HOME and the like of the environment, and the variables
before it: --mcp "TOKEN=$TOKEN my-server --flag". Every call asks first.`,
    Environment: variablesOfUpstream,
    'Exit codes': `0    answered, or the chat was left
1    answered, but not to the end, or a tool was refused
2    the command was called wrongly
3    there was no question on standard input
4    the upstream or an MCP server did not answer, or refused
130  stopped by Ctrl-C`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  const settings = await readSettings(args);
  const reached = await reachModel(args, process.env, settings.dialects, settings.dialect);
  const run = settings.isTalk ? talk : once;
  return run(args, settings, reached).finally(() => reached.close?.());
}

interface ChatSettings {
  isTalk: boolean;
  form: 'text' | 'json' | 'jsonl';
  dialect: Dialect | 'auto';
  dialects: Registry;
  thinking: boolean | undefined;
  system: string | undefined;
  maxTurns: number | undefined;
  folder: string | undefined;
  mcp: readonly string[];
  quiet: boolean;
}

async function readSettings(args: Arguments): Promise<ChatSettings> {
  if (args.words.length > 0)
    throw new CommandError(
      `expected options only, found ${args.words[0]}; the question goes to standard input`,
    );
  const form = (args.oneOf('json', 'jsonl') ?? 'text') as ChatSettings['form'];
  const dialect = await dialectOf(args);
  return {
    isTalk: form === 'text' && isTerminal && process.stdin.isTTY === true,
    form,
    dialect,
    dialects: withDialect(dialect === 'auto' ? undefined : dialect),
    thinking: args.choice('thinking'),
    system: args.value('system'),
    maxTurns: args.count('max-turns', 6),
    folder: folderOf(args),
    mcp: args.values('mcp'),
    quiet: args.has('quiet'),
  };
}

/** Gives the dialect. `auto` stays, to be resolved for each model of the chat, unless a template decides. */
async function dialectOf(args: Arguments): Promise<Dialect | 'auto'> {
  const name = args.value('dialect') ?? 'auto';
  if (name !== 'auto') refuseClues(args, ['template']);
  if (name !== 'auto') return dialectNamed(name);
  return args.has('template') ? tellChoice(detect(await readEvidence(args))) : name;
}

function folderOf(args: Arguments): string | undefined {
  const tools = args.value('tools');
  if (tools !== undefined && tools !== 'sys')
    throw new CommandError(`--tools: expected sys, found ${tools}; --mcp adds the tools of other servers`);
  if (tools === undefined && args.has('folder'))
    throw new CommandError('--folder is for --tools sys: add it');
  return tools === undefined ? undefined : (args.value('folder') ?? '.');
}

async function talk(args: Arguments, settings: ChatSettings, reached: Reached): Promise<ExitCode> {
  const screen = new Screen();
  const view = new TerminalView(screen, settings.quiet);
  const keyboard = new Keyboard();
  const questions = new Questions(keyboard, view, screen);
  const gate = new Gate(args.has('yes') ? 'all' : questions.ask);
  if (settings.mcp.length > 0) screen.status('starting the MCP servers …');
  const tools = await openTools(settings, gate).finally(() => screen.status(''));
  // Native calls have no raw text.
  view.raw = args.has('raw') && reached.mode === 'emulate';
  const session = sessionOf(settings, reached, tools);
  const history = new History(args.has('no-history') ? undefined : historyFile(process.env), reached.secrets);
  const { sources } = tools;
  const { quiet } = settings;
  const chat = new Talk({ session, sources, gate, screen, view, keyboard, questions, history, quiet });
  const code = await chat.run().finally(() => tools.close());
  // A tool that still runs must not keep the process alive after the user left.
  if (code === EXIT.stopped) process.exit(code);
  return code;
}

async function once(args: Arguments, settings: ChatSettings, reached: Reached): Promise<ExitCode> {
  if (args.has('raw')) note('--raw is for a terminal; in a pipe, --json has all of the answer.');
  const gate = new Gate(args.has('yes') ? 'all' : 'none');
  const question = await readInput(undefined);
  const tools = await openTools(settings, gate);
  const session = sessionOf(settings, reached, tools);
  return answerOnce(question, { session, gate, ...settings }).finally(() => tools.close());
}

function sessionOf(settings: ChatSettings, reached: Reached, { sources }: ChatTools): ChatSession {
  const { dialect, dialects, thinking, system, maxTurns } = settings;
  const tools = sources.flatMap((source) => source.tools);
  return new ChatSession({ reached, tools, dialect, dialects, thinking, system, maxTurns });
}
