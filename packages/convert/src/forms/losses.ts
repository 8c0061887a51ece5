// Notes what a writer could not express, with its path.

import { type Conversation, type Extra, type Message, textTypes } from '@dragoman/core/internal';
import type { LossCode } from './codes.js';
import type { Note } from './form.js';
import { isRow, memberOf, NOTE_PREFIX } from './members.js';

export function noteLoss(notes: Note[], code: LossCode, path: string): void {
  notes.push({ kind: 'loss', code, path });
}

/** Notes an `extra` of another form as lost, unless it holds nothing but null and notes of ours. */
export function noteExtra(notes: Note[], extra: Extra | undefined, path: string, ...ignored: string[]): void {
  if (extra !== undefined && saysSomething(extra, ignored)) noteLoss(notes, 'extra', path);
}

export function saysSomething(extra: Extra, ignored: readonly string[] = []): boolean {
  for (const [key, value] of Object.entries(extra)) {
    if (value !== null && !key.startsWith(NOTE_PREFIX) && !ignored.includes(key)) return true;
  }
  return false;
}

/** Gives the names of the tools by the ids of their calls, which a reader can work out by itself. */
export function callNames(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) if (part.type === 'tool-call') names.set(part.id, part.name);
  }
  return names;
}

export function countCalls({ messages }: Conversation): number {
  let calls = 0;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) if (part.type === 'tool-call') calls++;
  }
  return calls;
}

/** Images among the blocks are a loss of `media`; the split into several texts is one of `extra`. */
export function noteResult(notes: Note[], extra: Extra | undefined, path: string): void {
  const blocks = extra?.content;
  if (Array.isArray(blocks) && blocks.some(isMedia)) noteLoss(notes, 'media', path);
  noteExtra(notes, extra, path);
}

function isMedia(block: unknown): boolean {
  return isRow(block) && !textTypes.includes(memberOf(block, 'type'));
}
