// Renders a prompt and keeps where each answer of the model is in it: for training data, where only what the model
// writes itself is learnt.
//
//   <|im_end|>\n<|im_start|>assistant\n<think>…</think>\n\nI look.\n<tool_call>…</tool_call><|im_end|>\n
//                                     ^start             ^text  ^calls                   ^close    ^end
//
// The text and the spans are those of `renderPrompt`: the same writer, which also notes what is written when. Every
// prompt asks the writer for the model's own words before it writes an answer, which tells where the answer begins; the
// fields of texts from outside tell what belongs to it; and the stop strings of the dialect tell where it ends.

import { acceptOwn } from '../model/accept-own.js';
import type { AssistantMessage, Conversation } from '../model/index.js';
import type { Dialect } from './dialect.js';
import type { MarkerSet } from './markers.js';
import { contentField, textOf } from './message-text.js';
import type { TurnPlace } from './own-words.js';
import { promptOfModel } from './prompt-variant.js';
import { noPrompt, type RenderedPrompt, type Rendering, rendering } from './renderer.js';
import { type FieldPath, Writer } from './writer.js';

export interface TracedPrompt extends RenderedPrompt {
  answers: TracedAnswer[];
}

/**
 * What the model writes in one go, up to a token at which it stops: an assistant's message, or one call of it where the
 * template ends each with such a token (gpt-oss). Ranges are UTF-16 positions in the text.
 */
export interface TracedAnswer {
  /** The index of its message. */
  message: number;
  /** Where the model goes on: behind what a prompt writes of an answer. */
  start: number;
  /** Its reasoning is written, and is not empty. */
  thinks: boolean;
  /** Where the text begins: behind the reasoning and its markup. */
  text: number;
  /** Where the calls begin, with the markup before them. */
  calls: number;
  /** Where the end token begins, and where it ends; the same where none is written. */
  close: number;
  end: number;
}

/** Does what `renderPrompt` does for a conversation that this library made. Words of the model are not written again. */
export const tracePrompt: Rendering<Conversation, TracedPrompt> = rendering(
  acceptOwn,
  (dialect: Dialect) => (conversation, options) => {
    const found = promptOfModel(dialect.render, options.model);
    if (!found) throw noPrompt(dialect);
    const trusted = new Set((options.trusted ?? []).map(contentField));
    const out = new TracingWriter(dialect.markers, options.safety, trusted, dialect.name);
    found.prompt(out, conversation, options);
    const { text, spans } = out;
    const answers = out.answers(conversation, found.stop, dialect.traits.reasoning?.close);
    return { text, spans, stop: found.stop, answers };
  },
);

interface Piece {
  start: number;
  end: number;
  field: FieldPath;
  /** Where the markup before it begins that was written last. */
  lead: number;
}

interface Begun {
  message: AssistantMessage;
  /** Where the answer begins, with what the prompt writes of it. */
  start: number;
  /** What the prompt writes of it; undefined if that stands before `start`. */
  place: TurnPlace | undefined;
  /** How many pieces come before it. */
  pieces: number;
}

class TracingWriter extends Writer {
  readonly #pieces: Piece[] = [];
  readonly #begun: Begun[] = [];
  /** The last piece and the answers whose place depends on text that is not written yet. */
  #open: { piece: Piece; markers: MarkerSet } | undefined;
  #unplaced: Begun[] = [];
  #lead = 0;

  override ours(text: string): this {
    if (text === '') return this;
    super.ours(text);
    this.#lead = this.text.length - text.length;
    this.#close(this.#lead);
    return this;
  }

