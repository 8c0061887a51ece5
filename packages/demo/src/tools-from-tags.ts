// Tools that a prompt gives as tags, as Qwen3-Coder's does:
//
//   <function>
//   <name>get_weather</name>
//   <description>Weather of a city</description>
//   <parameters>
//   <parameter>
//   <name>city</name>
//   <type>string</type>
//   </parameter>
//   <required>["city"]</required>
//   </parameters>
//   </function>
//
// Every tag begins a line, and in what stands between tags of these names are broken.

import type { JsonObject, JsonValue, Tool } from '@dragoman/core';
import { isObject, setMember } from '@dragoman/core/internal';
import { readJson } from './json-values.js';

type Element = [tag: string, text: string];

export function toolsFromTags(text: string): Tool[] {
  return text
    .split('\n<function>')
    .slice(1)
    .flatMap((part) => {
      const head = new Map(elements(part.slice(0, before(part, '\n<parameters>'))));
      const name = head.get('name');
      const description = head.get('description');
      if (name === undefined) return [];
      return [{ name, ...(description !== undefined && { description }), parameters: parametersOf(part) }];
    });
}

function parametersOf(part: string): JsonObject {
  const start = part.indexOf('\n<parameters>');
  const inside = start < 0 ? '' : part.slice(start, before(part, '\n</parameters>'));
  const [, ...blocks] = inside.split('\n<parameter>');
  const properties: JsonObject = {};
  for (const block of blocks) {
    const { name, ...schema } = members(block.slice(0, before(block, '\n</parameter>')));
    if (typeof name === 'string') setMember(properties, name, schema);
  }
  const last = inside.lastIndexOf('\n</parameter>');
  const rest = members(last < 0 ? inside : inside.slice(last + '\n</parameter>'.length));
  return { type: 'object', properties, ...rest };
}

function members(text: string): JsonObject {
  const found: JsonObject = {};
  for (const [tag, value] of elements(text)) setMember(found, tag, memberValue(tag, value));
  return found;
}

/** Words are words; the rest is JSON, or what Python prints for it. */
function memberValue(tag: string, text: string): JsonValue {
  if (tag === 'name' || tag === 'description') return text;
  if (text === 'True' || text === 'False') return text === 'True';
  const value = readJson(text);
  if (value !== undefined && (tag !== 'type' || isObject(value) || Array.isArray(value)))
    return value as JsonValue;
  return tag === 'type' && text.startsWith('[') ? pythonList(text) : text;
}

/** `['string', 'null']`, as Python prints the list of a type. */
function pythonList(text: string): JsonValue {
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => item.trim().slice(1, -1));
}

/** `<tag>text</tag>`, each at the start of a line; its text may have several. */
function elements(text: string): Element[] {
  const found: Element[] = [];
  let at = text.indexOf('\n<');
  while (at >= 0) {
    const end = text.indexOf('>', at);
    const tag = end < 0 ? '' : text.slice(at + 2, end);
    const close = tag === '' || tag.startsWith('/') ? -1 : text.indexOf(`</${tag}>`, end);
    if (close >= 0) found.push([tag, text.slice(end + 1, close)]);
    if (end < 0) break;
    at = text.indexOf('\n<', close < 0 ? end : close);
  }
  return found;
}

function before(text: string, mark: string): number {
  const at = text.indexOf(mark);
  return at < 0 ? text.length : at;
}
