// The slash commands of a chat.

import { writeFileSync } from 'node:fs';
import { type Dialect, dialects } from '@dragoman/core';
import { CommandError, isForReader, messageOf } from '../command-error.js';
import { dialectNamed } from '../find-dialect.js';
import { didYouMean } from '../nearest.js';
import { colors } from '../terminal.js';
import { cutTo, padTo, visibleLine, visibleText, wrapWords } from '../visible-text.js';
import type { ChatSession } from './chat-session.js';
import type { ToolSource } from './chat-tools.js';
import type { Gate } from './gate.js';
import type { Screen } from './screen.js';
import type { TerminalView } from './terminal-view.js';

export interface SlashContext {
  session: ChatSession;
  sources: readonly ToolSource[];
  gate: Gate;
  screen: Screen;
  view: TerminalView;
  /** The last file that /save wrote: it may be overwritten. */
  saved?: string;
}

interface SlashCommand {
  name: string;
  takes?: string;
  about: string;
  /** Runs the command and gives its output. Throws a CommandError. */
  run(chat: SlashContext, word: string): string | Promise<string>;
}

const commands: readonly SlashCommand[] = [
  { name: 'help', about: 'this list', run: help },
  { name: 'dialect', takes: '[name]', about: 'which dialect is spoken, or speak another', run: dialect },
  { name: 'model', takes: '[name]', about: 'which models there are, or ask another', run: model },
  { name: 'tools', about: 'the tools, and which of them ask first', run: tools },
  { name: 'raw', about: "switch the model's raw text beside the parsed answer on or off", run: raw },
  { name: 'show', takes: '[n]', about: 'a folded result, whole; the last one without a number', run: show },
  {
    name: 'text',
    takes: '[file]',
    about: "the model's raw text: of the last answer, or the last with issues",
    run: text,
  },
  { name: 'save', takes: '[file]', about: 'the conversation, as a chat request of OpenAI', run: save },
  { name: 'clear', about: 'start a new conversation', run: clear },
  { name: 'quit', about: 'leave; so does Ctrl-D', run: () => '' },
];

/** Whether the chat continues. */
export async function runSlashCommand(line: string, chat: SlashContext): Promise<boolean> {
  const [name = '', ...words] = line.slice(1).trim().split(/\s+/);
  if (name === 'quit' || name === 'exit' || name === 'q') return false;
  const said = await answerOf(name, words.join(' '), chat);
  if (said !== '') chat.screen.write(`${said}\n`);
  return true;
}

async function answerOf(name: string, word: string, chat: SlashContext): Promise<string> {
  const command = commands.find((one) => one.name === name);
  const names = commands.map((one) => one.name);
  if (!command) {
    const near = didYouMean(name, names, '/') || '; /help lists them';
    return problem(
      chat,
      `there is no /${visibleLine(name)}${near}. To send it to the model, begin with a space.`,
    );
  }
  try {
    return await command.run(chat, word);
  } catch (error) {
    if (isForReader(error) || (error as NodeJS.ErrnoException).code) return problem(chat, messageOf(error));
    throw error;
  }
}

/** For Tab. */
export function completeSlash(line: string): [string[], string] {
  const dialectName = /^\/dialect (\S*)$/.exec(line)?.[1];
  if (dialectName !== undefined) {
    const names = ['auto', ...dialects.map(({ name }) => name)];
    return [names.filter((name) => name.startsWith(dialectName)), dialectName];
  }
  if (!/^\/\w*$/.test(line)) return [[], line];
  const words = commands.map(({ name, takes }) => `/${name}${takes ? ' ' : ''}`);
  return [words.filter((word) => word.startsWith(line)), line];
}

function problem({ screen }: SlashContext, message: string): string {
  return wrapWords(visibleText(message), screen.width).map(colors.red).join('\n');
}

function help(): string {
  const lines = commands.map(
    ({ name, takes, about }) =>
      `  ${colors.bold(padTo(`/${name}${takes ? ` ${takes}` : ''}`, 16))}  ${about}`,
  );
  return [
    ...lines,
    '',
    'A line that ends with \\ goes on in the next; so does what is pasted.',
    'Ctrl-C stops an answer, twice it leaves. Up and down are the history.',
  ].join('\n');
}

