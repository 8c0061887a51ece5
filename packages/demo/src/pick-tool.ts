// Picks the tool that a question asks for: the one whose name, description and parameters share most words with it. For
// usual requests to coding agents, whose tools have many names, it picks the tool made for that.

import type { Tool } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { Things } from './find-things.js';
import { meaning, stem, wordsOf } from './words.js';

/** Only the start of a long description says what a tool does. */
const MAX_DESCRIPTION = 300;
/** From this many tools on, one shared word in a description may be chance. */
const MANY = 6;
/** The score of a tool that is made for the request, which outweighs shared words. */
const MADE_FOR = 10;

interface ToolWords {
  name: ReadonlySet<string>;
  description: ReadonlySet<string>;
  parameters: ReadonlySet<string>;
}

/** Gives the best tool; nothing if none fits, unless `any` is set. */
export function pickTool(
  tools: readonly Tool[],
  question: string,
  chore: Chore | undefined,
  any: boolean,
): Tool | undefined {
  const asked = meaning(question);
  const scores = tools.map((tool) => {
    const made = chore ? suits(tool.name, chore.kind) * MADE_FOR : 0;
    return made + sharedWords(wordsAbout(tool), asked);
  });
  const best = Math.max(...scores);
  const least = any ? -1 : tools.length > MANY ? 2 : 1.4;
  return best > least ? tools[scores.indexOf(best)] : undefined;
}

export function wordsAbout({ name, description = '', parameters }: Tool): ToolWords {
  const properties = isObject(parameters) && isObject(parameters.properties) ? parameters.properties : {};
  return {
    name: new Set([...meaning(name), ...wordsOf(name).map(stem)]),
    description: meaning(description.slice(0, MAX_DESCRIPTION)),
    parameters: meaning(Object.keys(properties).slice(0, 50).join(' ')),
  };
}

function sharedWords({ name, description, parameters }: ToolWords, asked: Iterable<string>): number {
  let score = 0;
  for (const word of asked) {
    if (name.has(word)) score += 3;
    else if (description.has(word)) score += 1.5;
    else if (parameters.has(word)) score += 0.8;
  }
  return score;
}

// --- chores of coding agents ---------------------------------------------------------------------------

export interface Chore {
  kind: 'list' | 'read' | 'run' | 'write';
  /** The shell command. */
  command?: string;
}

/** Words in the names of suitable tools, the best first. */
const SHELLS = 'bash shell exec execute terminal run command cmd';
const SHELL_WORDS = SHELLS.split(' ');
const SUITED: Readonly<Record<Chore['kind'], readonly string[]>> = {
  list: `ls list readdir glob tree find ${SHELLS}`.split(' '),
  read: `read cat view open ${SHELLS}`.split(' '),
  run: SHELLS.split(' '),
  write: 'write save create edit'.split(' '),
};
/** Words that do not change what a tool is for. */
const NEUTRAL = new Set(`file files directory dir folder text path tool content ${SHELLS}`.split(' '));

/**
 * Scores how well a tool's name suits, 0 to 1. `list_agents` and `view_image` are for something else, and so are
 * `list_bash` and `read_bash`, for shells that run already.
 */
function suits(name: string, kind: Chore['kind']): number {
  const words = wordsOf(name);
  const places = words.map((word) => SUITED[kind].indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return 0;
  const isStrange = words.some((word) => !SUITED[kind].includes(word) && !NEUTRAL.has(word));
  const ofShell = words.filter((word) => SHELL_WORDS.includes(word)).length;
  const isForShells = ofShell > 0 && places.length > ofShell;
  return isStrange || isForShells ? 0.05 : 1 - Math.min(...places) / 20;
}

export function choreIn(question: string, things: Things): Chore | undefined {
  const {
    paths: [path = ''],
  } = things;
  const asks = (words: RegExp) => words.test(question);
  const command = commandIn(question, things);
  if (command !== undefined && asks(/\b(?:run|execute)\b/i)) return { kind: 'run', command };
  if (path !== '' && asks(/\b(?:write|save|create)\b/i)) return { kind: 'write' };
  const isFile = /[^./]/.test(path) && !path.endsWith('/');
  if (isFile && asks(/\b(?:read|open|cat|view|show|print|summarize|contents?)\b/i))
    return { kind: 'read', command: `cat ${path}` };
  if (asks(/\b(?:ls|files|folder|directory|dir)\b/i)) return { kind: 'list', command: `ls ${path}`.trim() };
  return undefined;
}

/** Finds what stands in backticks, in quotes where a command is spoken of, or after `Run` at the start. */
function commandIn(question: string, { code: [code], quoted: [quoted] }: Things): string | undefined {
  const named = /\bcommand\b/i.test(question) ? quoted : undefined;
  return code ?? named ?? /^\s*run (?:the command )?(\S.*)/is.exec(question)?.[1];
}
