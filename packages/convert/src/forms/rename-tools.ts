// Renames tools to names that every API accepts: letters, digits, `_` and `-`, at most 64. ToolACE has names such as
// "Market Trends API", which JSON can hold, but no API or dialect accepts.

import type { Conversation, Message, Tool } from '@dragoman/core/internal';
import { exactEntries, exactObject } from '@dragoman/core/internal';
import type { Note, Row } from './form.js';
import { noteLoss } from './losses.js';
import { isRow, memberOf } from './members.js';

const LONGEST = 64;

/** Gives the conversation with accepted names only. Each changed name is noted once, at its first place. */
export function renameTools(conversation: Conversation, notes: Note[]): Conversation {
  const names = namesOf(conversation);
  if (names.every(({ name }) => isTaken(name))) return conversation;
  const renamed = newNames(names, notes);
  const nameFor = (name: string) => renamed.get(name) ?? name;
  const { messages, tools, toolChoice } = conversation;
  return {
    ...conversation,
    messages: messages.map((message) => renamedMessage(message, nameFor)),
    tools: tools.map((tool) => renamedTool(tool, nameFor(tool.name))),
    toolChoice: typeof toolChoice === 'string' ? toolChoice : { name: nameFor(toolChoice.name) },
  };
}

interface Named {
  name: string;
  path: string;
}

function namesOf({ messages, tools }: Conversation): Named[] {
  const names: Named[] = tools.map(({ name }, at) => ({ name, path: `tools[${at}]` }));
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const [index, part] of message.parts.entries()) {
      const name = part.type === 'tool-call' || part.type === 'tool-result' ? part.name : undefined;
      if (name !== undefined) names.push({ name, path: `messages[${at}].parts[${index}]` });
    }
  }
  return names;
}

function isTaken(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** Makes new names. Different names stay different: a second one that would become the same gets a number. */
function newNames(names: readonly Named[], notes: Note[]): Map<string, string> {
  const used = new Set(names.map(({ name }) => name).filter(isTaken));
  const renamed = new Map<string, string>();
  for (const { name, path } of names) {
    if (isTaken(name) || renamed.has(name)) continue;
    noteLoss(notes, 'tool-names', path);
    const plain = name.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, LONGEST) || '_';
    let chosen = plain;
    for (let number = 2; used.has(chosen); number++) {
      chosen = `${plain.slice(0, LONGEST - 1 - String(number).length)}_${number}`;
    }
    used.add(chosen);
    renamed.set(name, chosen);
  }
  return renamed;
}

function renamedMessage(message: Message, nameFor: (name: string) => string): Message {
  if (message.role === 'assistant') {
    const parts = message.parts.map((part) =>
      part.type === 'tool-call' ? { ...part, name: nameFor(part.name) } : part,
    );
    return { ...message, parts };
  }
  if (message.role !== 'tool') return message;
  const parts = message.parts.map((part) =>
    part.name === undefined ? part : { ...part, name: nameFor(part.name) },
  );
  // OpenAI's form keeps the name that a message holds beside its result.
  const given = message.extra?.name;
  if (typeof given !== 'string') return { ...message, parts };
  return { ...message, parts, extra: { ...message.extra, name: nameFor(given) } };
}

export function renamedTool(tool: Tool, name: string): Tool {
  if (tool.name === name) return tool;
  return { ...tool, name, ...(isRow(tool.source) && { source: renamedDefinition(tool.source, name) }) };
}

/** Gives the definition with another name, at the same place. */
export function renamedDefinition(definition: Row, name: string): Row {
  const inner = memberOf(definition, 'function');
  const members = exactEntries(definition).map(([key, value]): [string, typeof value] => {
    if (isRow(inner))
      return [key, key === 'function' ? (renamedDefinition(inner, name) as typeof value) : value];
    return [key, key === 'name' ? name : value];
  });
  return exactObject(members) as Row;
}
