// Reads the tools of a request. Functions are taken, also those in the namespaces that Codex groups them in. A tool
// that runs at the provider, or takes no JSON, is skipped and listed, and its place is noted.

import { acceptTools, type JsonSchema, type Tool, type ToolChoice, UsageError } from '../../model/index.js';
import { badRequest, Members, wrong } from '../members.js';
import { withNotes } from '../notes.js';
import { fieldsOf, stringOf, toOpaque } from '../values.js';
import { flatName, type ToolNotes, type ToolSlot } from './spelling.js';

/** Collects the functions, and the path and type of every tool that was skipped. */
export interface DecodedTools {
  tools: Tool[];
  skipped: { path: string; type: string }[];
}

/** Reads the tools into `into`, and gives the place of each. */
export function decodeTools(list: unknown[], path: string, into: DecodedTools): ToolSlot[] {
  return list.map((tool, at) => decodeTool(tool, `${path}[${at}]`, into));
}

function decodeTool(value: unknown, path: string, into: DecodedTools, namespace?: string): ToolSlot {
  const members = Members.of(value, path, 'a tool: {type, name, …}');
  const type = members.peek('type');
  if (typeof type !== 'string') throw wrong(members.at('type'), 'the type of a tool, as a string', type);
  if (type === 'function') {
    const tool = decodeFunction(members, namespace);
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

function decodeFunction(members: Members, namespace: string | undefined): Tool {
  const bare = members.requiredString('name', "the function's name");
  const name = namespace === undefined ? bare : flatName(namespace, bare);
  const description = members.string('description');
  const parameters = members.take('parameters');
  if (parameters !== undefined && fieldsOf(parameters) === undefined) {
    throw wrong(members.at('parameters'), 'a JSON Schema: {type: "object", …}', parameters);
  }
  const source = acceptOne({ type: 'function', name, description, parameters }, members.path).source;
  const notes: ToolNotes = namespace === undefined ? {} : { bare, namespace };
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

/**
 * Reads the tool choice as far as it is about functions. Of `allowed_tools` only the mode is kept; a choice of a
 * skipped tool becomes `auto`.
 */
export function decodeToolChoice(value: unknown, path: string): ToolChoice {
  if (choiceWords.includes(value)) return value as ToolChoice;
  const type = stringOf(value, 'type');
  if (type === 'function') return functionChoice(value, path);
  if (type === 'allowed_tools') return allowedChoice(value, path);
  if (type !== undefined) return 'auto';
  throw wrong(path, "'auto', 'none', 'required' or {type, …}", value);
}

function functionChoice(value: unknown, path: string): ToolChoice {
  const name = Members.of(value, path, 'a function').requiredString('name', "the function's name");
  const namespace = stringOf(value, 'namespace');
  return { name: namespace === undefined ? name : flatName(namespace, name) };
}

function allowedChoice(value: unknown, path: string): ToolChoice {
  const members = Members.of(value, path, 'allowed tools');
  const mode = members.word('mode', ['auto', 'required']) ?? 'auto';
  const tools = members.list('tools', 'a list of tools') ?? [];
  const only = tools.length === 1 && stringOf(tools, '0', 'type') === 'function' ? tools[0] : undefined;
  return mode === 'required' && only !== undefined ? functionChoice(only, `${members.at('tools')}[0]`) : mode;
}
