// Images and other media on their way to a model: passed to upstreams that take them, else replaced. A text prompt cannot
// hold them, but it can hold text documents and search results.
//
//   text document, search result     its text
//   image or file in a result        a note that says what it was; the agent can go on
//   image or file of the user        refused, with the path of the member: the user asks about what the model cannot see

import { isBlockType } from '../../model/accept-results.js';
import { someOf } from '../../model/frozen-lists.js';
import {
  ApiError,
  type MediaPart,
  type Mend,
  type Message,
  type TextPart,
  type ToolMessage,
  type ToolResult,
  type UserMessage,
} from '../../model/index.js';
import { documentText } from '../../model/text-documents.js';
import { describeMedia, readMedia } from '../../wire/media.js';
import { isTextBlock, resultMedia } from '../../wire/result-content.js';
import { stringOf } from '../../wire/values.js';
import { Mends, partPath } from '../history/mends.js';
import type { Upstream } from './upstream.js';

export interface ReadableMessages {
  messages: Message[];
  mended: Mend[];
  /** The error for the first medium that nothing can stand for. */
  refused?: ApiError;
}

export function seesMedia({ media, takes }: Upstream): boolean {
  return media && takes === 'messages';
}

/** Replaces what a text prompt cannot hold. `sees`: the model takes images and files. */
export function readableMedia(messages: Message[], sees: boolean): ReadableMessages {
  if (!messages.some(holdsMedia)) return { messages, mended: [] };
  const reading = new Reading(sees);
  const readable = messages.map((message, at) => {
    if (message.role === 'user') return reading.user(message, at, messages[at - 1]?.role === 'tool');
    return message.role === 'tool' ? reading.results(message, at) : message;
  });
  const { mends, refused } = reading;
  return { messages: readable, mended: mends.list, ...(refused && { refused }) };
}

function holdsMedia({ role, parts }: Message): boolean {
  if (role !== 'user' && role !== 'tool') return false;
  return someOf<Message['parts'][number]>(
    parts,
    (part) => part.type === 'media' || (part.type === 'tool-result' && hasMedia(part)),
  );
}

class Reading {
  readonly mends = new Mends();
  refused: ApiError | undefined;

  constructor(private readonly sees: boolean) {}

  /** `afterResults`: agents put what a tool read into the message behind its result, as Claude Code does with a PDF. */
  user(message: UserMessage, at: number, afterResults: boolean): UserMessage {
    const parts = message.parts.map((part, place): TextPart | MediaPart => {
      if (part.type === 'text') return part;
      const text = documentText(part.media);
      if (text !== undefined) return { type: 'text', text: `\n${text}\n` };
      if (this.sees) return part;
      if (afterResults || part.ofResult)
        return { type: 'text', text: `\n${this.#note(part.media, partPath(at, place))}\n` };
      this.refused ??= noMedia(part.media, `messages[${at}].content[${place}]`);
      return part;
    });
    return { ...message, parts };
  }

  results(message: ToolMessage, at: number): ToolMessage {
    if (this.sees) return message;
    const parts = message.parts.map((part, place) =>
      hasMedia(part) ? this.#result(part, partPath(at, place)) : part,
    );
    return { ...message, parts };
  }

  #result(result: ToolResult, path: string): ToolResult {
    const { content, ...extra } = result.extra ?? {};
    // An output that is a list has blocks of unknown types among those that are known.
    const blocks = Array.isArray(result.output) ? result.output : (content as unknown[]);
    const texts = blocks.map((block) => blockText(block) ?? this.#note(block, path));
    return { ...result, output: texts.join('\n'), extra };
  }

  #note(media: unknown, path: string): string {
    const what = describeMedia(media);
    this.mends.add('unseen-media', path, `The ${what} became a note: the model takes only text.`);
    return `[${what}: not shown, because this model takes only text]`;
  }
}

/** Undefined for media. */
function blockText(block: unknown): string | undefined {
  if (typeof block === 'string') return block;
  if (isMedia(block)) return undefined;
  return documentText(block) ?? stringOf(block, 'text') ?? JSON.stringify(block);
}

function hasMedia(result: ToolResult): boolean {
  return Array.isArray(result.output) ? result.output.some(isMedia) : resultMedia(result).length > 0;
}

/** Blocks of unknown types are no media: they are shown as JSON. */
function isMedia(block: unknown): boolean {
  return !isTextBlock(block) && (readMedia(block) !== undefined || isBlockType(stringOf(block, 'type')));
}

function noMedia(media: unknown, path: string): ApiError {
  const advice = 'leave it out, or use a model that takes it';
  const message = `${path}: this model takes only text here, and no ${describeMedia(media)}; ${advice}`;
  return new ApiError('unsupported-media', message, { path });
}

/**
 * Moves media of tool results into a user's message after them: dialects cannot write media in a result. Media in the
 * message behind results are marked, too: once results are rendered, nothing else shows where they came from.
 */
export function liftResultMedia(messages: readonly Message[]): Message[] {
  const lifted: Message[] = [];
  let waiting: MediaPart[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool' && waiting.length > 0) {
      lifted.push({ role: 'user', parts: waiting });
      waiting = [];
    }
    const isBehind = message.role === 'user' && messages[at - 1]?.role === 'tool';
    lifted.push(isBehind ? { ...message, parts: message.parts.map(ofResult) } : message);
    if (message.role === 'tool') waiting.push(...message.parts.flatMap(mediaOf));
  }
  return waiting.length > 0 ? [...lifted, { role: 'user', parts: waiting }] : lifted;
}

function mediaOf(result: ToolResult): MediaPart[] {
  return resultMedia(result).map((media) => ({ type: 'media', media, ofResult: true }));
}

function ofResult<P extends UserMessage['parts'][number]>(part: P): P {
  return part.type === 'media' ? { ...part, ofResult: true } : part;
}
