// Reads the definitions of tools in rows: a list, or its JSON text, of functions with or without OpenAI's wrapper. Any
// name is accepted: published ones have spaces, and no row should be lost for that.

import type { ExactValue, Tool } from '@dragoman/core/internal';
import { acceptToolsReport, exactSchema, readDefinition, UsageError } from '@dragoman/core/internal';
import { type Note, type Row, RowError } from './form.js';
import { readGenerously } from './generous-json.js';
import { isRow, keysOf, memberOf, putExtra } from './members.js';
import { renamedDefinition, renamedTool } from './rename-tools.js';

/** Reads definitions. Text is read as JSON, with repairs. undefined, `null` and blank text mean no tools. */
export function readDefinitions(value: ExactValue | undefined, path: string, notes: Note[]): Tool[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string')
    return value.trim() === '' ? [] : readDefinitions(parse(value, path, notes), path, notes);
  if (isRow(value)) {
    notes.push({ kind: 'repair', code: 'bare-object', path });
    return toTools([value], path, notes);
  }
  if (!Array.isArray(value)) throw new RowError(path, `${path}: expected a list of tools`);
  return toTools(value, path, notes);
}

function parse(text: string, path: string, notes: Note[]): ExactValue {
  const read = readGenerously(text);
  if (!read) throw new RowError(path, `${path}: expected a list of tools as JSON; its text cannot be read`);
  for (const code of read.repairs) notes.push({ kind: 'repair', code, path });
  return read.value;
}

/** Reads the tools. Of two with one name the later one counts, at the place of the first. */
function toTools(list: readonly ExactValue[], path: string, notes: Note[]): Tool[] {
  const tools = new Map<string, Tool>();
  for (const [at, item] of list.entries()) {
    const here = `${path}[${at}]`;
    const tool = toTool(typeof item === 'string' ? parse(item, here, notes) : item, here, notes);
    if (!tool) continue;
    if (tools.has(tool.name)) notes.push({ kind: 'issue', code: 'duplicate-tool', path: here });
    tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

const bareKeys: ReadonlySet<string> = new Set(['name', 'description', 'parameters']);

/** Reads the published shape in place; undefined for any other, which `acceptTools` reads. */
function quickTool(definition: ExactValue): Tool | undefined {
  if (!isRow(definition) || !keysOf(definition).every((key) => bareKeys.has(key))) return undefined;
  const schema = memberOf(definition, 'parameters');
  const bare = isRow(schema) && !keysOf(schema).some((key) => key === 'jsonSchema' || key === '~standard');
  return bare ? readDefinition(definition, 'parameters') : undefined;
}

function toTool(definition: ExactValue, path: string, notes: Note[]): Tool | undefined {
  const quick = quickTool(definition);
  if (quick) return quick;
  try {
    return accept(definition, path, notes);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const name = error.code === 'bad-tool-name' && isRow(definition) ? nameOf(definition) : undefined;
    if (typeof name !== 'string') throw new RowError(path, error.message);
    const tool = toTool(renamedDefinition(definition as Row, 'tool'), path, notes);
    return tool && renamedTool(tool, name);
  }
}

function accept(definition: ExactValue, path: string, notes: Note[]): Tool | undefined {
  const { tools, skipped } = acceptToolsReport([definition], path.slice(0, path.lastIndexOf('[')));
  // A tool that runs at the provider: there is no function that a model could call.
  if (skipped.length > 0) notes.push({ kind: 'issue', code: 'skipped-tool', path });
  return tools[0];
}

function nameOf(definition: Row): ExactValue | undefined {
  const inner = memberOf(definition, 'function');
  return memberOf(isRow(inner) ? inner : definition, 'name');
}

// ---------------------------------------------------------------- writing

/**
 * Writes the bare function, as it is published. `own`: with the other members it had when this form read it, inside the
 * function or with its wrapper.
 */
export function writeDefinition(tool: Tool, own: boolean): { [key: string]: ExactValue } {
  const schema = exactSchema(tool);
  const members: { [key: string]: ExactValue } = {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(schema !== undefined && { parameters: schema }),
  };
  if (own) putExtra(members, tool.extra);
  return members;
}
