// Writes the prompt of Gemma 4, as its chat template does.
//
//   <bos><|turn>system\nBe brief.<|tool>declaration:get_weather{…}<tool|><turn|>\n<|turn>user\nWeather?<turn|>\n
//   <|turn>model\n<|tool_call>call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>
//   <|tool_response>response:get_weather{value:<|"|>22<|"|>}<tool_response|>Sunny.<turn|>\n
//
// (All in one line.) Results are in the model's turn, which continues after them: with thinking, inside a thought.
// Arguments are sorted by key. Thinking is off unless requested; when it is off, an answer begins with an empty thought.
// Reasoning is kept after the last question, and with `template.preserve_thinking` before all calls.
//
// One thing is not copied: the template writes a text before calls after their results, and ends the turn there.

import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import {
  callField,
  callsOf,
  contentField,
  lastIndexOf,
  reasoningOf,
  resultField,
  resultText,
  textOf,
} from '../../engine/message-text.js';
import { argumentsOf } from '../../families/writing/call-arguments.js';
import { writeTurns } from '../../families/writing/prompt-parts.js';
import { strip } from '../../families/writing/python-text.js';
import type { AssistantMessage, Conversation, Message, Tool, ToolResult } from '../../model/index.js';
import { type NullWord, writeDeclaration, writeGemmaMembers } from './tools.js';

const TURN_END = '<turn|>\n';
const OPENER = '<|channel>thought';
const THOUGHT = `${OPENER}\n`;

/** What the templates of Gemma 4 do differently. */
export interface Gemma4Layout {
  nothing: NullWord;
  /** An answer without thinking begins with an empty thought. */
  emptyThought: boolean;
  /** The first template: reasoning only before calls, and results neither open a thought nor end before a question. */
  first: boolean;
}

export const gemma4Layout: Gemma4Layout = { nothing: 'null', emptyThought: true, first: false };

/** What is open at a place: nothing, or the model's turn behind calls or behind results. */
type OpenTurn = 'none' | 'calls' | 'results';

export function gemma4Prompt(layout: Gemma4Layout): NonNullable<Render['prompt']> {
  return (out, conversation, options) => new Gemma4Prompt(out, conversation, options, layout).write();
}

class Gemma4Prompt {
  readonly #lastUser: number;
  readonly #preserves: boolean;
  #open: OpenTurn = 'none';

  constructor(
    readonly out: Writer,
    readonly conversation: Conversation,
    readonly options: RenderOptions,
    readonly layout: Gemma4Layout,
  ) {
    this.#lastUser = lastIndexOf(conversation.messages, 'user');
    this.#preserves = options.template?.preserve_thinking === true;
  }

  write(): void {
    const { out, options } = this;
    const { messages, tools } = this.conversation;
    const thinks = options.thinking === true;
    const begins = messages[0]?.role === 'system' ? 1 : 0;
    out.ours('<bos>');
    if (thinks || tools.length > 0 || begins > 0)
      this.#system(begins > 0 ? textOf(messages[0] as Message) : '', tools, thinks);
    writeTurns(messages, begins, {
      text: (message, at) => {
        if (this.#open === 'results' && !this.layout.first) out.ours(TURN_END);
        out.ours(`<|turn>${message.role}\n`).outside(strip(textOf(message)), contentField(at));
        out.ours(TURN_END);
        this.#open = 'none';
      },
      answer: (message, at) => this.#answer(message, at),
      results: (results) => {
        for (const result of results) writeResult(out, result);
        this.#open = 'results';
      },
    });
    if (options.generate !== false) out.ours(this.#beginning(options));
  }

  /** Gives the beginning of an answer: of a turn, or behind results in one. */
  #beginning({ thinking }: RenderOptions, open = this.#open): string {
    const { first, emptyThought } = this.layout;
    if (open === 'results') return thinking === true && !first ? THOUGHT : '';
    if (open === 'calls') return '';
    return `<|turn>model\n${thinking === true || !emptyThought ? '' : `${THOUGHT}<channel|>`}`;
  }

  #system(text: string, tools: readonly Tool[], thinks: boolean): void {
    const { out, layout } = this;
    out.ours('<|turn>system\n').ours(thinks ? '<|think|>\n' : '');
    out.outside(strip(text), contentField(0));
    for (const [at, tool] of tools.entries()) {
      writeDeclaration(out.ours('<|tool>'), tool, `tools[${at}]`, layout.nothing);
      out.ours('<tool|>');
    }
    out.ours(TURN_END);
  }

  #answer(message: AssistantMessage, at: number): void {
    const { out, options } = this;
    const { messages } = this.conversation;
    const continued = continues(messages, at);
    const open = continued ? this.#open : 'none';
    const plain = continued ? '' : '<|turn>model\n';
    const begin = (asked: RenderOptions) =>
      continued && open === 'none' ? '' : this.#beginning(asked, open);
    const keeps = this.#keeps(message, at);
    if (!out.ownWords(message, { options, begin, keeps, plain, opener: OPENER }))
      this.#spell(out.ours(plain), message, at);
    this.#end(message, messages[at + 1]);
  }

  #keeps(message: AssistantMessage, at: number): boolean {
    return at > this.#lastUser || (this.#preserves && callsOf(message).length > 0);
  }

  #spell(out: Writer, message: AssistantMessage, at: number): void {
    const calls = callsOf(message);
    const field = contentField(at);
    const thought = reasoningOf(message) ?? '';
    const text = withoutThought(textOf(message));
    if (thought !== '' && this.#keeps(message, at) && (calls.length > 0 || !this.layout.first))
      out.ours(THOUGHT).outside(thought, field).ours('\n<channel|>');
    out.outside(text, field);
    if (calls.length > 0) out.ours(text === '' ? '' : '\n');
    for (const call of calls) {
      const members = argumentsOf(call).map(({ key, value }): [string, typeof value] => [key, value]);
      out.ours('<|tool_call>call:').outside(call.name, callField(call));
      writeGemmaMembers(out, members, callField(call), this.layout.nothing);
      out.ours('<tool_call|>');
    }
  }

  /** Ends an answer, unless results follow or the model goes on. */
  #end(message: AssistantMessage, next: Message | undefined): void {
    const hasCalls = callsOf(message).length > 0;
    const goesOn = next?.role === 'assistant' && !this.layout.first;
    if (!hasCalls && !goesOn) this.out.ours(TURN_END);
    else if (hasCalls && next?.role !== 'tool') this.out.ours('<|tool_response>');
    this.#open = hasCalls ? 'calls' : 'none';
  }
}

/** Whether the last message before this one, tool messages aside, was the model's, too. */
function continues(messages: readonly Message[], at: number): boolean {
  const before = messages.findLast(({ role }, place) => place < at && role !== 'tool');
  return before?.role === 'assistant';
}

function writeResult(out: Writer, result: ToolResult): void {
  const field = resultField(result);
  out.ours('<|tool_response>response:').outside(result.name ?? 'unknown', field);
  out.ours('{value:<|"|>').outside(resultText(result), field).ours('<|"|>}<tool_response|>');
}

function withoutThought(text: string): string {
  const parts = text.split('<channel|>').map((part) => part.split('<|channel>', 1)[0] ?? '');
  return strip(parts.join(''));
}
