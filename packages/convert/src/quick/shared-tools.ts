// Shares one object among all rows that define exactly the same tool. Rows of a training file mostly have the same
// tools, so what is derived from a tool is then made once (model/prepared-tools.ts). The cache is bounded, and cleared when
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

/** Gives the same tools. Those whose definition holds everything are shared; the others stay as they are. */
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

/** Makes the shared tool from a copy, so that no other code can change it. */
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

// --- lists of tools, by the text of their instructions ---------------------------------------------------

const MOST_LISTS = 1024;

interface Lists {
  byText: Map<string, readonly Tool[]>;
  characters: number;
}

/** Keyed by the options object of a layout, which belongs to one dialect and never changes. */
const lists = new WeakMap<RenderOptions, Lists>();

export function recallTools(options: RenderOptions, text: string): readonly Tool[] | undefined {
  return lists.get(options)?.byText.get(text);
}

/** Remembers the tools. The caller must not use them elsewhere. */
export function rememberTools(options: RenderOptions, text: string, tools: readonly Tool[]): readonly Tool[] {
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
