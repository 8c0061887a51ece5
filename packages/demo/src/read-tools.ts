// The tools of a prompt, out of the text between the words that teach them, by the shape that text has.

import type { Dialect, Tool } from '@dragoman/core';
import { plainText } from './plain-text.js';
import { toolsFromJson } from './tools-from-json.js';
import { toolsFromMarkdown } from './tools-from-markdown.js';
import { toolsFromSignatures } from './tools-from-signatures.js';
import { toolsFromTags } from './tools-from-tags.js';

const toolName = /^[A-Za-z0-9_.:-]{1,128}$/;

export function readTools(text: string, dialect: Dialect): Tool[] {
  const tools = readShape(text.trimStart(), text, dialect.traits.namespace);
  return tools
    .filter(({ name }) => toolName.test(name))
    .map((tool) =>
      tool.description === undefined ? tool : { ...tool, description: plainText(tool.description, dialect) },
    );
}

function readShape(start: string, text: string, namespace: string | undefined): Tool[] {
  if (start.startsWith('{') || start.startsWith('[') || start.startsWith('<tool>{'))
    return toolsFromJson(text);
  if (start.startsWith('<function>')) return toolsFromTags(text);
  if (start.startsWith('### ')) return toolsFromMarkdown(text);
  return toolsFromSignatures(text, namespace);
}
