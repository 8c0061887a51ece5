// What constants (model/repeated-values.ts) were rendered to, so that the unchanged messages of a session are not rendered
// again. Memory is bounded: one rendering for each message that is kept, and a limit on the taught system messages.

import { ConstantMap, isConstant, makeConstant, markConstant } from '../model/constants.js';
import type { Message, Tool, ToolCall } from '../model/index.js';
import { sameItems } from '../model/map-same.js';
import type { Dialect, RenderOptions } from './dialect.js';
import type { RenderedMessage } from './renderer.js';

/** Everything but the message itself that its rendering depends on, besides the tools. */
export interface RenderContext {
  dialect: Dialect;
  /** As JSON. */
  options: string;
}

const contexts = new ConstantMap<readonly Tool[], readonly RenderContext[]>();
/** For each list of tools. Options differ little; a caller that draws them at random does not fill the memory. */
const MOST_CONTEXTS = 64;
const NO_TOOLS: readonly Tool[] = makeConstant([]);

/** Undefined where tools are no constants, or a text is rendered otherwise in this request alone. */
export function contextOf(
  dialect: Dialect,
  given: readonly Tool[],
  { trusted = [], ...others }: RenderOptions,
): RenderContext | undefined {
  const tools = given.length === 0 ? NO_TOOLS : given;
  if (trusted.length > 0 || !isConstant(tools) || !hasPlainTemplate(others)) return undefined;
  const options = JSON.stringify(others);
  const known = contexts.get(tools) ?? [];
  const found = known.find((one) => one.dialect === dialect && one.options === options);
  if (found) return found;
  const fresh = { dialect, options };
  contexts.set(tools, [fresh, ...known.slice(0, MOST_CONTEXTS - 1)]);
  return fresh;
}

/** Whether JSON tells all values of the template's options apart. */
function hasPlainTemplate({ template = {} }: RenderOptions): boolean {
  return Object.values(template).every(
    (value) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value),
  );
}

// --- messages --------------------------------------------------------------------------------------------

interface RenderedBefore {
  context: RenderContext;
  rendered: RenderedMessage;
  sources: readonly Message[];
  calls: readonly ToolCall[];
}

/** What a message was rendered to last; several results are found by the last one of them. */
const renderedBefore = new ConstantMap<Message, RenderedBefore>();

/** Gives what these messages were rendered to, after the same calls. */
export function recallRendered(
  context: RenderContext,
  sources: readonly Message[],
  calls: readonly ToolCall[],
): RenderedMessage | undefined {
  const known = renderedBefore.get(sources.at(-1) as Message);
  if (known?.context !== context) return undefined;
  return sameItems(known.sources, sources) && sameItems(known.calls, calls) ? known.rendered : undefined;
}

export function keepRendered(
  context: RenderContext,
  sources: readonly Message[],
  calls: readonly ToolCall[],
  rendered: RenderedMessage,
): void {
  if (!sources.every(isConstant)) return;
  markConstant(rendered);
  const kept = { context, rendered, sources: [...sources], calls: [...calls] };
  renderedBefore.set(sources.at(-1) as Message, kept);
}

// --- the system message with the tools -------------------------------------------------------------------

interface Taught {
  system: string;
  message: RenderedMessage;
}

/** Ordered by last use. */
const taughtBefore = new Map<RenderContext, Taught>();
/** How many characters of them are kept. The JSON that is written of each takes as much again. */
const MOST_TAUGHT = 8 * 1024 * 1024;
let taughtCharacters = 0;

export function recallTaught(context: RenderContext, system: string): RenderedMessage | undefined {
  const known = taughtBefore.get(context);
  if (known?.system !== system) return undefined;
  taughtBefore.delete(context);
  taughtBefore.set(context, known);
  return known.message;
}

export function keepTaught(context: RenderContext, system: string, message: RenderedMessage): void {
  dropTaught(context);
  const taught = { system, message: markConstant(message) };
  taughtBefore.set(context, taught);
  taughtCharacters += charactersOf(taught);
  for (const oldest of taughtBefore.keys()) {
    if (taughtCharacters <= MOST_TAUGHT) break;
    dropTaught(oldest);
  }
}

function dropTaught(context: RenderContext): void {
  const taught = taughtBefore.get(context);
  if (!taught) return;
  taughtBefore.delete(context);
  taughtCharacters -= charactersOf(taught);
}

function charactersOf({ system, message }: Taught): number {
  return system.length + message.content.length;
}
