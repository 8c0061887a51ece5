// Recognises common conversations: one system text, then questions, answers with calls, and a result for each call in
// their order; no markers in any text, and nothing that a text in a dialect cannot express. Each such conversation reads
// back unchanged, so it need not be read back to know the losses: only ids, where the dialect has none.

import type { AssistantMessage, Dialect, Message, Tool, ToolCall, ToolResult } from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import { saysSomething } from '../forms/losses.js';
import { isTeaching } from '../text/read-system.js';
import { isPlainInput } from './plain-calls.js';

/** All methods give false for the long way. */
export abstract class PlainConversation {
  readonly notes: Note[] = [];
  #before: Message['role'] | undefined;
  #calls: readonly ToolCall[] = [];
  #results: ToolResult[] = [];
  /** How many ids a reader will have made. */
  #made = 0;

  constructor(
    readonly dialect: Dialect,
    readonly tools: readonly Tool[],
  ) {}

  protected abstract isPlain(text: string, role: Message['role']): boolean;
  /** Begins the conversation: with its system text, if it has one. */
  protected abstract begin(system: string | undefined): boolean;
  protected abstract user(text: string): boolean;
  protected abstract answer(text: string, calls: readonly ToolCall[]): void;
  /** Ends the results of a turn. */
  protected abstract answered(results: readonly ToolResult[], calls: readonly ToolCall[]): boolean;

  /** Adds all messages. */
  addAll(messages: readonly Message[]): boolean {
    const isPlain = messages.every((message, at) => this.#add(message, at));
    return isPlain && this.#before !== undefined && this.#before !== 'system' && this.#endResults();
  }

  #add(message: Message, at: number): boolean {
    const { role, extra } = message;
    if (extra && saysSomething(extra, role === 'tool' ? ['name'] : [])) return false;
    const before = this.#before;
    this.#before = role;
    if (role === 'tool')
      return (before === 'assistant' || before === 'tool') && this.#addResults(message.parts);
    if (role === 'system') return before === undefined && this.#system(message);
    if (before === undefined && !this.begin(undefined)) return false;
    if (role === before || !this.#endResults()) return false;
    if (role === 'assistant') return (before === 'user' || before === 'tool') && this.#answer(message, at);
    const text = this.#onlyText(message);
    this.#calls = [];
    // After results a user's text would join their message.
    return before !== 'tool' && text !== undefined && this.user(text);
  }

  #system(message: Message): boolean {
    const text = this.#onlyText(message);
    return text !== undefined && !isTeaching(this.dialect, text) && this.begin(text);
  }

  #answer({ parts }: AssistantMessage, at: number): boolean {
    const [first] = parts;
    const speaks = first?.type === 'text';
    const calls = (speaks ? parts.slice(1) : parts) as readonly ToolCall[];
    if (!first || (speaks && (first.aside || first.extra || !this.isPlain(first.text, 'assistant'))))
      return false;
    if (!calls.every((call) => this.#isPlainCall(call))) return false;
    this.#calls = calls;
    if (calls.filter(({ id }) => id !== `call_${++this.#made}`).length > 0)
      this.notes.push({ kind: 'loss', code: 'call-ids', path: `messages[${at}]` });
    this.answer(speaks ? first.text : '', calls);
    return true;
  }

  #isPlainCall(call: ToolCall): boolean {
    if (call.type !== 'tool-call' || (call.extra && saysSomething(call.extra))) return false;
    return isPlainInput(this.dialect, call, this.tools);
  }

  #addResults(results: readonly ToolResult[]): boolean {
    return results.length > 0 && results.every((result) => this.#addResult(result));
  }

  #addResult(result: ToolResult): boolean {
    const { callId, name, output, isError, extra } = result;
    const call = this.#calls[this.#results.length];
    this.#results.push(result);
    if (callId !== call?.id || name !== call.name || isError || (extra && saysSomething(extra))) return false;
    return typeof output === 'string' && this.isPlain(output, 'tool');
  }

  /** Whether all calls have results, or none has: otherwise results could not be matched to calls. */
  #endResults(): boolean {
    const results = this.#results;
    this.#results = [];
    if (results.length === 0) return this.#before !== 'tool';
    return results.length === this.#calls.length && this.answered(results, this.#calls);
  }

  #onlyText({ role, parts: [only, ...others] }: Message): string | undefined {
    if (others.length > 0 || only?.type !== 'text' || only.extra) return undefined;
    return this.isPlain(only.text, role) ? only.text : undefined;
  }
}
