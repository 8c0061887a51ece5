// Masks, samples and prefixes of taught messages. The frames and the end token are those of the model's own chat
// template: a mask has the content of the assistant's messages, and only tokens, which need the template, have the rest.

import { createParser } from '@dragoman/core';
import type { Conversation, Dialect, ExactValue, RenderOptions } from '@dragoman/core/internal';
import { keysOf, memberOf, setMember, textOf } from '@dragoman/core/internal';
import type { Note, Row, WrittenRow } from '../forms/form.js';
import { chatTokenMembers } from './chat-tokens.js';
import { noteBreak, type PrefixMember, prefixMember } from './check-prefix.js';
import { maskMember, NOTHING_LEARNT, rangesOf } from './mask.js';
import { answersOf, type MaskKind, noSample, type TrainingOptions, trainedSamples } from './training.js';
import { chatSamples, messagesPromptOf, messagesSamples, sentMessages } from './turn-samples.js';

type Members = [string, ExactValue][];

interface Line {
  role: string;
  content: string;
}

export interface TrainedMessagesOptions {
  render?: RenderOptions;
  training?: TrainingOptions;
}

export function trainedMessages(
  dialect: Dialect,
  conversation: Conversation,
  { row, notes }: WrittenRow,
  { render = {}, training = {} }: TrainedMessagesOptions,
): WrittenRow {
  const { checkPrefix, perTurn, train } = training;
  const lines = memberOf(row, 'messages') as unknown as Line[];
  const found = [...notes];
  const members: Members = [];
  if (checkPrefix) {
    const prefix = prefixOf(dialect, conversation, render, training);
    noteBreak(prefix, found);
    members.push(['prefix', prefix]);
  }
  if (!perTurn) {
    const learnt = trainedSamples(answersOf(lines), train).map(({ first }) => first);
    const masks = maskMembers(dialect, conversation, lines, learnt, training, found);
    return { row: withMembers(row, [...masks, ...members]), notes: found };
  }
  const turns = answersOf(conversation.messages);
  const [first, ...more] = trainedSamples(turns, train).map(({ turn, end }) => {
    const asked = { ...conversation, messages: conversation.messages.slice(0, end) };
    const messages = sentMessages(dialect, asked, render);
    const masks = maskMembers(dialect, asked, messages, [messages.length - 1], training, found);
    const own: Members = [
      ['messages', messages as unknown as ExactValue],
      ['turn', turn],
    ];
    return withMembers(row, [...own, ...masks, ...members]);
  });
  if (!first) throw noSample();
  // Samples of turns have the reasoning that a whole row leaves out.
  return { row: first, more, notes: found.filter(({ code }) => code !== 'reasoning') };
}

function maskMembers(
  dialect: Dialect,
  conversation: Conversation,
  lines: readonly Line[],
  learnt: readonly number[],
  training: TrainingOptions,
  notes: Note[],
): Members {
  const { mask, tokenizer, chat } = training;
  if (!mask) return [];
  const ranges = maskOf(dialect, conversation, lines, learnt, mask);
  if (ranges.length === 0) notes.push(NOTHING_LEARNT);
  const member: Members = [['mask', ranges]];
  if (!tokenizer || !chat) return member;
  const divide = (answer: string) => partsIn(dialect, answer, conversation);
  return [
    ...member,
    ...chatTokenMembers(framedLines(lines), learnt, { ...training, tokenizer, chat }, divide, notes),
  ];
}

/** Chat templates would frame a result as a call of their own kind: taught models get it from the user. */
function framedLines(lines: readonly Line[]): Line[] {
  return lines.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content }));
}

function prefixOf(
  dialect: Dialect,
  conversation: Conversation,
  render: RenderOptions,
  { tokenizer, chat }: TrainingOptions,
): PrefixMember {
  const { messages } = conversation;
  if (chat) {
    const sent = (end: number) =>
      sentMessages(dialect, { ...conversation, messages: messages.slice(0, end) }, render);
    const samples = chatSamples(dialect, messages, sent, chat);
    const isOpen = messages.at(-1)?.role !== 'assistant';
    const open = isOpen ? chat.render(sent(messages.length), true) : undefined;
    return prefixMember(samples, open, tokenizer);
  }
  const samples = messagesSamples(dialect, conversation, render);
  const isOpen = messages.at(-1)?.role !== 'assistant';
  const open = isOpen ? messagesPromptOf(dialect, conversation, messages.length, render) : undefined;
  return prefixMember(samples, open, undefined);
}

/** Gives the ranges in the contents of the assistant's messages, of those that are learnt. */
function maskOf(
  dialect: Dialect,
  conversation: Conversation,
  lines: readonly Line[],
  learnt: readonly number[],
  kinds: readonly MaskKind[],
): ExactValue[] {
  const answers = conversation.messages.filter(({ role }) => role === 'assistant');
  const places = lines.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  return places.flatMap((place, at) => {
    if (!learnt.includes(place)) return [];
    const { content } = lines[place] as Line;
    const answer = answers[at];
    const close = content.length;
    const parts = (answer && plainParts(answer, content)) ?? partsIn(dialect, content, conversation);
    const ranges = rangesOf({ start: 0, ...parts, close, end: close }, kinds);
    return maskMember(content, ranges, place);
  });
}

/** Gives the parts where they are seen without a parser: the text stands unchanged at the front, or there is none. */
function plainParts(
  answer: Conversation['messages'][number],
  content: string,
): { text: number; calls: number } | undefined {
  if (answer.parts.some(({ type }) => type === 'reasoning')) return undefined;
  const said = textOf(answer);
  if (said === content) return { text: 0, calls: content.length };
  if (!content.startsWith(said)) return undefined;
  const hasCalls = answer.parts.some(({ type }) => type === 'tool-call');
  return { text: 0, calls: hasCalls ? said.length : content.length };
}

/** Gives where the text of a content begins, behind reasoning, and where its calls begin, behind the text. */
function partsIn(
  dialect: Dialect,
  content: string,
  { tools }: Conversation,
): { text: number; calls: number } {
  const parser = createParser(dialect, { tools });
  let [text, end, thinks] = [0, 0, false];
  for (const event of [...parser.feed(content), ...parser.finish()]) {
    if (event.type === 'call-start') return { text, calls: end };
    if (event.type === 'text-delta') [thinks, end] = [false, event.range[1]];
    if (event.type === 'reasoning-delta') thinks = true;
    if (!thinks) continue;
    thinks = event.type === 'reasoning-delta';
    text = thinks ? event.range[1] : reasoningEnd(dialect, content, event.range);
    end = text;
  }
  return { text, calls: content.length };
}

/** Finds the end of reasoning, with white space behind it, in markup that may have the beginning of a call, too. */
function reasoningEnd({ traits }: Dialect, content: string, [from, to]: readonly [number, number]): number {
  const closer = traits.reasoning?.close ?? '</think>';
  const at = content.indexOf(closer, from);
  if (at < 0 || at + closer.length > to) return to;
  const markup = content.slice(at + closer.length, to);
  return to - markup.trimStart().length;
}

/** Gives the row with these members: in their places, or at the end. */
function withMembers(row: Row, members: readonly [string, ExactValue][]): Row {
  const next: { [key: string]: ExactValue } | Map<string, ExactValue> =
    row instanceof Map ? new Map(row) : { ...row };
  for (const [key, value] of members) {
    if (next instanceof Map) next.set(key, value);
    else if (keysOf(next).includes(key)) next[key] = value;
    else setMember(next, key, value);
  }
  return next as Row;
}
