// The quick way to write common conversations as messages: one system text, then questions, answers with calls, and the
// results of the calls in their order; no markers in any text, and nothing that a text in a dialect cannot express.
// Each such message reads back unchanged, so it need not be read back to know the losses: only ids, where the dialect
// has none. Everything else takes the long way (messages-form.ts), which gives the same row and the same notes.
// plain-messages.laws.test.ts compares the two ways, with every dialect.

import {
  type AssistantMessage,
  type Conversation,
  type Dialect,
  hasMarker,
  type Message,
  type RenderOptions,
  type Tool,
  type ToolCall,
  type ToolResult,
  Writer,
} from '@dragoman/core/internal';

import type { Note } from '../forms/form.js';
import { saysSomething } from '../forms/losses.js';
import { layoutOf, writeInstructions } from '../text/layout.js';
import { readResults } from '../text/read-results.js';
import { isPlainInput, isPlainTool } from './plain-calls.js';

export interface PlainMessages {
  messages: { role: Message['role']; content: string }[];
  notes: Note[];
}

/** Writes the messages; undefined for the long way. */
export function writePlainMessages(
  dialect: Dialect,
  conversation: Conversation,
  options: RenderOptions,
): PlainMessages | undefined {
  const { tools, toolChoice, extra, messages } = conversation;
  if (toolChoice !== 'auto' || (extra && saysSomething(extra)) || !tools.every(isPlainTool)) return undefined;
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return undefined;
  const plain = new Plain(dialect, tools, options);
  return messages.every((message, at) => plain.add(message, at)) && plain.end() ? plain : undefined;
}

class Plain implements PlainMessages {
  readonly messages: PlainMessages['messages'] = [];
  readonly notes: Note[] = [];
  #before: Message['role'] = 'system';
  #begun = false;
  #calls: ToolCall[] = [];
  #results: ToolResult[] = [];
  #made = 0;

  constructor(
    readonly dialect: Dialect,
    readonly tools: readonly Tool[],
    readonly options: RenderOptions,
  ) {}

  /** Adds a message; false for the long way. */
  add(message: Message, at: number): boolean {
    if (message.extra && saysSomething(message.extra, message.role === 'tool' ? ['name'] : [])) return false;
    if (message.role === 'tool') return this.#addResults(message.parts);
    if (!this.#begun && message.role !== 'system') this.#teach('');
    const isFirst = !this.#begun;
    this.#begun = true;
    if (message.role === 'system') return isFirst && this.#system(message);
    if (message.role === this.#before || !this.#answered()) return false;
    const joins = message.role === 'user' && this.#before === 'tool';
    this.#before = message.role;
    return message.role === 'user' ? this.#user(message, joins) : this.#assistant(message, at);
  }

  /** Ends the conversation, and writes the last results. */
  end(): boolean {
    if (!this.#begun) this.#teach('');
    return this.#answered();
  }

  // --- system and user ---------------------------------------------------------------------------------

  #system(message: Message): boolean {
    const text = onlyText(message.parts);
    const teaches = layoutOf(this.dialect).taught.some(
      ({ before }) => before !== '' && text?.includes(before),
    );
    if (text === undefined || teaches || !this.#isPlain(text)) return false;
    this.#teach(text);
    return true;
  }

  #teach(system: string): void {
    const out = this.#say(system);
    if (this.tools.length > 0) {
      if (system !== '') out.ours('\n\n');
      out.ours(writeInstructions(this.dialect, this.tools, this.options).text);
    }
    if (out.text !== '') this.messages.push({ role: 'system', content: out.text });
    this.#begun = true;
  }

  /** Adds a user's text. After results it would join their message: that takes the long way. */
  #user(message: Message, joins: boolean): boolean {
    const text = onlyText(message.parts);
    if (joins || text === undefined || !this.#isPlain(text)) return false;
    if (readResults(this.dialect, text) !== undefined) return false;
    this.messages.push({ role: 'user', content: this.#say(text).text });
    return true;
  }

  // --- answers -----------------------------------------------------------------------------------------

  #assistant({ parts }: AssistantMessage, at: number): boolean {
    const [first] = parts;
    const text = first?.type === 'text' ? first.text : '';
    const calls = (first?.type === 'text' ? parts.slice(1) : parts) as ToolCall[];
    if (first?.type === 'text' && (first.aside || first.extra || !this.#isPlain(text))) return false;
    if (!first || !calls.every((call) => this.#isPlainCall(call))) return false;
    const out = this.#say(text);
    if (calls.length > 0)
      this.dialect.render.calls(out, calls, { tools: this.tools, afterText: text !== '' });
    this.messages.push({ role: 'assistant', content: out.text });
    this.#calls = calls;
    this.#countIds(calls, at);
    return true;
  }

  #isPlainCall(call: ToolCall): boolean {
    if (call.type !== 'tool-call' || (call.extra && saysSomething(call.extra))) return false;
    return isPlainInput(this.dialect, call, this.tools);
  }

  #countIds(calls: readonly ToolCall[], at: number): void {
    let changed = false;
    for (const { id } of calls) {
      this.#made++;
      changed ||= id !== `call_${this.#made}`;
    }
    if (changed) this.notes.push({ kind: 'loss', code: 'call-ids', path: `messages[${at}]` });
  }

  // --- results -----------------------------------------------------------------------------------------

  #addResults(results: readonly ToolResult[]): boolean {
    if (this.#before !== 'assistant' && this.#before !== 'tool') return false;
    this.#before = 'tool';
    for (const result of results) {
      const call = this.#calls[this.#results.length];
      if (result.callId !== call?.id || result.name !== call.name) return false;
      if (result.isError || typeof result.output !== 'string' || !this.#isPlain(result.output)) return false;
      if (result.extra && saysSomething(result.extra)) return false;
      this.#results.push(result);
    }
    return true;
  }

  /** Writes the results, if every call has one, and reads them back: each dialect spells results differently. */
  #answered(): boolean {
    const [results, calls] = [this.#results, this.#calls];
    if (results.length === 0) return this.#before !== 'tool';
    const out = new Writer(this.dialect.markers, this.options.safety);
    this.dialect.render.results(out, results, { calls });
    this.messages.push({ role: this.dialect.traits.resultRole, content: out.text });
    this.#results = [];
    this.#calls = [];
    const alone = this.dialect.traits.resultRole === 'tool';
    const read = readResults(this.dialect, out.text, { waiting: calls.length, alone });
    if (read?.isUntold) return false;
    if (read?.end !== out.text.length || read.results.length !== results.length) return false;
    return read.results.every(({ text, callId, name }, at) => {
      const result = results[at];
      return text === result?.output && callId === undefined && (name ?? result.name) === result.name;
    });
  }

  // --- text --------------------------------------------------------------------------------------------

  /** Writes text without markers, so nothing has to be escaped. */
  #say(text: string): Writer {
    const out = new Writer(this.dialect.markers, this.options.safety);
    if (text !== '' && this.dialect.render.text) this.dialect.render.text(out, text, '');
    else out.ours(text);
    return out;
  }

  #isPlain(text: string): boolean {
    const { markers } = this.dialect;
    return text.isWellFormed() && !hasMarker(text, markers.said ?? markers) && text.trim() !== '';
  }
}

function onlyText(parts: Message['parts']): string | undefined {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== 'text' || only.extra) return undefined;
  return only.text;
}
