// Splits the chat of Glaive, one string, into turns: each begins with its speaker, after one or two empty lines.
//
//     USER: Hi, how much is 500 USD in EUR?
//
//
//     ASSISTANT: <functioncall> {"name": "get_exchange_rate", "arguments": '{"from": "USD"}'} <|endoftext|>
//
//
//     FUNCTION RESPONSE: {"rate": 0.85}
//
// A speaker after a single line break is no frame: published rows have that inside of texts.

import type { Frames } from './frame-text.js';

export type Speaker = 'USER' | 'ASSISTANT' | 'FUNCTION RESPONSE' | 'SYSTEM';

export interface ChatTurn {
  speaker: Speaker;
  /** The text after the colon and one space, without the line breaks that end the turn. */
  text: string;
}

export const BREAKS = '\n\n\n';
const words: readonly Speaker[] = ['USER', 'ASSISTANT', 'FUNCTION RESPONSE'];

export const chatFrames: Frames = {
  firsts: '\n',
  acts: (text, _, tail) => text.charAt(tail) === '\n' && speakerAt(text, tail + 1, words) !== undefined,
};

/**
 * Splits the chat; undefined if it does not begin with a speaker. `least`: how many line breaks come before each other
 * turn.
 */
export function splitChat(
  chat: string,
  least: 1 | 2,
  first: readonly Speaker[] = [],
): ChatTurn[] | undefined {
  let at = chat.length - chat.trimStart().length;
  let speaker = speakerAt(chat, at, [...words, ...first]);
  if (speaker === undefined) return at === chat.length ? [] : undefined;
  const turns: ChatTurn[] = [];
  while (speaker !== undefined) {
    const start = at + speaker.length + 1;
    const next = nextTurn(chat, start, least);
    const text = chat.slice(start, next?.end ?? chat.length - trailing(chat, start));
    turns.push({ speaker, text: text.startsWith(' ') ? text.slice(1) : text });
    at = next?.at ?? 0;
    speaker = next?.speaker;
  }
  return turns;
}

function speakerAt(text: string, at: number, among: readonly Speaker[]): Speaker | undefined {
  return among.find((word) => text.startsWith(word, at) && text.charAt(at + word.length) === ':');
}

interface Next {
  speaker: Speaker;
  at: number;
  /** Where the text before it ends: at most three line breaks belong to the frame. */
  end: number;
}

function nextTurn(chat: string, from: number, least: number): Next | undefined {
  let at = chat.indexOf('\n', from);
  while (at >= 0) {
    const start = at;
    while (chat.charAt(at) === '\n') at += 1;
    const speaker = at - start >= least ? speakerAt(chat, at, words) : undefined;
    if (speaker) return { speaker, at, end: Math.max(start, at - BREAKS.length) };
    at = chat.indexOf('\n', at);
  }
  return undefined;
}

/** Counts the line breaks at the end that belong to the frame. */
function trailing(chat: string, start: number): number {
  let count = 0;
  while (
    count < BREAKS.length &&
    chat.length - count > start &&
    chat.charAt(chat.length - count - 1) === '\n'
  )
    count += 1;
  return count;
}
