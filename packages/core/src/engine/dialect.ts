// What a dialect is: a plain object that says how a conversation is spelled and how it is read back.
// Spelling only. Buffers, the end of input, JSON repair, ids, types and validation are the engine's.

import type { Conversation, Message, Tool, ToolCall, ToolResult } from '../model/index.js';
import type { SamplingRules } from './call-rules.js';
import type { OpenerHold } from './hold.js';
import type { MarkerSet } from './markers.js';
import type { Mode, Reader } from './reader.js';
import type { Writer } from './writer.js';

export interface Traits {
  /** The wire carries call ids; results are matched by them. Otherwise by the order of the calls. */
  ids: boolean;
  /**
   * Where a value's type comes from: `json` says it itself, `attribute` has a mark on the tag, `schema`
   * has only text, typed by the tool's schema.
   */
  values: 'json' | 'attribute' | 'schema';
  /** Arguments are delivered as they are written; otherwise a call comes whole, when its block closes. */
  streams: boolean;
  /** How reasoning is spelled, if the dialect has any. */
  reasoning?: { open: string; close: string };
  /** What stands around the text of an answer, if the dialect frames it. Text without it is text all the same. */
  textFrame?: { open: string; close: string };
  /** What a call inside reasoning is: a call if the reasoning never closes, or never one. */
  callsInReasoning: 'if-unclosed' | 'never';
  /** The prompt's end opens the reasoning, so that `thinking` starts the reader inside it. */
  startsInReasoning: boolean;
  /** What text behind the calls is: part of the answer, or set aside because a turn ends with its calls. */
  textAfterCalls: 'text' | 'aside';
  /** A JSON string becomes a number or boolean where the schema says so and the string reads as one. */
  coercesStrings: boolean;
  /** The role of the message that carries results to a chat endpoint. */
  resultRole: 'user' | 'tool';
  /** Tool names the wire can spell, if not all. */
  namespace?: string;
}

/** How a model's text is read. The engine owns plain text, reasoning and the end; a dialect owns its calls. */
export interface Grammar {
  /** Where a call, or a block of calls, may begin. `open` is entered with the reader on the opener. */
  openers: readonly Opener[];
  /** Where text or reasoning begins or ends that stands in frames: channels, messages, content blocks. */
  frames?: readonly VoiceFrame[];
  /**
   * The prompt ends inside a header, so that the answer begins with the rest of one. Entered once, at the first
   * character; where nothing of the kind stands there, it goes on with `reader.plain`.
   */
  begin?: Mode;
  /** Tokens that are no content wherever they stand in text: end-of-turn and role tokens, stray closers. */
  drop?: readonly Dropped[];
  /** Strings that stay text and are worth an issue. */
  notice?: readonly Notice[];
}

export interface Opener {
  /** First characters at which the opener may stand. */
  firsts: string;
  /** What may stand second and third, if that can be said: it settles most of the text without asking. */
  next?: readonly string[];
  /**
   * Whether an opener stands at `at`: its length, NO or NOT_YET (see markers.ts). `tools` are those of the parser,
   * for dialects whose openers are the tools' own names.
   */
  match(text: string, at: number, ended: boolean, tools?: ReadonlyMap<string, Tool>): number;
  /** What opens is part of the text around it: line breaks before it are content. */
  inline?: boolean;
  /** It is a message of its own: it ends the reasoning that it stands in. */
  message?: boolean;
  /** It counts only outside frames: in one it is a mention. */
  unframed?: boolean;
  /** Reads what it opened. All of it is held: `hold` is kept, rejected or restarted here, or by a mode that follows. */
  open(reader: Reader, hold: OpenerHold): Mode | undefined;
}

/** One end of a frame around text or reasoning: no content, and it says whose voice speaks behind it. */
export interface VoiceFrame {
  /** First characters at which it may stand. */
  firsts: string;
  /** What may stand second and third. */
  next: readonly string[];
  match(text: string, at: number, ended: boolean): number;
  /** It opens text or reasoning, or closes either: what stands behind that is text. */
  opens: 'text' | 'reasoning' | 'nothing';
}

export interface Dropped {
  marker: string;
  repair?: 'role-token' | 'stray-closer' | 'stray-marker';
}

export interface Notice {
  marker: string;
  code: 'forged-result' | 'foreign-format';
  message: string;
}