function dialect({ session }: SlashContext, word: string): string {
  if (word !== '') session.dialect = word === 'auto' ? 'auto' : chosen(session, word);
  const { name, why } = session.spoken;
  if (session.options.reached.mode === 'heal') return `It has native calls; leaked ones are read as ${name}.`;
  if (word !== '') return `Now in ${colors.bold(name)}, ${why}.`;
  return `${colors.bold(name)}, ${why}. There are ${dialects.map((one) => one.name).join(', ')}.`;
}

/** Finds the dialect. One from a file is added to the registry, so that it can be named from then on. */
function chosen(session: ChatSession, word: string): Dialect {
  const found = dialectNamed(word, session.dialects);
  if (!session.dialects.dialects.includes(found)) session.dialects = session.dialects.with(found);
  return found;
}

async function model({ session }: SlashContext, word: string): Promise<string> {
  if (word !== '') {
    session.model = word;
    return `Now ${colors.bold(visibleLine(word))}, in ${session.spoken.name}.`;
  }
  const names = await session.options.reached.listModels().catch(() => []);
  const others =
    names.length === 0 ? 'The upstream does not list its models.' : `There are ${names.join(', ')}.`;
  return `${colors.bold(visibleLine(session.model))}. ${visibleLine(others)}`;
}

const states = { allowed: 'may act', asks: 'asks first', refused: 'is refused' };

function tools({ sources, gate, screen }: SlashContext): string {
  if (sources.length === 0) return 'There are none: start with --tools sys or --mcp "<command>".';
  const width = Math.max(...sources.flatMap((source) => source.tools.map(({ name }) => name.length)));
  return sources
    .map(({ name, tools, acting }) => {
      const lines = tools.map((tool) => {
        const state = acting.has(tool.name) ? states[gate.stateOf(tool.name)] : 'only looks';
        const words = visibleLine(tool.description ?? '').split('⏎')[0] ?? '';
        const room = screen.width - width - 16;
        const about = words.length > room ? `${cutTo(words, room - 1)}…` : words;
        return `  ${padTo(visibleLine(tool.name), width)}  ${padTo(state, 10)}  ${colors.dim(about)}`;
      });
      return [colors.bold(visibleLine(name)), ...lines].join('\n');
    })
    .join('\n');
}

function raw({ view, session }: SlashContext): string {
  if (session.options.reached.mode === 'heal')
    return 'This upstream has native calls: there is no raw text to show.';
  view.raw = !view.raw;
  return view.raw ? "From now on with the model's raw text." : "From now on without the model's raw text.";
}

function show({ view }: SlashContext, word: string): string {
  const { folded } = view;
  if (folded.length === 0) return 'Nothing was folded.';
  const at = word === '' ? folded.length : Number(word);
  const found = folded[at - 1];
  if (!found) throw new CommandError(`/show: expected a number from 1 to ${folded.length}, found ${word}`);
  return `${colors.bold(visibleLine(found.name))}\n${visibleText(found.text.replaceAll('\r\n', '\n').trimEnd())}`;
}

function text({ session }: SlashContext, word: string): string {
  if (session.lastText === '') return 'Nothing was written yet.';
  if (word === '') return visibleText(session.lastText);
  writeFileSync(word, session.lastText, { flag: 'wx' });
  return `Written to ${visibleLine(word)}.`;
}

function save(chat: SlashContext, word: string): string {
  const file =
    word === ''
      ? (chat.saved ?? `chat-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
      : word;
  const isOurs = file === chat.saved;
  try {
    writeFileSync(file, `${JSON.stringify(chat.session.toRequest(), null, 2)}\n`, {
      flag: isOurs ? 'w' : 'wx',
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandError(`${file} exists already: choose another name`);
  }
  chat.saved = file;
  const count = chat.session.messages.length;
  return `Saved ${count} message${count === 1 ? '' : 's'} to ${visibleLine(file)}.`;
}

function clear({ session }: SlashContext): string {
  session.clear();
  return 'Forgotten. A new conversation begins.';
}