  override outside(text: string, field: FieldPath, markers: MarkerSet = this.markers): this {
    if (this.trusted.has(field)) return this.ours(text);
    // The writer neutralises texts of the same markers as one: where the second begins is not known.
    if (this.#open?.markers !== markers) {
      this.#close(this.text.length);
      const start = this.text.length;
      const piece = { start, end: start, field, lead: this.#lead };
      this.#pieces.push(piece);
      this.#open = { piece, markers };
    }
    return super.outside(text, field, markers);
  }

  override jsonText(json: string, field: FieldPath, markers: MarkerSet = this.markers): this {
    const start = this.text.length;
    this.#close(start);
    super.jsonText(json, field, markers);
    this.#pieces.push({ start, end: this.text.length, field, lead: this.#lead });
    return this;
  }

  override wordsOf(message: AssistantMessage): undefined {
    this.#begin(message, undefined);
  }

  override ownWords(message: AssistantMessage, place: TurnPlace): boolean {
    this.#begin(message, place);
    return false;
  }

  #begin(message: AssistantMessage, place: TurnPlace | undefined): void {
    const begun = { message, start: 0, place, pieces: this.#pieces.length };
    this.#begun.push(begun);
    if (this.#open) this.#unplaced.push(begun);
    else begun.start = this.text.length;
  }

  /** Ends the open piece here. */
  #close(at: number): void {
    if (this.#open) this.#open.piece.end = at;
    for (const begun of this.#unplaced) begun.start = at;
    this.#open = undefined;
    this.#unplaced = [];
  }

  /** `closer`: what ends the reasoning of an answer. */
  answers({ messages }: Conversation, stop: readonly string[], closer: string | undefined): TracedAnswer[] {
    const text = this.text;
    this.#close(text.length);
    // By their order: some prompts are written from copies of the messages.
    const indices = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
    return this.#begun.flatMap((begun, at) =>
      this.#answersOf({ text, stop, closer }, begun, indices[at] ?? -1, this.#begun[at + 1]),
    );
  }

  /** Gives the answers of one message: several where the template writes a stop string between its parts. */
  #answersOf(written: Written, begun: Begun, message: number, next: Begun | undefined): TracedAnswer[] {
    const { text, stop } = written;
    const own = contentField(message);
    const before = next?.pieces ?? this.#pieces.length;
    let last = begun.pieces;
    while (last < before && isOf(this.#pieces[last] as Piece, own)) last++;
    const groups = stretchesOf(text, this.#pieces.slice(begun.pieces, last), stop);
    const behind = last < before ? this.#pieces[last] : undefined;
    const limit = behind?.start ?? next?.start ?? text.length;
    const lead = behind?.lead ?? limit;
    const answers: TracedAnswer[] = [];
    for (const [at, pieces] of groups.entries()) {
      const begins = answers.at(-1)?.end ?? begun.start;
      const start = begins + (begun.place ? beginningIn(text, begins, begun.place).length : 0);
      const following = groups[at + 1]?.[0];
      const bounds = { start, limit: following?.start ?? limit, lead: following?.lead ?? lead };
      answers.push({ message, start, ...placesIn(written, begun.message, pieces, own, bounds) });
    }
    return answers;
  }
}

interface Written {
  text: string;
  stop: readonly string[];
  closer: string | undefined;
}

/** Divides the pieces of a message where a stop string stands between two: the model was asked again behind it. */
function stretchesOf(text: string, pieces: readonly Piece[], stop: readonly string[]): Piece[][] {
  const groups: Piece[][] = [[]];
  for (const piece of pieces) {
    const group = groups.at(-1) as Piece[];
    const markup = text.slice(group.at(-1)?.end ?? piece.start, piece.start);
    if (stop.some((token) => markup.includes(token))) groups.push([piece]);
    else group.push(piece);
  }
  return groups;
}

/** Finds where the parts of an answer begin, and its end. `lead`: where the markup of what follows begins. */
function placesIn(
  { text, stop, closer }: Written,
  message: AssistantMessage,
  pieces: readonly Piece[],
  own: FieldPath,
  { start, limit, lead }: { start: number; limit: number; lead: number },
): Omit<TracedAnswer, 'message' | 'start'> {
  const tail = pieces.at(-1);
  const from = Math.max(start, tail?.end ?? start);
  // Without a stop string: a text ends the answer, and calls or reasoning have a closer before what follows.
  const isText = tail?.field === own && (textOf(message) !== '' || tail.start === tail.end);
  const isOpen = tail !== undefined && !isText;
  const otherwise = isOpen ? Math.max(from, lead) : tail ? from : behindCloser(text, from, limit, closer);
  const { close, end } = endIn(text, from, limit, stop, otherwise);
  return { ...partsIn(text, message, pieces, own, { start, close, closer }), close, end };
}

/** Gives where the empty reasoning of an empty answer ends; the same place if the template writes none. */
function behindCloser(text: string, from: number, limit: number, closer: string | undefined): number {
  const at = closer === undefined ? -1 : text.slice(from, limit).indexOf(closer);
  return closer === undefined || at < 0 ? from : from + at + closer.length;
}

/** Whether a piece belongs to the answer with this field, or to its calls. */
function isOf({ field }: Piece, own: FieldPath): boolean {
  return field === own || field.startsWith('calls[');
}

/**
 * Gives what the prompt wrote of the answer. Where the template writes old answers without the beginning that a prompt
 * gives them, another that fits: one of another `thinking`, or that of an answer without reasoning.
 */
function beginningIn(text: string, at: number, { options, begin, plain }: TurnPlace): string {
  const asked = begin(options);
  if (text.startsWith(asked, at)) return asked;
  const others = [false, true].map((thinking) => begin({ ...options, thinking }));
  const fitting = [plain, ...others].filter((beginning) => text.startsWith(beginning, at));
  return fitting.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}

/** Finds the first stop string in the markup behind an answer. Without one the answer ends at `otherwise`. */
function endIn(
  text: string,
  from: number,
  limit: number,
  stop: readonly string[],
  otherwise: number,
): { close: number; end: number } {
  const markup = text.slice(from, limit);
  let close = markup.length;
  let length = 0;
  for (const token of stop) {
    const at = markup.indexOf(token);
    if (at < 0 || at >= close) continue;
    close = at;
    length = token.length;
  }
  if (length > 0) return { close: from + close, end: from + close + length };
  return { close: otherwise, end: otherwise };
}

interface Bounds {
  start: number;
  close: number;
  closer: string | undefined;
}

/**
 * Divides an answer into reasoning, text and calls. Line breaks behind the reasoning belong to it; a space begins what
 * follows, as in ` to=functions.f` of gpt-oss: tokenizers have it in the token of the next word.
 */
function partsIn(
  text: string,
  message: AssistantMessage,
  pieces: readonly Piece[],
  own: FieldPath,
  { start, close, closer }: Bounds,
): Pick<TracedAnswer, 'thinks' | 'text' | 'calls'> {
  const content = pieces.filter(({ field }) => field === own);
  const said = textOf(message) !== '' || content.length > 1 ? content.pop() : undefined;
  const call = pieces.find(({ field }) => field !== own);
  const thought = content.at(-1);
  const from = thought?.end ?? start;
  const limit = said?.start ?? call?.start ?? close;
  const at = closer === undefined ? -1 : text.slice(from, limit).indexOf(closer);
  const thinks = thought !== undefined && thought.end > thought.start;
  let body = thinks ? from : start;
  if (closer !== undefined && at >= 0) {
    body = from + at + closer.length;
    while (body < limit && text.charAt(body) === '\n') body++;
  }
  return { thinks, text: body, calls: call ? Math.max(body, said?.end ?? body) : close };
}
