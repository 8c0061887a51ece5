// The tools of a row, one object for all rows that define the same to the letter: rows of a training file mostly
// share their tools, and what is made of a tool is then made once (model/kept-tools.ts). Bounded, and begun anew when
// it is full.

import { type ExactValue, keepTool, type RenderOptions, type Tool } from '@dragoman/core/internal';

import { isRow, memberOf } from '../forms/members.js';
import { quickly } from './index.js';
import { isPlainValue } from './plain-json.js';

const MOST_TOOLS = 4096;
const MOST_CHARACTERS = 4_000_000;
const LONGEST = 100_000;

const known = new Map<string, Tool>();
let characters = 0;

/** The same tools. Those that say all in their definition are shared; the others stay as they are. */
export function shareTools(tools: readonly Tool[]): Tool[] {
  const share = (tool: Tool) => (!isShared.has(tool) && isDefined(tool) ? shared(tool) : tool);
  return quickly(
    'shared-tools',
    () => tools.map(share),
    () => [...tools],
  );
}

const isShared = new WeakSet<Tool>();
function isDefined({ name, description, parameters, source, extra }: Tool): boolean {
  const inner = isRow(source) ? memberOf(source, 'function') : undefined;
  if (extra !== undefined || !isRow(inner) || !isPlainValue(source)) return false;
  return (
    memberOf(inner, 'name') === name &&
    memberOf(inner, 'description') === description &&
    memberOf(inner, 'parameters') === parameters
  );
}

function shared(tool: Tool): Tool {
  const text = JSON.stringify(tool.source);
  return known.get(text) ?? (text.length > LONGEST ? tool : remember(text));
}

/** From a copy, which is nobody else's. */
function remember(text: string): Tool {
  if (known.size >= MOST_TOOLS || characters > MOST_CHARACTERS) {
    known.clear();
    characters = 0;
  }
  const source = JSON.parse(text) as { [key: string]: ExactValue };
  const { name, description, parameters } = source.function as unknown as Tool;
  const tool = keepTool({
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    source,
  });
  characters += text.length;
  known.set(text, tool);
  isShared.add(tool);
  return tool;
}

// --- lists of tools, by the text that teaches them ------------------------------------------------------

const MOST_LISTS = 1024;

interface Lists {
  byText: Map<string, Tool[]>;
  characters: number;
}

/** By the options of a layout, which is a dialect's own and never changes. */
const lists = new WeakMap<RenderOptions, Lists>();

export function recallTools(options: RenderOptions, text: string): Tool[] | undefined {
  return lists.get(options)?.byText.get(text);
}

/** The tools, which must be nobody else's. */
export function rememberTools(options: RenderOptions, text: string, tools: Tool[]): Tool[] {
  const isPlain = tools.every(({ source, parameters }) => isPlainValue(source) && isPlainValue(parameters));
  if (!isPlain || text.length > LONGEST) return tools;
  let known = lists.get(options);
  if (!known || known.byText.size >= MOST_LISTS || known.characters > MOST_CHARACTERS) {
    known = { byText: new Map(), characters: 0 };
    lists.set(options, known);
  }
  known.characters += text.length;
  known.byText.set(text, tools.map(keepTool));
  return tools;
}