export interface RenderOptions {
  /** Whether the model is to think; a dialect's own default where absent. */
  thinking?: boolean;
  /** End with the start of the assistant's turn. Default true. */
  generate?: boolean;
  /** What to do with markers in text from outside. Default `escape`. */
  safety?: Safety;
  /** The language of the taught prompt, where the dialect has several. Default `en`. */
  language?: 'en' | 'zh';
  /**
   * The short form of the taught prompt: all rules in under 800 characters, without the tools. (The text of
   * some vendors is shorter still: it leaves out what their own models know by training.)
   */
  short?: boolean;
  /** Messages, by their place, whose text is the caller's own and may speak of markers: written as it is. */
  trusted?: readonly number[];
  /** What the vendor's template takes: `enable_thinking`, `clear_thinking`, `reasoning_effort` … */
  template?: Record<string, unknown>;
}

/** `escape`: broken reversibly. `reject`: a UsageError with the field. `exact`: as the vendor, for offline use. */
export type Safety = 'escape' | 'reject' | 'exact';

export interface Render {
  /** The system text that teaches a chat endpoint: rules and tools. */
  instructions(out: Writer, tools: readonly Tool[], options: RenderOptions): void;
  /** The calls of one assistant turn, as the model would write them, with what separates them from `text`. */
  calls(out: Writer, calls: readonly ToolCall[], context: CallContext): void;
  /** The text of the message that carries the results of one turn, in the order of the calls. */
  results(out: Writer, results: readonly ToolResult[], context: ResultContext): void;
  /**
   * How system, user and assistant text from outside is placed, where it is not just neutralised (xnl quotes
   * it). Whoever renders messages calls `render.text ?? ((out, text, field) => out.outside(text, field))`, once
   * for each run of text, already joined. Not for reasoning, results, calls or tools.
   */
  text?(out: Writer, text: string, field: string): void;
  /** The whole prompt for a completion endpoint, byte for byte as the vendor writes it. */
  prompt?(out: Writer, conversation: Conversation, options: RenderOptions): void;
  /** Strings at which a completion endpoint must stop. */
  stop: readonly string[];
  /** What reads a rendered text back, as far as it cannot be learnt by rendering. */
  back?: ReadBack;
}

/**
 * The way back, for transcripts: what `renderMessages` and `renderPrompt` wrote becomes a conversation again. Most
 * is learnt from the renderer itself, and whatever was read is rendered again and compared, so that a mistake
 * here is refused and never a wrong reading.
 */
export interface ReadBack {
  /** What divides a prompt into turns. The longest that matches counts. */
  turns?: readonly TurnToken[];
  /** Settings of the vendor's template, beside `thinking`, under which prompts are written in other ways. */
  templates?: readonly Record<string, unknown>[];
  /**
   * The definitions in what `instructions` wrote, between the words that are the same for all tools: in any shape
   * that `acceptTools` takes. Undefined where they cannot be read.
   */
  tools?(text: string, options: RenderOptions): unknown[] | undefined;
  /** The results a text begins with, where they do not stand between words that are always the same. */
  results?(text: string): ReadResults | undefined;
}

export interface TurnToken {
  token: string;
  /** Whose turn begins behind it. */
  role?: Message['role'];
  /** Who speaks behind it, if anything is said there. */
  next?: Message['role'];
  /** Whose turn it ends. */
  ends?: Message['role'];
  /** The token belongs to the text before it, or to the text behind it. */
  keep?: 'before' | 'behind';
  /** What stands behind it are the definitions of the tools: this reads them, in any shape that `acceptTools` takes. */
  tools?(text: string): unknown[] | undefined;
}

export interface ReadResults {
  results: { text: string; callId?: string; name?: string }[];
  /** Where they end. */
  end: number;
}

export interface CallContext {
  tools: readonly Tool[];
  /** Text stands before the calls in the same turn. */
  afterText: boolean;
}

export interface ResultContext {
  /** The calls these results answer, in order. */
  calls: readonly ToolCall[];
}

export interface Dialect<Name extends string = string> {
  name: Name;
  /** Other names, as serving engines spell them. */
  aliases: readonly string[];
  /** One sentence. */
  about: string;
  models: readonly string[];
  traits: Traits;
  /** Everything that acts in a prompt or an output: broken in text from outside. */
  markers: MarkerSet;
  render: Render;
  grammar: Grammar;
  /** The calls as rules for a sampler. Absent: it cannot be held to any. */
  constrain?: SamplingRules;
}

export type { Mode, Reader, Writer };
