// Writes messages for the API: the system prompt beside them, results in the user's messages.
//
// A message that a client sent by this API is restored as it was. All others follow these rules. System messages at the
// front become `system`; later ones become the user's text, at their place. Neighbours of one role become one message,
// with results first. Blank text and empty messages, which the API refuses, are left out, and so is reasoning without a
// signature. Ids of calls are reduced to the characters that the API allows.

import type {
  ExactValue,
  Message,
  ReasoningPart,
  TextPart,
  ToolCall,
  ToolResult,
} from '../../model/index.js';
import { membersOf, notesOf } from '../notes.js';
import { isCurrent, resultMedia, resultText } from '../result-content.js';
import { callBlock, isBlock, resultBlock, textBlock, thinkingBlock, toContent } from './blocks.js';
import { encodeMedia } from './media.js';
import type { Spelling } from './spelling.js';

interface EncodedConversation {
  system: unknown;
  messages: unknown[];
}

/** One message that is being written. */
interface Turn {
  role: 'user' | 'assistant' | 'system';
  members: Record<string, unknown>;
  blocks: unknown[];
  /** How many blocks at the front are results. */
  results: number;
  /** How the client spelled the content; absent if no client did. */
  content: Spelling['content'];
}

export function encodeConversation(all: readonly Message[], own: boolean): EncodedConversation {
  const encoder = new Encoder(own);
  const turns: Turn[] = [];
  let front = all.findIndex((message) => message.role !== 'system' || encoder.spelling(message).inline);
  // The API demands at least one message. If all are system messages, the last becomes the user's.
  if (front < 0) front = Math.max(0, all.length - 1);
  for (let at = front; at < all.length; at++) addTurn(turns, all[at]!, encoder, `messages[${at}]`);
  return { system: encoder.system(all.slice(0, front)), messages: turns.map(toMessage) };
}

function addTurn(turns: Turn[], message: Message, encoder: Encoder, path: string): void {
  const turn = encoder.turn(message, path);
  const last = turns.at(-1);
  const { places, results } = encoder.spelling(message);
  if (places !== undefined && last?.role === 'user' && last.results > 0)
    join(last, turn, last.results === results ? places : []);
  else if (last?.role === turn.role && turn.content === undefined && joins(last)) {
    last.blocks.splice(last.results, 0, ...turn.blocks.slice(0, turn.results));
    last.blocks.push(...turn.blocks.slice(turn.results));
    last.results += turn.results;
  } else if (turn.content !== undefined || turn.blocks.length > 0) turns.push(turn);
}

/** Whether a turn that no client sent becomes part of the one before it: roles alternate after results, too. */
function joins(last: Turn): boolean {
  return last.content === undefined || last.results > 0;
}

/** Puts the user's blocks back among the results they were sent with; without their places, behind them. */
function join(results: Turn, user: Turn, places: number[]): void {
  for (const [at, block] of user.blocks.entries()) {
    results.blocks.splice(places[at] ?? results.blocks.length, 0, block);
  }
  results.members = { ...results.members, ...user.members };
}

function toMessage({ role, members, blocks, content }: Turn): unknown {
  return { ...members, role, content: content === 'blocks' ? blocks : toContent(blocks as ExactValue[]) };
}

class Encoder {
  readonly #ids = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(private readonly own: boolean) {}

  spelling({ extra }: Pick<Message, 'extra'>): Spelling {
    return this.own ? notesOf<Spelling>(extra) : {};
  }

  system(messages: readonly Message[]): unknown {
    const turns = messages.map((message) => this.turn(message, ''));
    const blocks = turns.flatMap((turn) => turn.blocks);
    if (blocks.length === 0) return undefined;
    return turns.some((turn) => turn.content === 'blocks') ? blocks : toContent(blocks as ExactValue[]);
  }

  turn(message: Message, path: string): Turn {
    const { content, inline } = this.spelling(message);
    const keepsBlank = content !== undefined;
    const blocks = message.parts.flatMap((part, at): unknown[] => {
      if (part.type === 'tool-result') return [this.result(part, path)];
      if (part.type === 'tool-call') return [this.call(part)];
      if (part.type === 'reasoning') return this.thought(part);
      if (part.type === 'text') return this.text(part, keepsBlank);
      return [encodeMedia(part.media, `${path}.content[${at}]`, this.own)];
    });
    const role = message.role === 'assistant' ? 'assistant' : inline ? 'system' : 'user';
    const results = message.role === 'tool' ? blocks.length : 0;
    return { role, members: this.members(message), blocks, results, content };
  }

  members({ extra }: Pick<Message, 'extra'>): Record<string, unknown> {
    return this.own ? membersOf(extra) : {};
  }

  text(part: TextPart, keepsBlank: boolean): unknown[] {
    const members = this.members(part);
    if (isBlock(part, members)) return [members];
    if (!keepsBlank && part.text.trim() === '') return [];
    return [{ ...members, ...textBlock(part.text) }];
  }

  thought(part: ReasoningPart): unknown[] {
    const { unsigned } = this.spelling(part);
    const members = this.members(part);
    if (isBlock(part, members)) return [members];
    const signed = unsigned === true || Object.hasOwn(members, 'signature');
    return signed ? [{ ...members, ...thinkingBlock(part.text) }] : [];
  }

  call(part: ToolCall): unknown {
    const { input: _, ...block } = callBlock(this.id(part.id), part.name, part.input);
    const isAsItCame = this.own && part.broken !== undefined;
    const input = isAsItCame ? this.spelling(part).input : part.input;
    return { ...this.members(part), ...block, ...(input !== undefined && { input }) };
  }

  result(part: ToolResult, path: string): unknown {
    const { content, ...members } = this.members(part);
    return {
      ...members,
      ...resultBlock(this.id(part.callId)),
      ...resultContent(part, this.spelling(part).blocks ?? content, path, this.own),
      ...(part.isError === true && { is_error: true }),
    };
  }

  /** Reduces another API's id to the characters this one allows; different ids stay different. */
  id(id: string): string {
    if (this.own) return id;
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const plain = id.replace(/[^A-Za-z0-9_-]/g, '_') || 'call';
    let fresh = plain;
    for (let count = 2; this.#used.has(fresh); count++) fresh = `${plain}_${count}`;
    this.#ids.set(id, fresh);
    this.#used.add(fresh);
    return fresh;
  }
}

/**
 * Gives the content as the client spelled it, if it still has the result's output. Else gives the result's text, with
 * the images of the kept content.
 */
function resultContent(result: ToolResult, kept: unknown, path: string, own: boolean): { content?: unknown } {
  if (kept !== undefined && isCurrent(kept, result)) return { content: kept };
  const text = resultText(result);
  const media = resultMedia(result).map((block) => encodeMedia(block, `${path}.content`, own));
  if (media.length === 0) return text === '' ? {} : { content: text };
  return { content: [...(text === '' ? [] : [textBlock(text)]), ...media] };
}
