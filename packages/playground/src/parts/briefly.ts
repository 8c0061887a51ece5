// A JSON value in one line.

import { words } from '../words/words.js';
import type { JsonNode } from './json-tree.js';
import { shownName } from './shown-call.js';

const MAX = 80;

/** `unfolded`: its members are shown below, so that their number is enough. */
export function briefly(json: string, node: JsonNode, unfolded: boolean): string {
  const list = node.type === 'array';
  if (!list && node.type !== 'object') return leaf(json, node);
  const size = node.children.length;
  if (size === 0 && !node.open) return list ? '[]' : '{}';
  const said = words().tree;
  const count = `${list ? said.items(size) : said.members(size)}${node.open ? said.soFar : ''}`;
  if (unfolded) return count;
  const inner = firstMembers(json, node);
  return list ? `[${inner}] ${count}` : `{${inner}} ${count}`;
}

function firstMembers(json: string, { type, children }: JsonNode): string {
  const parts: string[] = [];
  let length = 0;
  for (const child of children) {
    if (length > MAX) return `${parts.join(', ')}, …`;
    const part = type === 'array' ? leaf(json, child) : `${shownName(child.key ?? '')}: ${leaf(json, child)}`;
    parts.push(part);
    length += part.length + 2;
  }
  return parts.join(', ');
}

function leaf(json: string, { type, children, valueStart, end }: JsonNode): string {
  if (type === 'array') return children.length > 0 ? '[…]' : '[]';
  if (type === 'object') return children.length > 0 ? '{…}' : '{}';
  const written =
    end - valueStart > 40 ? `${json.slice(valueStart, valueStart + 39)}…` : json.slice(valueStart, end);
  return shownName(written);
}
