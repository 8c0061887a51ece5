// The quick way to write common conversations (plain-conversation.ts) as one prompt, where no text has white space that
// a template trims. Everything else takes the long way (prompt-form.ts), which gives the same row and the same notes.
// plain-prompt.laws.test.ts compares the two ways.

import type { Conversation, Dialect, Message, Tool, ToolCall } from '@dragoman/core/internal';
import { acceptedTools, hasMarker, readResults, renderOwnPrompt, UsageError } from '@dragoman/core/internal';
import { type Note, RowError } from '../forms/form.js';
import { saysSomething } from '../forms/losses.js';
import { layoutOf } from '../text/layout.js';
import { readPrompt } from '../text/read-prompt.js';
import { readyForPrompt } from '../text/ready-text.js';
import { lossesBetween } from '../text/text-losses.js';
import { guessedFrame } from './plain-answer.js';
import { isPlainTool } from './plain-calls.js';
import { PlainConversation } from './plain-conversation.js';

/** Gives the losses of a prompt with default options; undefined for the long way. */
export function plainPromptNotes(dialect: Dialect, conversation: Conversation): Note[] | undefined {
  const { tools, toolChoice, extra, messages } = conversation;
  if (!guessedFrame(dialect) || toolChoice !== 'auto' || (extra && saysSomething(extra))) return undefined;
  if (!areReadBack(dialect, conversation)) return undefined;
  const plain = new PlainPrompt(dialect, tools);
  return plain.addAll(messages) ? plain.notes : undefined;
}

class PlainPrompt extends PlainConversation {
  /** Templates trim white space at both ends, some only at the start. */
  protected isPlain(text: string, role: Message['role']): boolean {
    const cut = tailsKept(this.dialect).has(role) ? text.trimStart() : text.trim();
    if (text === '' || cut !== text || !text.isWellFormed()) return false;
    return !hasMarker(text, this.dialect.markers);
  }

  protected begin(system: string | undefined): boolean {
    const { prompt } = layoutOf(this.dialect);
    if (system === undefined) return true;
    if (!prompt || prompt.unsaid.includes(system)) return false;
    return !prompt.leads.some((lead) => system.startsWith(lead.text));
  }

  protected user(text: string): boolean {
    const tail = layoutOf(this.dialect).prompt?.userTail ?? '';
    if (tail !== '' && text.endsWith(tail)) return false;
    return readResults(this.dialect, text, { waiting: 1, alone: false }) === undefined;
  }

  protected answer(): void {}

  protected answered(): boolean {
    return true;
  }
}

// --- white space ---------------------------------------------------------------------------------------

const kept = new WeakMap<Dialect, ReadonlySet<Message['role']>>();

/** Gives the roles whose texts keep trailing white space, learnt from conversations that end with it. */
function tailsKept(dialect: Dialect): ReadonlySet<Message['role']> {
  let roles = kept.get(dialect);
  if (!roles) {
    const tails = [' ', '\n', '\n\n', ' \n', '\t', '\u2003'];
    const all = ['system', 'user', 'assistant', 'tool'] as const;
    roles = new Set(all.filter((role) => tails.every((tail) => isKept(dialect, role, tail))));
    kept.set(dialect, roles);
  }
  return roles;
}

function isKept(dialect: Dialect, role: Message['role'], tail: string): boolean {
  const text = (who: Message['role']) => ({ type: 'text' as const, text: who === role ? `T.${tail}` : 'T.' });
  const call: ToolCall = { type: 'tool-call', id: 'call_1', name: 'f', input: {}, raw: '{}' };
  const { id: callId, name } = call;
  const output = text('tool').text;
  const messages: Message[] = [
    { role: 'system', parts: [text('system')] },
    { role: 'user', parts: [text('user')] },
    { role: 'assistant', parts: [text('assistant'), call] },
    { role: 'tool', parts: [{ type: 'tool-result', callId, name, output }] },
    { role: 'assistant', parts: [text('assistant')] },
    { role: 'user', parts: [text('user')] },
    { role: 'assistant', parts: [text('assistant')] },
    { role: 'user', parts: [text('user')] },
  ];
  return [5, 6, 7, 8].every((length) => isReadBack(dialect, messages.slice(0, length)));
}

/** Whether a prompt of these messages reads back unchanged. */
function isReadBack(dialect: Dialect, messages: Message[]): boolean {
  const conversation: Conversation = { messages, tools: [], toolChoice: 'auto' };
  const generate = messages.at(-1)?.role !== 'assistant';
  try {
    const { text } = renderOwnPrompt(dialect, readyForPrompt(dialect, conversation), { generate });
    return lossesBetween(conversation, readPrompt(dialect, text, '').conversation).length === 0;
  } catch (error) {
    if (error instanceof RowError || error instanceof UsageError) return false;
    throw error;
  }
}

// --- tools ---------------------------------------------------------------------------------------------

/** A tree of tool lists, one tool a level, with whether they were read back: after a system text, and alone. */
interface Told {
  behindText?: boolean;
  alone?: boolean;
  next: WeakMap<Tool, Told>;
}

const told = new WeakMap<Dialect, Told>();

/** Gives the node of the list; undefined if a tool is not shared by rows. */
function toldOf(dialect: Dialect, tools: readonly Tool[]): Told | undefined {
  let list = told.get(dialect) ?? { next: new WeakMap() };
  told.set(dialect, list);
  for (const tool of tools) {
    if (!acceptedTools.has(tool)) return undefined;
    const next = list.next.get(tool) ?? { next: new WeakMap() };
    list.next.set(tool, next);
    list = next;
  }
  return list;
}

const placeOf = ({ messages: [first] }: Conversation) => (first?.role === 'system' ? 'behindText' : 'alone');

/** Whether these tools are known to read back from a prompt. */
function areReadBack(dialect: Dialect, conversation: Conversation): boolean {
  const { tools } = conversation;
  return tools.length === 0 || toldOf(dialect, tools)?.[placeOf(conversation)] === true;
}

/** Records whether the long way lost the tools of this conversation. */
export function learnTold(dialect: Dialect, conversation: Conversation, losses: readonly Note[]): void {
  const { tools } = conversation;
  const list = tools.every(isPlainTool) ? toldOf(dialect, tools) : undefined;
  if (list) list[placeOf(conversation)] = !losses.some(({ code }) => code === 'tools');
}
