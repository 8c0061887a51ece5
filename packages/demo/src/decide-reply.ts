// What the demo model replies: a call, an answer that quotes results, or a word about itself.

import type { JsonObject, Tool } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { Exchange } from './exchange.js';
import { fillCalls } from './fill-input.js';
import { pickTool } from './pick-tool.js';
import type { PromptReading } from './read-prompt.js';
import { type Sayings, sayingsIn } from './sayings.js';
import { thingsIn } from './things.js';
import { titleFor } from './title.js';
import { wishOf } from './wish.js';
import { meaning, speaksChinese } from './words.js';
import { workingFolder } from './working-folder.js';

export interface Reply {
  thought: string;
  text: string;
  calls: { name: string; input: JsonObject }[];
}

export function decideReply(reading: PromptReading, exchange: Exchange): Reply {
  const { question, answered, required } = exchange;
  const say = sayingsIn(speaksChinese(question) ? 'zh' : 'en');
  const mustCall = required !== undefined;
  if (answered.length > 0 && !mustCall) return plain(say, say.answer(answered));
  if (reading.tools.length === 0) return plain(say, titleFor(question, exchange.system) ?? say.noTools);
  const tool = toolFor(reading.tools, exchange);
  if (!tool) return plain(say, say.noTool(reading.tools));
  return callOf(tool, reading, exchange, say);
}

function plain(say: Sayings, text: string): Reply {
  return { thought: say.thoughtOfAnswer, text, calls: [] };
}

function toolFor(tools: readonly Tool[], { question, required }: Exchange): Tool | undefined {
  const named = tools.find(({ name }) => name === required);
  if (named) return named;
  // A tool that the user names is the one that is meant.
  const spoken = tools.find(({ name }) => name.length > 3 && name.includes('_') && question.includes(name));
  return spoken ?? pickTool(tools, question, wishOf(question, thingsIn(question)), required !== undefined);
}

function callOf(tool: Tool, reading: PromptReading, exchange: Exchange, say: Sayings): Reply {
  const things = thingsIn(exchange.question, wordsAbout(tool));
  const wish = wishOf(exchange.question, things);
  const folder = workingFolder(reading.turns.map(({ text }) => text));
  const context = {
    things,
    ...(wish && { wish }),
    ...(folder !== undefined && { folder }),
    ...(exchange.again !== undefined && exchange.refused > 1 && { again: exchange.again }),
  };
  const filled = fillCalls(tool, context, exchange.once);
  const guessed = [...new Set(filled.flatMap((one) => one.guessed))];
  return {
    thought: say.thoughtOfCall(tool.name),
    text: guessed.length > 0 ? say.guessed(guessed) : '',
    calls: filled.map(({ input }) => ({ name: tool.name, input })),
  };
}

/** Words that a question shares with a tool are no names in it: `Weather in Paris`. */
function wordsAbout({ name, parameters }: Tool): ReadonlySet<string> {
  const properties =
    isObject(parameters) && isObject(parameters.properties) ? Object.keys(parameters.properties) : [];
  return meaning([name, ...properties].join(' '));
}
