// Reads the tools of a request. Functions and freeform tools are taken, also those in the namespaces that Codex groups
// them in. A tool that runs at the provider is skipped and listed, and its place is noted.

import { onceConstant } from '../../model/constants.js';
import { freeformTool } from '../../model/freeform.js';
import {
  acceptTools,
  type Conversation,
  type Freeform,
  type JsonSchema,
  type Tool,
  type ToolChoice,
  UsageError,
} from '../../model/index.js';
import { preparedFrom } from '../decoded-tools.js';
import { badRequest, Members, wrong } from '../members.js';
import { withNotes } from '../notes.js';
import { fieldsOf, stringOf, toOpaque } from '../values.js';
import { flatName, type ToolNotes, type ToolSlot } from './spelling.js';

/** Collects the tools, and the path and type of every tool that was skipped. */
export interface DecodedTools {
  tools: Tool[];
  skipped: { path: string; type: string }[];
}

/** Reads the tools of a request, and gives the place of each. */
export const decodeToolList = onceConstant((list: unknown[]) => {
  const into: DecodedTools = { tools: [], skipped: [] };
  const slots = decodeTools(list, 'tools', into);
  return preparedFrom(list, { ...into, slots });
});

/** Reads tools into `into`, and gives the place of each. */
export function decodeTools(list: unknown[], path: string, into: DecodedTools): ToolSlot[] {
  return list.map((tool, at) => decodeTool(tool, `${path}[${at}]`, into));
}

function decodeTool(value: unknown, path: string, into: DecodedTools, namespace?: string): ToolSlot {
  const members = Members.of(value, path, 'a tool: {type, name, …}');
  const type = members.peek('type');
  if (typeof type !== 'string') throw wrong(members.at('type'), 'the type of a tool, as a string', type);
  if (type === 'function' || type === 'custom') {
    const tool = (type === 'custom' ? decodeCustom : decodeFunction)(members, namespace);
    into.tools.push(tool);
    return { name: tool.name };
  }
  if (type === 'namespace' && namespace === undefined && Array.isArray(members.peek('tools'))) {
    return decodeNamespace(members, into);
  }
  into.skipped.push({ path, type });
  return { skipped: toOpaque(value, path) };
}

/** Reads {type: 'namespace', name, description, tools}. Calls name the `namespace` beside the function. */
function decodeNamespace(members: Members, into: DecodedTools): ToolSlot {
  const namespace = members.requiredString('name', "the namespace's name");
  const list = members.list('tools') ?? [];
  const tools = list.map((tool, at) => decodeTool(tool, `${members.at('tools')}[${at}]`, into, namespace));
  return { group: members.rest() ?? {}, namespace, tools };
}

/** Reads {type: 'custom', name, description, format}. The format stays in the rest, and is written again as it came. */
function decodeCustom(members: Members, namespace: string | undefined): Tool {
  const { name, notes } = decodeName(members, namespace);
  const description = members.string('description');
  const tool = freeformTool(name, description, decodeFormat(members));
  acceptOne({ name, parameters: {} }, members.path);
  return { ...tool, ...withNotes(members.rest(), notes) };
}

/** Reads {type: 'text'} or {type: 'grammar', syntax, definition}. */
function decodeFormat(members: Members): Freeform {
  if ((members.peek('format') ?? undefined) === undefined) return {};
  const format = Members.of(members.peek('format'), members.at('format'), 'a format: {type, …}');
  if (format.requiredString('type', 'the type of a format') !== 'grammar') return {};
  const syntax = format.requiredString('syntax', "'lark' or 'regex'");
  return { grammar: { syntax, definition: format.requiredString('definition', 'the grammar') } };
}

function decodeName(members: Members, namespace: string | undefined): { name: string; notes: ToolNotes } {
  const bare = members.requiredString('name', "the tool's name");
  if (namespace === undefined) return { name: bare, notes: {} };
  return { name: flatName(namespace, bare), notes: { bare, namespace } };
}

function decodeFunction(members: Members, namespace: string | undefined): Tool {
  const { name, notes } = decodeName(members, namespace);
  const description = members.string('description');
  const parameters = members.take('parameters');
  if (parameters !== undefined && fieldsOf(parameters) === undefined) {
    throw wrong(members.at('parameters'), 'a JSON Schema: {type: "object", …}', parameters);
  }
  const source = acceptOne({ type: 'function', name, description, parameters }, members.path).source;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && {
      parameters: toOpaque(parameters, members.at('parameters')) as JsonSchema,
    }),
    ...(source !== undefined && { source }),
    ...withNotes(members.rest(), notes),
  };
}

/** Reads one tool by the model's own validation, which knows the allowed names and the vendors' spellings. */
function acceptOne(tool: unknown, path: string): Tool {
  try {
    return acceptTools([tool], 'tools')[0] as Tool;
  } catch (error) {
    if (!(error instanceof UsageError) || error.path === undefined) throw error;
    throw badRequest(
      path + error.path.slice('tools[0]'.length),
      error.message.slice(error.path.length + ': '.length),
    );
  }
}

const choiceWords: readonly unknown[] = ['auto', 'none', 'required'];
const namedTypes: readonly unknown[] = ['function', 'custom'];

type DecodedChoice = Pick<Conversation, 'toolChoice' | 'extra'>;

/**
 * Reads the tool choice as far as it is about tools that were taken; the choice of another becomes `auto`, and is listed
 * as skipped. `extra` holds the names of `allowed_tools`, as the bridge reads them.
 */
export function decodeToolChoice(value: unknown, path: string, into: DecodedTools): DecodedChoice {
  if (choiceWords.includes(value)) return { toolChoice: value as ToolChoice };
  const type = stringOf(value, 'type');
  if (namedTypes.includes(type)) return { toolChoice: { name: chosenName(value, path) } };
  if (type === 'allowed_tools') return allowedChoice(value, path);
  if (type === undefined) throw wrong(path, "'auto', 'none', 'required' or {type, …}", value);
  into.skipped.push({ path, type });
  return { toolChoice: 'auto' };
}

function chosenName(value: unknown, path: string): string {
  const name = Members.of(value, path, 'a tool').requiredString('name', "the tool's name");
  const namespace = stringOf(value, 'namespace');
  return namespace === undefined ? name : flatName(namespace, name);
}

function allowedChoice(value: unknown, path: string): DecodedChoice {
  const members = Members.of(value, path, 'allowed tools');
  const mode = members.word('mode', ['auto', 'required']) ?? 'auto';
  const tools = (members.list('tools', 'a list of tools') ?? []).map((tool, at) => {
    const type = stringOf(tool, 'type');
    return namedTypes.includes(type)
      ? { type, name: chosenName(tool, `${members.at('tools')}[${at}]`) }
      : tool;
  });
  const extra = { tool_choice: toOpaque({ type: 'allowed_tools', mode, tools }, path) };
  const only = mode === 'required' && tools.length === 1 ? stringOf(tools, '0', 'name') : undefined;
  return { toolChoice: only === undefined ? mode : { name: only }, extra };
}
