// The quick way to write common conversations (plain-conversation.ts) as messages. Everything else takes the long way
// (messages-form.ts), which gives the same row and the same notes. plain-messages.laws.test.ts compares the two ways, with
// every dialect.

import {
  type Conversation,
  type Dialect,
  hasMarker,
  type Message,
  type RenderOptions,
  readResults,
  type Tool,
  type ToolCall,
  type ToolResult,
  Writer,
} from '@dragoman/core/internal';
import type { Note } from '../forms/form.js';
import { saysSomething } from '../forms/losses.js';
import { writeInstructions } from '../text/layout.js';
import { isPlainTool } from './plain-calls.js';
import { PlainConversation } from './plain-conversation.js';

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
  const writing = new MessagesWriting(dialect, tools, options);
  return writing.addAll(messages) ? writing : undefined;
}

class MessagesWriting extends PlainConversation implements PlainMessages {
  readonly messages: PlainMessages['messages'] = [];

  constructor(
    dialect: Dialect,
    tools: readonly Tool[],
    readonly options: RenderOptions,
  ) {
    super(dialect, tools);
  }

  protected isPlain(text: string): boolean {
    const { markers } = this.dialect;
    return text.isWellFormed() && !hasMarker(text, markers.said ?? markers) && text.trim() !== '';
  }

  protected begin(system = ''): boolean {
    const out = this.#write(system);
    if (this.tools.length > 0) {
      if (system !== '') out.ours('\n\n');
      out.ours(writeInstructions(this.dialect, this.tools, this.options).text);
    }
    if (out.text !== '') this.messages.push({ role: 'system', content: out.text });
    return true;
  }

  protected user(text: string): boolean {
    this.messages.push({ role: 'user', content: this.#write(text).text });
    return readResults(this.dialect, text) === undefined;
  }

  protected answer(text: string, calls: readonly ToolCall[]): void {
    const out = this.#write(text);
    if (calls.length > 0)
      this.dialect.render.calls(out, calls, { tools: this.tools, afterText: text !== '' });
    this.messages.push({ role: 'assistant', content: out.text });
  }

  /** Writes the results, and reads them back: each dialect spells results differently. */
  protected answered(results: readonly ToolResult[], calls: readonly ToolCall[]): boolean {
    const { render, traits, markers } = this.dialect;
    const out = new Writer(markers, this.options.safety);
    render.results(out, results, { calls });
    this.messages.push({ role: traits.resultRole, content: out.text });
    const alone = traits.resultRole === 'tool';
    const read = readResults(this.dialect, out.text, { waiting: calls.length, alone });
    if (read?.isUntold || read?.end !== out.text.length || read.results.length !== results.length)
      return false;
    return read.results.every(({ text, callId, name }, at) => {
      const result = results[at];
      return text === result?.output && callId === undefined && (name ?? result.name) === result.name;
    });
  }

  /** Writes text without markers, so nothing has to be escaped. */
  #write(text: string): Writer {
    const out = new Writer(this.dialect.markers, this.options.safety);
    if (text !== '' && this.dialect.render.text) this.dialect.render.text(out, text, '');
    else out.ours(text);
    return out;
  }
}
