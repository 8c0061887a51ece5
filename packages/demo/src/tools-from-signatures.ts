// Tools that a prompt gives as TypeScript declarations, as xnl's does:
//
//   type Node = { next?: Node };
//   declare namespace Tools {
//     /** Weather of a city */
//     function get_weather(input: { location: string }): Promise<string>;
//   }
//
// A namespace with a name that cannot be declared is `declare const Tools: {`, its members without `function`.

import type { JsonObject, Tool } from '@dragoman/core';
import { setMember } from '@dragoman/core/internal';
import { TypeReader } from './type-reader.js';

const CALLED_AS = '// called as ';

export function toolsFromSignatures(text: string, ownNamespace = 'Tools'): Tool[] {
  const reader = new TypeReader(text);
  const tools: Tool[] = [];
  let definitions: JsonObject = {};
  for (reader.comment(); reader.at < text.length; reader.comment()) {
    const start = reader.at;
    if (reader.take('type ')) readDefinition(reader, definitions);
    else if (reader.take('declare namespace ') || reader.take('declare const ')) {
      readNamespace(reader, tools, definitions, ownNamespace);
      definitions = {};
    }
    // Whatever else it is, it ends with its line.
    if (reader.at === start) reader.at = lineEnd(text, start);
  }
  return tools;
}

function readDefinition(reader: TypeReader, definitions: JsonObject): void {
  const name = reader.name() ?? '';
  reader.take('=');
  setMember(definitions, name, reader.type());
  reader.take(';');
}

function readNamespace(reader: TypeReader, tools: Tool[], $defs: JsonObject, ownNamespace: string): void {
  const end = reader.text.indexOf('{', reader.at);
  if (end < 0) return;
  const path = reader.text.slice(reader.at, end).replace(':', '').trim();
  reader.at = end + 1;
  while (!reader.take('}') && reader.at < reader.text.length) {
    const start = reader.at;
    const tool = readTool(reader);
    if (tool) tools.push(withDefinitions(tool, path === ownNamespace ? '' : `${path}.`, $defs));
    if (reader.at === start) reader.at++;
  }
  reader.take(';');
}

function readTool(reader: TypeReader): Tool | undefined {
  const description = reader.comment();
  if (reader.take(CALLED_AS)) reader.at = lineEnd(reader.text, reader.at);
  reader.take('function ');
  const name = reader.name();
  if (name === undefined || !reader.take('(') || !reader.take('input:')) return undefined;
  const parameters = reader.type();
  reader.at = lineEnd(reader.text, reader.at);
  return { name, ...(description !== undefined && { description }), parameters };
}

function withDefinitions(tool: Tool, path: string, $defs: JsonObject): Tool {
  const { name, parameters } = tool;
  const hasDefinitions = Object.keys($defs).length > 0;
  return {
    ...tool,
    name: path + name,
    parameters: { ...(parameters as JsonObject), ...(hasDefinitions && { $defs }) },
  };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}
