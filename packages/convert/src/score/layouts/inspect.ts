// Samples of inspect_ai logs, from a .json log or an .eval archive.
//
//   {"id", "epoch", "input", "target", "messages": […], "output", "events": […], "metadata", "attachments", …}
//
// The outputs are the assistant's messages. Their calls are those that inspect or the server has read, which is the
// engine's own reading; the tools are in the events. Long texts may be in `attachments`.

import type { Dialect, Tool } from '@dragoman/core';
import { all, type ExactObject, type ExactValue, rankReadings } from '@dragoman/core/internal';
import type { Row } from '../../forms/form.js';
import { wrongRow } from '../../forms/form.js';
import { isRow, memberOf } from '../../forms/members.js';
import { readTools } from '../../forms/tools.js';
import { readCalls } from '../calls.js';
import type { CheckedReading } from '../check-calls.js';
import type { Expected } from '../expected.js';
import {
  expectedAt,
  expectedIfCalls,
  firstMember,
  idOf,
  type Layout,
  memberAtPath,
  readerOfMessages,
} from './layout.js';

const EXPECTED = ['metadata.expect', 'metadata.expected_calls'];
const TOOLS = ['metadata.tools', 'metadata.functions'];

export const inspectLayout: Layout = {
  name: 'inspect',
  about: "Logs of inspect_ai: the assistant's messages, the tools of the events, calls in `target`.",
  isLog: true,
  read(row, paths, given) {
    if (memberOf(row, 'messages') === undefined && memberOf(row, 'input') === undefined)
      throw wrongRow('', 'a sample with `messages`', row);
    const messages = answersOf(row);
    const texts =
      paths.text === undefined ? messages.map((one) => textOf(row, one)) : textsAt(row, paths.text);
    const tools = toolsOf(row, paths.tools);
    const hidden = paths.text === undefined && hidesText(messages, texts, tools, given);
    return {
      ...idOf(memberOf(row, 'id')),
      ...modelOf(row),
      tools,
      expected: paths.expect === undefined ? expectedOf(row) : expectedAt(row, paths.expect),
      outputs: texts.length === 0 ? [] : [texts],
      readers: texts.length > 0 ? readersOf(row, paths.reader, messages, texts.length) : undefined,
      ...((hidden || texts.length === 0) && { unscored: 'no-output' }),
    };
  },
};

function readersOf(row: Row, path: string | undefined, messages: readonly ExactObject[], texts: number) {
  return path === undefined ? [ownReading(messages)] : readerOfMessages(row, path, texts);
}

function answersOf(row: Row): ExactObject[] {
  const messages = memberOf(row, 'messages');
  const list = Array.isArray(messages) ? messages.filter(isRow) : [];
  return list.filter(
    (message) => memberOf(message, 'role') === 'assistant' && memberOf(message, 'source') !== 'input',
  );
}

/** Joins the text parts. Reasoning that was split off is not part of what is read. */
function textOf(row: Row, message: ExactObject): string {
  const content = memberOf(message, 'content');
  if (typeof content === 'string') return attached(row, content);
  const parts = Array.isArray(content) ? content.filter(isRow) : [];
  return parts
    .filter((part) => memberOf(part, 'type') === 'text')
    .map((part) => attached(row, String(memberOf(part, 'text') ?? '')))
    .join('');
}

const ATTACHMENT = 'attachment://';

function attached(row: Row, text: string): string {
  if (!text.startsWith(ATTACHMENT)) return text;
  const all = memberOf(row, 'attachments');
  const found = isRow(all) ? memberOf(all, text.slice(ATTACHMENT.length)) : undefined;
  return typeof found === 'string' ? found : text;
}

function textsAt(row: Row, path: string): string[] {
  const value = memberAtPath(row, path);
  const list = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === 'string').map((text) => attached(row, text));
}

/** The content is the raw text where the log has it, so that it says nothing of what the engine left in it. */
function ownReading(messages: readonly ExactObject[]): CheckedReading {
  const calls = messages.flatMap((message) => readCalls(memberOf(message, 'tool_calls') ?? [], 'tool_calls'));
  return { calls: calls.map(({ name, input = {} }) => ({ name, input })), texts: undefined };
}

/** Whether calls were read whose text is not in the log: what is there is prose, or nothing. */
function hidesText(
  messages: readonly ExactObject[],
  texts: readonly string[],
  tools: readonly Tool[],
  given: Dialect | undefined,
): boolean {
  return messages.some((message, at) => {
    const calls = readCalls(memberOf(message, 'tool_calls') ?? [], 'tool_calls');
    const text = texts[at] ?? '';
    return (
      calls.length > 0 && !(calls.some(({ name }) => text.includes(name)) && holdsCall(text, tools, given))
    );
  });
}

/** The most text that is searched, in characters. */
const MOST_SEARCHED = 256 * 1024;

/** Whether any dialect recognises a call, or a broken one. Prose may name a tool, too. */
function holdsCall(text: string, tools: readonly Tool[], given: Dialect | undefined): boolean {
  const dialects = given ? [given, ...all.dialects] : all.dialects;
  return rankReadings(dialects, text.slice(0, MOST_SEARCHED), { tools }).fitting.length > 0;
}

function modelOf(row: Row): { model?: string } {
  const model = memberAtPath(row, 'output.model');
  return typeof model === 'string' ? { model } : {};
}

function toolsOf(row: Row, path: string | undefined): readonly Tool[] {
  const named = firstMember(row, path === undefined ? TOOLS : [path]);
  if (named) return readTools(named.value, named.path).tools;
  const events = memberOf(row, 'events');
  for (const event of Array.isArray(events) ? events : []) {
    const tools = isRow(event) && memberOf(event, 'event') === 'model' ? memberOf(event, 'tools') : undefined;
    if (Array.isArray(tools) && tools.length > 0) return readTools(tools.map(asTool), 'tools').tools;
  }
  return [];
}

/** Leaves out members that no API has. */
function asTool(value: ExactValue): ExactValue {
  if (!isRow(value)) return value;
  const members = ['name', 'description', 'parameters'].flatMap((key): [string, ExactValue][] => {
    const member = memberOf(value, key);
    return member === undefined ? [] : [[key, member]];
  });
  return Object.fromEntries(members);
}

function expectedOf(row: Row): Expected | undefined {
  const found = firstMember(row, EXPECTED);
  return found ? expectedAt(row, found.path) : expectedIfCalls(row, 'target');
}
