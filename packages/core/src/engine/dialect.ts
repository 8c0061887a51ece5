// A dialect: a plain object that defines how a conversation is written and how it is read back.
// It defines spelling only. The engine does buffers, the end of input, JSON repair, ids, types and validation.

import type { Conversation, Message, Tool, ToolCall, ToolResult } from '../model/index.js';
import type { SamplingRules } from './call-rules.js';
import type { OpenerHold } from './hold.js';
import type { MarkerSet } from './markers.js';
import type { Mode, Reader } from './reader.js';
import type { Writer } from './writer.js';

export interface Traits {
  /** The text carries call ids, and results are matched by them; otherwise by the order of the calls. */
  ids: boolean;
  /**
   * Where a value's type comes from: from its JSON (`json`), from an attribute of its tag (`attribute`), or from the
   * tool's schema (`schema`).
   */
  values: 'json' | 'attribute' | 'schema';
  /** Arguments are delivered as they are written; otherwise a call is delivered whole, when its block closes. */
  streams: boolean;
  /** How reasoning is spelled, if the dialect has any. */
  reasoning?: {
    open: string;
    close: string;
    /**
     * Which reasoning of earlier answers the vendor's template writes again: all, that after the last user message, or
     * none. Default `last`.
     */
    kept?: 'all' | 'last' | 'none';
    /** The template does so only where `thinking` is requested. */
    ifThinking?: boolean;
  };
  /** The frame around the text of an answer, if the dialect has one. Text without the frame is still read as text. */
  textFrame?: { open: string; close: string };
  /** What a call inside reasoning is: a call if the reasoning never closes, or never one. */
  callsInReasoning: 'if-unclosed' | 'never';
  /** The vendor's prompt may end with the opener of the reasoning. With `thinking`, every reader starts inside it. */
  startsInReasoning: boolean;
  /** What text after the calls is: part of the answer, or set aside because a turn ends with its calls. */
  textAfterCalls: 'text' | 'aside';
  /** Coerces a JSON string to the number or boolean that the schema requires, if the string reads as one. */
  coercesStrings: boolean;
  /** The role of the message that carries results to a chat endpoint. */
  resultRole: 'user' | 'tool';
  /** Tool names the wire can spell, if not all. */
  namespace?: string;
  /**
   * `strict`: the whole prompt has a place for system text only at the front, or none for two messages of one role in a
   * row. Absent: it writes every role anywhere.
   */
  roles?: 'strict';
}

/** How a model's text is read. The engine reads plain text, reasoning and the end; a dialect reads its calls. */
export interface Grammar {
  /** Where a call, or a block of calls, may begin. `open` is entered with the reader on the opener. */
  openers: readonly Opener[];
  /** Those of the openers that count where no calls are read, either: of quoted text. */
  quotes?: readonly Opener[];
  /** Where framed text or reasoning begins or ends: channels, messages, content blocks. */
  frames?: readonly VoiceFrame[];
  /**
   * For a prompt that ends inside a header, so that the answer begins with the rest of it. Entered once, at the first
   * character; if the answer does not begin so, it continues with `reader.plain`.
   */
  begin?: Mode;
  /** Tokens that are dropped anywhere in text: end-of-turn and role tokens, stray closers. */
  drop?: readonly Dropped[];
  /** Strings that stay text and are reported as an issue. */
  notice?: readonly Notice[];
}

export interface Opener {
  /** The first characters of the opener's spellings. */
  firsts: string;
  /** Its possible second and third characters, if known: they rule out most of the text without a match. */
  next?: readonly string[];
  /**
   * Matches the opener at `at`: its length, NO or NOT_YET (see markers.ts). `tools` are those of the parser, for
   * dialects whose openers are the tools' names.
   */
  match(text: string, at: number, ended: boolean, tools?: ReadonlyMap<string, Tool>): number;
  /** The opener is part of the text around it: line breaks before it are content. */
  inline?: boolean;
  /**
   * The opener begins a new message: it ends the reasoning before it. `quoted`: it begins quoted text, and no call; it
   * counts in reasoning, too, and ends nothing.
   */
  message?: boolean | 'quoted';
  /** The opener counts only outside frames; inside one it is text. */
  unframed?: boolean;
  /** The opener counts only at the beginning of the answer, of a frame or of a line, with at most three blanks. */
  line?: boolean;
  /** Reads the block that follows. Its events are held: this or a later mode keeps, rejects or restarts `hold`. */
  open(reader: Reader, hold: OpenerHold): Mode | undefined;
}

/** One end of a frame around text or reasoning. It is not content, and it sets what the characters after it are. */
export interface VoiceFrame {
  /** Its possible first characters. */
  firsts: string;
  /** Its possible second and third characters. */
  next: readonly string[];
  match(text: string, at: number, ended: boolean): number;
  /** It opens text or reasoning. `nothing`: it closes either, and plain text follows. */
  opens: 'text' | 'reasoning' | 'nothing';
  /** What the line of the text behind it begins with, if that is no beginning of a line. */
  head?: string;
  /** It counts only at the beginning of the answer, of a frame or of a line, with at most three blanks. */
  line?: boolean;
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
  /**
   * The reasoning of answers is written before their text: in messages for a chat endpoint, and within a tool loop in a
   * prompt whose template knows no reasoning. Default: it is left out there.
   */
  reasoning?: boolean;
  /** Adds to the taught prompt how to write text that holds the dialect's own closers, where that takes a rule. */
  closers?: boolean;
  /** Indexes of messages whose text the caller trusts: it is written unchanged, markers included. */
  trusted?: readonly number[];
  /** The name of the model: it chooses the prompt where models of a dialect have different ones. */
  model?: string;
  /** Options of the vendor's template: `enable_thinking`, `clear_thinking`, `reasoning_effort` … */
  template?: Record<string, unknown>;
}

