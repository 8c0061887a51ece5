// Prints tool definitions for prompts, and the short form of the text that teaches a dialect.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import {
  ExactNumber,
  type ExactValue,
  exactEntries,
  isObject,
  type Tool,
  tryParseExact,
} from '../../model/index.js';

/** Gives `{type: 'function', function: {…}}`, as it arrived. */
export function toolSource(tool: Tool): ExactValue {
  return tool.source ?? { type: 'function', function: builtFunction(tool) };
}

/** Gives the inner object, without the wrapper. */
export function toolFunction(tool: Tool): ExactValue {
  return memberOf(tool.source, 'function') ?? builtFunction(tool);
}

export function isRecord(value: unknown): value is { [key: string]: ExactValue } | Map<string, ExactValue> {
  return isObject(value) && !(value instanceof ExactNumber);
}

/** Gives the members of an object; of anything else, none. */
export function membersOf(value: ExactValue | undefined): [key: string, value: ExactValue][] {
  return isRecord(value) ? exactEntries(value) : [];
}

export function memberOf(value: ExactValue | undefined, key: string): ExactValue | undefined {
  return membersOf(value).find(([name]) => name === key)?.[1];
}

function builtFunction({ name, description, parameters }: Tool): ExactValue {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  };
}

/** Writes one definition a line. JSON has no raw line breaks, so no definition can extend beyond its line. */
export function writeToolLines(out: Writer, tools: readonly Tool[], show: (tool: Tool) => ExactValue): void {
  for (const [at, tool] of tools.entries()) {
    if (at > 0) out.ours('\n');
    out.json(show(tool), `tools[${at}]`);
  }
}

/** The words before the definitions in the templates of Qwen and GLM, and their frame. */
export const SIGNATURES = `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>`;

export interface ShortForm {
  /** An example call of the tool `NAME` with the arguments `key` and `count`. */
  example: string;
  /** How names, keys and values are written, in a sentence or two. */
  rules: string;
  /** What results look like. */
  result: string;
}

export type WriteTools = (out: Writer, tools: readonly Tool[]) => void;

/** Writes the vendor's own text; the short form if it is asked for, or if the vendor has none. */
export function teaching(form: ShortForm, write?: WriteTools): Render['instructions'] {
  return (out, tools, options) => {
    if (write && !options.short) write(out, tools);
    else writeShortForm(out, tools, form);
  };
}

/** Writes the short form of a taught prompt: under 800 characters without the tools. */
export function writeShortForm(out: Writer, tools: readonly Tool[], form: ShortForm): void {
  out.ours('# Tools\n\nYou can call these tools, one JSON definition a line:\n');
  writeToolLines(out, tools, toolFunction);
  out.ours(`

To call a tool, write exactly this:

${form.example}

${form.rules} Results come back in the next message as ${form.result}, in the order of the calls.
Write calls at the end of the reply, write nothing after them, never write results yourself.`);
}

/** Reads what `writeToolLines` wrote; undefined if a line is no JSON. */
export function readToolLines(text: string): ExactValue[] | undefined {
  const tools = text.split('\n').map(tryParseExact);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

/** Reads one JSON list; undefined if the text is none. */
export function readToolList(text: string): ExactValue[] | undefined {
  const list = tryParseExact(text);
  return Array.isArray(list) ? list : undefined;
}

interface TaughtText {
  full: string;
  /** Under 800 characters, for small contexts. */
  short: string;
}

export type TaughtTexts = Record<'en' | 'zh', TaughtText>;

export function chooseText(texts: TaughtTexts, options: RenderOptions): string {
  const text = texts[options.language ?? 'en'];
  return options.short ? text.short : text.full;
}
