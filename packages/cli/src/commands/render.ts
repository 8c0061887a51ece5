// dragoman render: a chat request in, a prompt or messages out.

import {
  type Dialect,
  type ExactValue,
  indentJson,
  type RenderedMessages,
  type RenderedPrompt,
  renderMessages,
  renderPrompt,
  type Span,
  toPlain,
} from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import { chooseDialect, dialectOrLines, refuseClues } from '../choose-dialect.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import {
  explainPrefix,
  messagesText,
  type PrefixConversation,
  readWritten,
  showPrefix,
} from '../explain-prefix.js';
import { dialectChoices, missingDialect } from '../find-dialect.js';
import { readInput, readJson, readTextFile } from '../input.js';
import { serveLines } from '../json-lines.js';
import { answerRender, noPrompt, type RenderSettings, renderByTemplate } from '../render-answer.js';
import { LANGUAGES, SAFETIES } from '../render-choices.js';
import { colors, isTerminal, write, writeLine } from '../terminal.js';

export const renderCommand: Command = {
  usage: 'render [file] --dialect <name> [options]',
  about:
    "Writes an OpenAI chat request (JSON, from a file or standard input) as the prompt a completion endpoint takes, as the model's vendor writes it, or with --messages as messages that teach the dialect to any chat endpoint. Markers in text from users and tools are escaped.",
  examples: {
    'The prompt of a question, as GLM-4.5 expects it.': `echo '{"messages": [{"role": "user", "content": "Hello."}]}' > request.json
dragoman render request.json --dialect glm-4.5`,
    'Messages that teach a chat endpoint to call tools in the format of alkaid.': `echo '{"messages": [{"role": "user", "content": "Weather in Paris?"}],
  "tools": [{"type": "function", "function": {"name": "get_weather"}}]}' |
  dragoman render --dialect alkaid --messages --short`,
    'A chat template of your own, a .jinja file or a tokenizer_config.json.': `echo '{% for m in messages %}{{ m.content }}{% endfor %}' > chat.jinja
echo '[{"role": "user", "content": "Hello."}]' |
  dragoman render --template chat.jinja`,
    'How much of its prompts a conversation keeps from turn to turn.': `echo '{"messages": [
  {"role": "user", "content": "Weather in Oslo?"},
  {"role": "assistant", "content": "Rain.", "reasoning_content": "Clouds."},
  {"role": "user", "content": "And tomorrow?"}]}' |
  dragoman render --dialect glm-4.5 --explain-prefix`,
    'One question a line, one answer a line.': `echo '{"id": 1, "dialect": "hermes", "request": {"messages": []}}' |
  dragoman render --jsonl`,
  },
  options: {
    ...dialectOrLines,
    '--model <name>':
      'The name of the model: with --dialect auto it chooses the dialect, and it chooses the prompt where models of a dialect have different ones. Default: none.',
    '--messages': 'Write messages for a chat endpoint. Default: the prompt.',
    '--thinking': 'Let the model reason. Default: as the dialect does.',
    '--no-thinking': 'Do not let it reason.',
    '--no-generate': "Do not end with the start of the assistant's turn. Default: do.",
    '--language <en|zh>': 'The language of the teaching prompt, where the dialect has several. Default: en.',
    '--short': 'The short form of the teaching prompt. Default: the full one.',
    '--safety <way>':
      'What happens to markers in text from users and tools: escape breaks them, reject refuses the request, exact keeps them as the vendor does. Default: escape.',
    '--set <name=value> …':
      "A variable of the vendor's template, such as clear_thinking=false. The value is JSON or else text. May be given several times.",
    '--template <file>':
      'Render by this chat template instead of a dialect. With --dialect auto: only find the dialect by it.',
    '--explain-prefix':
      'Show how much of each prompt of the conversation the next one begins with, and what breaks it.',
    '--spans': 'Show which characters are ours and which came from users and tools.',
    '--json': 'Print one JSON object: the prompt or the messages, and where to stop.',
    '--jsonl': 'Read questions and print answers as JSON lines, for pipes; see below.',
  },
  completes: { dialect: dialectChoices, language: LANGUAGES, safety: SAFETIES },
  words: 'file',
  sections: {
    Output: `The prompt goes to standard output as it is; only on a terminal, a line break
is added. --messages prints a JSON list of {"role", "content"}. --json prints
  {"prompt", "stop"} or {"messages", "stop"}
and, with --spans, where text is ours: [{"start", "end", "origin"}].`,
    'The prefix of prompts': `--explain-prefix renders the prompt of each answer, and compares it with the
next: an upstream reads again what stands behind the first difference. An
assistant's message may have the member "written" with the text as the model
wrote it, markup and all; the gateway keeps these words itself. With --json:
  {"turns": [{"turn", "message", "prompt", "words"?, "stable", "broken"?}]}
where prompt, words and stable are characters, and broken says which message
is written differently, and why.`,
    'JSON lines': `--jsonl reads, a line each,
  {"id", "dialect", "request", "thinking"?, "generate"?, "options"?}
and prints, in the same order,
  {"id", "prompt"}
or, for dialects without a prompt (alkaid, mistral-v3 …) and with --messages,
  {"id", "messages": [{"role", "content"}]}
\`request\` is an OpenAI chat request, with reasoning_content where there is
reasoning. \`generate\` is true by default. \`options\` holds variables of the
vendor's template (enable_thinking, clear_thinking …), and safety, language
and short. The options of the command line are the defaults of lines without
these members. Digits and the order of keys are kept. A line that cannot be
served is answered with
  {"id", "error"}
(id null if it could not be read) and the rest is served.`,
    'Exit codes': `0  rendered; with --jsonl always: each answer has its error
2  the command was called wrongly
3  a file, the request or the template could not be read, or is invalid`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  args.oneOf('json', 'jsonl');
  args.oneOf('spans', 'jsonl');
  for (const name of ['spans', 'jsonl', 'no-generate']) args.oneOf('explain-prefix', name);
  const file = args.file();
  const settings = await readSettings(args);
  const template = await readTemplate(args);
  if (args.has('jsonl')) return serveLines(file, (question) => answerRender(question, settings, template));
  if (template === undefined && !settings.dialect) throw missingDialect();
  const request = readJson(await readInput(file), file ?? 'standard input');
  if (args.has('explain-prefix')) await printPrefix(request, settings, template, args);
  else if (template !== undefined) {
    await print({ text: await renderByTemplate(template, request, settings) }, args);
  } else await renderOne(settings.dialect as Dialect, request, settings, args);
  return 0;
}

async function readSettings(args: Arguments): Promise<RenderSettings> {
  const thinking = args.choice('thinking');
  const model = args.value('model');
  const safety = args.word('safety', SAFETIES);
  const language = args.word('language', LANGUAGES);
  return {
    dialect: await dialectOf(args),
    messages: args.has('messages'),
    generate: !args.has('no-generate'),
    short: args.has('short'),
    template: Object.fromEntries(args.values('set').map(readAssignment)),
    ...(model !== undefined && { model }),
    ...(thinking !== undefined && { thinking }),
    ...(safety && { safety }),
    ...(language && { language }),
  };
}

/** Gives the dialect, or undefined for a template that is rendered itself: with `auto` it only finds the dialect. */
async function dialectOf(args: Arguments): Promise<Dialect | undefined> {
  if (!args.has('template') || args.value('dialect') === 'auto')
    return chooseDialect(args, {}, ['template', 'guess']);
  args.oneOf('template', 'dialect');
  refuseClues(args, ['model']);
  return undefined;
}

function readAssignment(text: string): [name: string, value: unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new CommandError(`--set: expected name=value, found ${text}`);
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), toPlain(readJson(value, value))];
  } catch {
    return [text.slice(0, at), value];
  }
}

