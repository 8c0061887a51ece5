// Reads and writes tools. Those that run at the provider are left out of the conversation; a request that goes out by
// this API again has them back, at their places.

import { onceConstant } from '../../model/constants.js';
import { acceptToolsReport, type ExactValue, type ModelRequest, type Tool } from '../../model/index.js';
import { isObject } from '../../model/json.js';
import { asListed, keptFor, preparedFrom } from '../decoded-tools.js';
import { isExactObject, memberOf } from '../exact-members.js';
import { Members, wrong } from '../members.js';
import { membersOf, notesOf, withNotes } from '../notes.js';
import { exactSchema, readDefinition } from '../tool-source.js';
import type { WriteContext, Members as Written } from '../transcript-codec.js';
import { toOpaque } from '../values.js';
import type { Spelling } from './spelling.js';

interface DecodedTools {
  tools: readonly Tool[];
  skippedTools: { path: string; type: string }[];
  spelling: Spelling;
}

export function decodeTools(body: Members): DecodedTools {
  const given = body.peek('tools');
  // An empty list is left in the rest, so that it is written again.
  if (Array.isArray(given) && given.length === 0) return { tools: [], skippedTools: [], spelling: {} };
  return readTools(body.list('tools', 'a list of tools') ?? []);
}

const readTools = onceConstant((list: unknown[]): DecodedTools => {
  const definitions = list.map((tool, at) => Members.of(tool, `tools[${at}]`, expected));
  const { tools, skipped } = acceptToolsReport(definitions.map(knownMembers), 'tools');
  const places = new Set(skipped.map(({ path }) => path));
  const named = new Map(definitions.map((tool) => [tool.peek('name'), tool]));
  return preparedFrom(list, {
    tools: tools.map((tool) => ({ ...tool, ...withNotes(named.get(tool.name)?.rest()) })),
    skippedTools: skipped,
    spelling: {
      ...(list.length > 0 && { tools: list.length }),
      ...(places.size > 0 && { skipped: definitions.flatMap((tool, at) => skippedAt(tool, at, places)) }),
    },
  });
});

const expected = 'a tool: {name, description, input_schema}';

/** Gives the members that the model's validation reads. The type stays in the rest: `custom` is the default. */
function knownMembers(tool: Members): Record<string, unknown> {
  const type = tool.peek('type');
  if (type === 'function' || type === 'dynamic') {
    throw wrong(tool.at('type'), "'custom', or the type of a tool that runs at the provider", type);
  }
  const named = { name: tool.take('name'), description: tool.take('description') };
  return { type, ...named, input_schema: tool.take('input_schema') };
}

function skippedAt(tool: Members, at: number, places: Set<string>): { at: number; tool: unknown }[] {
  return places.has(tool.path) ? [{ at, tool: toOpaque(tool.fields, tool.path) }] : [];
}

/** Reads `{name, description, input_schema}` in a row, in place. Undefined for any other shape. */
export function readTool(value: ExactValue): Tool | undefined {
  if (!isExactObject(value) || (memberOf(value, 'type') ?? 'custom') !== 'custom') return undefined;
  return memberOf(value, 'input_schema') === undefined ? undefined : readDefinition(value, 'input_schema');
}

/** Writes a tool of a row, with the schema exactly as it was written. The API demands a schema. */
export function writeTool(tool: Tool, path: string, context: WriteContext): Written {
  const { name, description } = tool;
  const schema = exactSchema(tool);
  if (schema === undefined) context.lose('tools', path);
  const members: Written = {
    name,
    ...(description !== undefined && { description }),
    input_schema: schema ?? { type: 'object', properties: {} },
  };
  if (context.own) context.beside(members, tool.extra, path);
  return members;
}

export function encodeTools(request: ModelRequest, own: boolean): unknown[] {
  const written = own ? ownTools(request.conversation.tools) : foreignTools(request.conversation.tools);
  const skipped = own && request.skippedTools?.length ? notesOf<Spelling>(request.extra).skipped : undefined;
  if (!skipped) return written;
  const tools = [...written];
  for (const { at, tool } of skipped) tools.splice(at, 0, tool);
  return tools;
}

const ownTools = onceConstant((tools: readonly Tool[]) =>
  asListed(
    tools,
    tools.map((tool) => encodeTool(tool, true)),
  ),
);
const foreignTools = onceConstant((tools: readonly Tool[]) =>
  keptFor(
    tools,
    tools.map((tool) => encodeTool(tool, false)),
  ),
);

function encodeTool({ name, description, parameters, extra }: Tool, own: boolean): unknown {
  const schema = isObject(parameters) ? parameters : {};
  return {
    ...(own && membersOf(extra)),
    name,
    ...(description !== undefined && { description }),
    // The API demands `type: 'object'` in the schema.
    input_schema: own && isObject(parameters) ? parameters : { type: 'object', ...schema },
  };
}
