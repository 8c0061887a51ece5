// The quick way to write common conversations as one prompt. If a conversation holds no white space that a template
// trims, no marker, and nothing ambiguous, its prompt reads back unchanged, except for the ids of the calls. So it need
// not be read back. Everything else takes the long way (prompt-form.ts), which gives the same row and the same notes.
// plain-prompt.laws.test.ts compares the two ways.

import {
  type AssistantMessage,
  acceptedTools,
  type Conversation,
  type Dialect,
  hasMarker,
  type Message,
  renderOwnPrompt,
  type Tool,
  type ToolCall,
  type ToolResult,
  UsageError,
} from '@dragoman/core/internal';

import { type Note, RowError } from '../forms/form.js';
import { saysSomething } from '../forms/losses.js';
import { layoutOf } from '../text/layout.js';
import { readPrompt } from '../text/read-prompt.js';
import { readResults } from '../text/read-results.js';
import { readyForPrompt } from '../text/ready-text.js';
import { lossesBetween } from '../text/text-losses.js';
import { guessedFrame } from './plain-answer.js';
import { isPlainInput, isPlainTool } from './plain-calls.js';

/** Gives the losses of a prompt with default options; undefined for the long way. */
export function plainPromptNotes(dialect: Dialect, conversation: Conversation): Note[] | undefined {
  const { tools, toolChoice, extra, messages } = conversation;
  if (!guessedFrame(dialect) || toolChoice !== 'auto' || (extra && saysSomething(extra))) return undefined;
  if (!areReadBack(dialect, conversation)) return undefined;
  const plain = new PlainPrompt(dialect, tools);
  return messages.every((message, at) => plain.add(message, at)) && plain.end() ? plain.notes : undefined;
}

class PlainPrompt {
  readonly notes: Note[] = [];
  #before: Message['role'] | undefined;
  #calls: readonly ToolCall[] = [];
  #answered = 0;
  #made = 0;

  constructor(
    readonly dialect: Dialect,
    readonly tools: readonly Tool[],
  ) {}

  /** Adds a message; false for the long way. */
  add(message: Message, at: number): boolean {
    if (message.extra && saysSomething(message.extra, message.role === 'tool' ? ['name'] : [])) return false;
    const before = this.#before;
    this.#before = message.role;
    switch (message.role) {
      case 'system':
        return before === undefined && this.#system(message);
      case 'user':
        return before !== 'user' && before !== 'tool' && this.#isDone && this.#user(message);
      case 'assistant':
        return (before === 'user' || before === 'tool') && this.#isDone && this.#assistant(message, at);
      case 'tool':
        return (before === 'assistant' || before === 'tool') && this.#results(message.parts);
    }
  }

  end(): boolean {
    return this.#before !== undefined && this.#before !== 'system' && this.#isDone;
  }

  /** Whether all calls have results, or none has: otherwise results could not be matched to calls. */
  get #isDone(): boolean {
    return this.#answered === 0 ? this.#before !== 'tool' : this.#answered === this.#calls.length;
  }

  #system(message: Message): boolean {
    const text = this.#onlyText(message);
    const { taught, prompt } = layoutOf(this.dialect);
    if (text === undefined || !prompt || prompt.unsaid.includes(text)) return false;
    if (taught.some(({ before }) => before !== '' && text.includes(before))) return false;
    return !prompt.leads.some((lead) => text.startsWith(lead.text));
  }

  #user(message: Message): boolean {
    const text = this.#onlyText(message);
    const tail = layoutOf(this.dialect).prompt?.userTail ?? '';
    if (text === undefined || (tail !== '' && text.endsWith(tail))) return false;
    this.#calls = [];
    this.#answered = 0;
    return readResults(this.dialect, text, { waiting: 1, alone: false }) === undefined;
  }

  #assistant({ parts }: AssistantMessage, at: number): boolean {
    const [first] = parts;
    const speaks = first?.type === 'text';
    const calls = (speaks ? parts.slice(1) : parts) as readonly ToolCall[];
    if (!first || (speaks && (first.aside || first.extra || !this.#isPlain(first.text, 'assistant'))))
      return false;
    if (!calls.every((call) => this.#isPlainCall(call))) return false;
    this.#calls = calls;
    this.#answered = 0;
    if (calls.filter(({ id }) => id !== `call_${++this.#made}`).length > 0)
      this.notes.push({ kind: 'loss', code: 'call-ids', path: `messages[${at}]` });
    return true;
  }

  #isPlainCall(call: ToolCall): boolean {
    if (call.type !== 'tool-call' || (call.extra && saysSomething(call.extra))) return false;
    return isPlainInput(this.dialect, call, this.tools);
  }

  #results(results: readonly ToolResult[]): boolean {
    return results.length > 0 && results.every((result) => this.#result(result));
  }

  #result({ callId, name, output, isError, extra }: ToolResult): boolean {
    const call = this.#calls[this.#answered++];
    if (callId !== call?.id || name !== call.name || isError || (extra && saysSomething(extra))) return false;
    return typeof output === 'string' && this.#isPlain(output, 'tool');
  }

  #onlyText({ role, parts: [only, ...others] }: Message): string | undefined {
    if (others.length > 0 || only?.type !== 'text' || only.extra) return undefined;
    return this.#isPlain(only.text, role) ? only.text : undefined;
  }

  /** Whether the text is plain. Templates trim white space at both ends, some only at the start. */
  #isPlain(text: string, role: Message['role']): boolean {
    const cut = tailsKept(this.dialect).has(role) ? text.trimStart() : text.trim();
    if (text === '' || cut !== text || !text.isWellFormed()) return false;
    return !hasMarker(text, this.dialect.markers);
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
  return [5, 6, 7, 8].every((length) => isSaid(dialect, messages.slice(0, length)));
}

/** Whether a prompt of these messages reads back unchanged. */
function isSaid(dialect: Dialect, messages: Message[]): boolean {
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