/** `escape`: breaks markers reversibly. `reject`: throws a UsageError. `exact`: keeps them, for offline use. */
export type Safety = 'escape' | 'reject' | 'exact';

export interface Render {
  /** Writes the system text that teaches a chat endpoint: rules and tools. */
  instructions(out: Writer, tools: readonly Tool[], options: RenderOptions): void;
  /** Writes the calls of one assistant turn as the model would, with the separator between text and calls. */
  calls(out: Writer, calls: readonly ToolCall[], context: CallContext): void;
  /** Writes the text of the message that carries the results of one turn, in the order of the calls. */
  results(out: Writer, results: readonly ToolResult[], context: ResultContext): void;
  /**
   * Writes system, user and assistant text from outside, where it is not just neutralised (xnl quotes it). The
   * renderer calls `render.text ?? ((out, text, field) => out.outside(text, field))` once for each run of text,
   * already joined. Not for reasoning, results, calls or tools.
   */
  text?(out: Writer, text: string, field: string): void;
  /** The prompts of models that speak the dialect in other turns than `prompt` writes. */
  variants?: readonly PromptVariant[];
  /** Writes the whole prompt for a completion endpoint, byte for byte as the vendor does. */
  prompt?(out: Writer, conversation: Conversation, options: RenderOptions): void;
  /**
   * Gives the template's options for an effort in the words of the APIs (`none`, `minimal`, `low`, `medium`, `high`,
   * `xhigh`, `max`); undefined for other words. Absent: the template has no such option.
   */
  effort?(effort: string): Record<string, unknown> | undefined;
  /** Strings at which a completion endpoint must stop. */
  stop: readonly string[];
  /** What the model stops with behind its last answer, where the template writes none of its stop strings there. */
  lastEnd?: LastEnd;
  /** How to write text that holds the dialect's own closers, where `instructions` says so itself. */
  closers?: { en: string; zh: string };
  /** Reads a rendered text back, as far as that cannot be derived by rendering. */
  back?: ReadBack;
}

/**
 * Stop strings by the kind of the answer: GLM writes the token of the turn that it expects. Behind calls there is none
 * where the template writes one, or where their closer is what the model stops with.
 */
type LastEnd = readonly [behindText: string] | readonly [behindText: string, behindCalls: string];

/** The prompt of some models of a dialect, as their vendor writes it. */
export interface PromptVariant {
  /** Its own name: `qwen3.5`. `RenderOptions.model` takes it, too. */
  name: string;
  /** Names of models, compared word by word as those of dialects. */
  models: readonly string[];
  prompt: NonNullable<Render['prompt']>;
  /** Default: those of the dialect. */
  stop?: readonly string[];
  /** The options of its template for an effort. Default: as the dialect's. */
  effort?: NonNullable<Render['effort']>;
  /** Which reasoning of earlier answers it writes again. Default: as the dialect's trait says. */
  kept?: 'all' | 'last' | 'none';
  /** The tools are written before the last user turn, so another question moves them. Default false. */
  movesTools?: boolean;
}

/**
 * Turns the output of `renderMessages` and `renderPrompt` back into a conversation, for transcripts. Most of it is
 * derived from the renderer itself. The result is rendered again and compared, so that a mistake here leads to an
 * error and never to a wrong conversation.
 */
export interface ReadBack {
  /** The tokens that divide a prompt into turns. The longest match counts. */
  turns?: readonly TurnToken[];
  /** Options of the vendor's template, besides `thinking`, that change how prompts are written. */
  templates?: readonly Record<string, unknown>[];
  /**
   * Reads the tool definitions from what `instructions` wrote, without the fixed text around them. Gives them in any
   * shape that `acceptTools` takes; undefined if they cannot be read.
   */
  tools?(text: string, options: RenderOptions): unknown[] | undefined;
  /** Reads the results at the beginning of a text, where they are not between fixed strings. */
  results?(text: string): ReadResults | undefined;
}

export interface TurnToken {
  token: string;
  /** Whose turn begins after it. */
  role?: Message['role'];
  /** Whose text follows it, if any text does. */
  next?: Message['role'];
  /** Whose turn it ends. */
  ends?: Message['role'];
  /** The token belongs to the text before it, or to the text after it. */
  keep?: 'before' | 'behind';
  /** Reads the tool definitions that follow the token, in any shape that `acceptTools` takes. */
  tools?(text: string): unknown[] | undefined;
}

export interface ReadResults {
  results: { text: string; callId?: string; name?: string }[];
  /** Where they end. */
  end: number;
}

export interface CallContext {
  tools: readonly Tool[];
  /** There is text before the calls in the same turn. */
  afterText: boolean;
  /** The numbers of the calls, where they are written with them. Default: their places in the turn. */
  numbers?: readonly number[];
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
  /** All strings with a special meaning in a prompt or an output: they are broken in text from outside. */
  markers: MarkerSet;
  render: Render;
  grammar: Grammar;
  /**
   * Signs of the vendor's chat templates: each is a list of strings that are all in such a template. Absent: the fixed
   * pieces of a call are looked for. For templates that put calls together from variables, and for calls that other
   * dialects spell alike.
   */
  templateSigns?: readonly (readonly string[])[];
  /** The calls as grammar rules for constrained sampling. Absent: the dialect has no such rules. */
  constrain?: SamplingRules;
}

export type { Mode, Reader, Writer };
