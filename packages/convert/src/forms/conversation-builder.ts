// Builds a conversation from messages that are read one after the other: links results to their calls, and gives calls
// without ids new ones.

import type { Dialect, Message, ReadResults, Tool, ToolCall, ToolResult } from '@dragoman/core/internal';
import { callsOf, readResults, readText } from '@dragoman/core/internal';
import { readAssistant } from '../text/read-assistant.js';
import { type Note, RowError } from './form.js';
import { firstOpen } from './result-order.js';

export class ConversationBuilder {
  readonly messages: Message[] = [];
  readonly notes: Note[] = [];
  tools: readonly Tool[] = [];
  /** The calls of the turn, by their ids, and those that wait for results. */
  #calls = new Map<string, ToolCall>();
  #open = new Set<ToolCall>();
  #ids = 0;

  constructor(
    readonly dialect: Dialect,
    readonly inPrompt: boolean,
  ) {}

  say(role: 'system' | 'user', text: string): void {
    this.messages.push({ role, parts: [{ type: 'text', text }] });
  }

  assistant(text: string, path: string): void {
    const { inPrompt, tools } = this;
    const newId = () => `call_${++this.#ids}`;
    const source = { text, tools, inPrompt, path, newId };
    const read = readAssistant(this.dialect, source);
    if (this.messages.at(-1)?.role !== 'assistant') {
      this.#calls = new Map();
      this.#open = new Set();
    }
    for (const call of callsOf(read.message)) {
      this.#calls.set(call.id, call);
      this.#open.add(call);
    }
    this.messages.push(read.message);
    this.notes.push(...read.notes);
  }

  /**
   * Adds results, and the user's text after them; false if there are no results. `alone`: the text holds results only.
   */
  results(text: string, path: string, alone: boolean): boolean {
    const waiting = this.#open.size;
    const last = this.messages.at(-1);
    const before = this.inPrompt && last?.role === 'tool' ? last.parts.length : 0;
    const read = readResults(this.dialect, text, { waiting, alone, before });
    if (!read) return false;
    if (read.isUntold) throw untold(path, read.results.length, waiting);
    if (read.isOpen) this.notes.push({ kind: 'issue', code: 'open-result', path });
    this.#answer(read);
    const rest = text.slice(read.end);
    if (rest.trim() === '') return true;
    if (rest.startsWith('\n\n')) this.user(rest.slice(2));
    else if (this.inPrompt && !this.#marksSystem) this.say('system', readText(this.dialect, rest) ?? rest);
    else this.user(rest);
    return true;
  }

  /** Whether prompts mark system texts with a token. Otherwise text after results in a prompt is the system's. */
  get #marksSystem(): boolean {
    return this.dialect.render.back?.turns?.some(({ role }) => role === 'system') ?? false;
  }

  user(text: string): void {
    this.say('user', readText(this.dialect, text) ?? text);
  }

  #answer({ results }: ReadResults): void {
    const parts = results.map((result) => this.#result(result));
    const last = this.messages.at(-1);
    if (last?.role === 'tool') last.parts.push(...parts);
    else this.messages.push({ role: 'tool', parts });
  }

  #result({ text, callId, name }: ReadResults['results'][number]): ToolResult {
    const call = callId === undefined ? firstOpen(this.#open, name) : this.#calls.get(callId);
    if (call && callId === undefined) this.#open.delete(call);
    const known = name === '' ? undefined : (name ?? call?.name);
    return {
      type: 'tool-result',
      callId: callId ?? call?.id ?? `call_${++this.#ids}`,
      ...(known !== undefined && { name: known }),
      output: text,
    };
  }
}

/** A text in which nothing divides results. */
export class UntoldResults extends RowError {}

function untold(path: string, found: number, waiting: number): RowError {
  const message =
    `results cannot be told apart here: calls wait for ${waiting}, and the text has room for ${found}, since what ` +
    'stands between two may stand in one, too. Give the conversation another form or another dialect';
  return new UntoldResults(path, message);
}