/** Reads the template that replaces the dialect, if there is one. Options that only dialects have are refused. */
async function readTemplate(args: Arguments): Promise<string | undefined> {
  const file = args.value('template');
  if (file === undefined || args.value('dialect') === 'auto') return undefined;
  for (const name of ['messages', 'language', 'short', 'safety', 'spans']) {
    args.oneOf('template', name);
  }
  return readTextFile(file);
}

async function renderOne(
  dialect: Dialect,
  request: ExactValue,
  settings: RenderSettings,
  args: Arguments,
): Promise<void> {
  if (settings.messages) await printMessages(renderMessages(dialect, request, settings), args);
  else if (dialect.render.prompt) await print(renderPrompt(dialect, request, settings), args);
  else throw noPrompt(dialect);
}

async function printPrefix(
  request: ExactValue,
  settings: RenderSettings,
  template: string | undefined,
  args: Arguments,
): Promise<void> {
  const { dialect, messages: asMessages } = settings;
  if (dialect && !asMessages && !dialect.render.prompt) throw noPrompt(dialect);
  const begun = (part: object) => (dialect && !asMessages ? renderPrompt(dialect, part, settings).text : '');
  const conversation = readWritten(request, dialect, begun);
  const render = async (messages: PrefixConversation['messages'], generate: boolean) => {
    const part = { messages, tools: conversation.tools } as unknown as ExactValue;
    const asked = { ...settings, generate };
    if (template !== undefined) return renderByTemplate(template, part, asked);
    if (!dialect) throw missingDialect();
    if (asMessages) return messagesText(renderMessages(dialect, part, asked).messages, generate);
    return renderPrompt(dialect, part, asked).text;
  };
  const steps = await explainPrefix(conversation, render);
  if (args.has('json')) await writeLine(JSON.stringify({ turns: steps }, null, 2));
  else for (const line of showPrefix(steps, colors.yellow)) await writeLine(line);
}

async function print(prompt: Partial<RenderedPrompt> & { text: string }, args: Arguments): Promise<void> {
  const { text, stop, spans = [] } = prompt;
  if (args.has('json')) {
    const said = { prompt: text, ...(stop && { stop: [...stop] }) };
    await writeLine(indentJson({ ...said, ...(args.has('spans') && { spans: spans.map(toMembers) }) }, 2));
  } else if (args.has('spans')) await writeLine(showSpans(text, spans));
  else await write(isTerminal && !text.endsWith('\n') ? `${text}\n` : text);
}

async function printMessages({ messages, stop }: RenderedMessages, args: Arguments): Promise<void> {
  const withSpans = args.has('spans');
  if (withSpans && !args.has('json')) {
    const parts = messages.map(({ role, content, spans }) => `${role}\n${showSpans(content, spans)}`);
    await writeLine(parts.join('\n\n'));
    return;
  }
  const list = messages.map(({ role, content, spans }) => ({
    role,
    content,
    ...(withSpans && { spans: spans.map(toMembers) }),
  }));
  await writeLine(indentJson(args.has('json') ? { messages: list, stop: [...stop] } : list, 2));
}

function toMembers({ start, end, origin }: Span): { [key: string]: ExactValue } {
  return { start, end, origin };
}

function showSpans(text: string, spans: readonly Span[]): string {
  const lines = spans.map(({ start, end, origin }) => {
    const piece = JSON.stringify(text.slice(start, end));
    return `${origin.padEnd(8)}${origin === 'ours' ? colors.cyan(piece) : piece}`;
  });
  return lines.join('\n');
}
