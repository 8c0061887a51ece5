// dragoman tour: the same call in every dialect, read as it streams in. On a terminal it is animated; in a pipe the
// last frame of each scene is printed.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Dialect, dialects, findDialect } from '@dragoman/core';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { exampleTools, spell } from '../example.js';
import { colors, isTerminal, write, writeLine } from '../terminal.js';
import { framesOf, type TourScene } from '../tour-scene.js';
import { widthOf, wrapWords } from '../visible-text.js';

export const tourCommand: Command = {
  usage: 'tour',
  about:
    'Shows the same call spelled in every dialect and read back as it streams in; then an output that was repaired and one that was cut off. Takes about a quarter of a minute on a terminal. Ctrl-C skips to the end.',
  examples: {
    'Watch it.': 'dragoman tour',
    'In a pipe it is not animated.': 'dragoman tour | cat',
  },
  options: {},
  sections: {
    'Exit codes': '0  shown\n2  the command was called wrongly',
  },
  run,
};

const WIDTH = 80;
/** Characters in a chunk of the model's stream. */
const PIECE = 4;
/** Milliseconds a scene takes, however long its text, and the pause after it. */
const SCENE_TIME = 1000;
const PAUSE = 250;

async function run(args: Arguments): Promise<number> {
  if (args.words.length > 0) throw new CommandError(`expected no words, found ${args.words[0]}`);
  const skip = new AbortController();
  const onInterrupt = () => skip.abort();
  process.once('SIGINT', onInterrupt);
  try {
    await writeLine(opening());
    await play(skip.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
    if (moves()) await write('\x1b[?25h');
  }
  await writeLine(closing());
  return 0;
}

/** Whether to animate. A scene is drawn over itself, so it has to fit the terminal. */
function moves(): boolean {
  const { columns = 0, rows = 0 } = process.stdout;
  return isTerminal && process.env.TERM !== 'dumb' && columns >= WIDTH && rows >= 20;
}

async function play(skip: AbortSignal): Promise<void> {
  for (const scene of scenes()) {
    if (skip.aborted) return;
    await writeLine(`\n${colors.bold(scene.title)}\n`);
    const frames = framesOf(scene, PIECE, WIDTH - 1);
    if (moves()) await animate(frames, skip);
    else await writeLine((frames.at(-1) ?? []).join('\n'));
  }
}

async function animate(frames: readonly string[][], skip: AbortSignal): Promise<void> {
  const height = frames[0]?.length ?? 0;
  await write(`\x1b[?25l${'\n'.repeat(height)}`);
  for (const frame of frames) {
    if (skip.aborted) break;
    await redraw(frame);
    await pause(SCENE_TIME / frames.length, skip);
  }
  await redraw(frames.at(-1) ?? []);
  await pause(PAUSE, skip);
}

function redraw(frame: readonly string[]): Promise<void> {
  return write(`\x1b[${frame.length}A${frame.map((line) => `\r${line}\x1b[K\n`).join('')}`);
}

/** Ends at once when the tour is skipped. */
async function pause(time: number, skip: AbortSignal): Promise<void> {
  await sleep(time, undefined, { signal: skip }).catch(() => {});
}

function scenes(): TourScene[] {
  const tools = exampleTools;
  const spelled = dialects.map((dialect) => ({
    title: titleOf(dialect),
    dialect,
    tools,
    text: spell(dialect).call,
  }));
  const hermes = findDialect('hermes');
  const glm = findDialect('glm-4.5');
  const whole = spell(glm).call;
  const cutOff = whole.slice(0, whole.indexOf('Paris') + 'Pa'.length);
  return [
    ...spelled,
    {
      title: 'Not quite JSON: it is read all the same, and every repair is listed',
      dialect: hermes,
      tools,
      text: `<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Paris', 'days': 3,}}\n</tool_call>`,
    },
    {
      title: 'Cut off: a call that is not complete is never delivered',
      dialect: glm,
      tools,
      text: cutOff,
    },
  ];
}

/** With the models that fit into a line. */
function titleOf({ name, models }: Dialect): string {
  let title = models.length > 0 ? `${name}, spoken by ${models[0]}` : `${name}, taught by a prompt`;
  for (const [at, model] of models.entries()) {
    if (at === 0) continue;
    if (widthOf(title) + widthOf(model) > WIDTH - 14) return `${title} and others`;
    title += `, ${model}`;
  }
  return title;
}

function opening(): string {
  const text =
    'Models that only write text write their tool calls as text, each in its own way. On the left is what a model writes; on the right is what dragoman reads while it arrives.';
  const lines = wrapWords(text, WIDTH - 1);
  return [...lines, ...(moves() ? [colors.dim('Ctrl-C skips to the end.')] : [])].join('\n');
}

function closing(): string {
  return [
    '',
    colors.bold('Try next'),
    '  dragoman dialects            the list',
    '  dragoman dialects glm-4.5    one of them',
    '  dragoman parse --help        read what a model wrote',
    '  dragoman render --help       write what a model is to read',
    `  echo '<tool_call>{"name": "add", "arguments": {"a": 1,}}</tool_call>' |`,
    '    dragoman parse --dialect hermes',
  ].join('\n');
}
