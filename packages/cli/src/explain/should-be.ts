// What the model should have written: each group of calls in the text, as the dialect spells it.

import {
  type CallEnd,
  type CallError,
  type Dialect,
  type ParseEvent,
  type Range,
  renderMessages,
} from '@dragoman/core';
import { messageOf } from '../command-error.js';
import { completeJson } from './complete-json.js';

export interface ShouldBe {
  /** The calls, without the tags of reasoning and of turns around them. */
  range: Range;
  /** Absent: no call could be completed, or the dialect cannot spell them. */
  text?: string;
  /** How many of the calls were cut off or unreadable, and are completed from what was read. */
  salvaged: number;
  /** How many calls could not be completed. */
  missing: number;
  /** Why there is no text. */
  reason?: string;
}

export function shouldBe(
  dialect: Dialect,
  text: string,
  events: readonly ParseEvent[],
  tools: unknown,
): ShouldBe[] {
  return stretches(events, text).map(({ range, calls }) => {
    const named = calls.map(toCall);
    const known = named.filter((call) => call !== undefined);
    const whole = known.length === 0 ? { reason: UNREAD } : spelled(dialect, known, tools);
    return {
      ...whole,
      range: trimmed(dialect, text, range, 'text' in whole ? whole.text : ''),
      salvaged: known.filter(({ salvaged }) => salvaged).length,
      missing: named.length - known.length,
    };
  });
}

const UNREAD = 'too little of the call could be read to write it down';

interface Stretch {
  range: Range;
  calls: (CallEnd | CallError)[];
}

/** Gives the runs of events that are neither text nor reasoning and hold calls. White space between calls is part. */
function stretches(events: readonly ParseEvent[], text: string): Stretch[] {
  const found: Stretch[] = [];
  let open: Stretch | undefined;
  for (const event of events) {
    const [start, end] = event.range;
    const isWords = event.type === 'text-delta' || event.type === 'reasoning-delta';
    if (isWords && text.slice(start, end).trim() !== '') open = undefined;
    else if (open) open.range = [open.range[0], end];
    else {
      open = { range: [start, end], calls: [] };
      found.push(open);
    }
    if (event.type === 'call-end' || event.type === 'call-error') open?.calls.push(event);
  }
  return found.filter(({ calls }) => calls.length > 0);
}

/**
 * Removes tags of reasoning and of turns from both ends of the range: they are no part of a call. What the dialect itself
 * writes there is, and so are closers of calls, although stray ones are dropped from text.
 */
function trimmed(dialect: Dialect, text: string, [from, to]: Range, whole: string): Range {
  const { traits, grammar, render } = dialect;
  const drop = grammar.drop ?? [];
  const closers = drop.filter(({ repair }) => repair === 'stray-closer').map(({ marker }) => marker);
  const around = [
    ...(traits.reasoning ? [traits.reasoning.open, traits.reasoning.close] : []),
    ...drop.map(({ marker }) => marker),
    ...render.stop,
  ].filter((marker) => marker !== '' && !closers.includes(marker));
  let [start, end] = [from, to];
  for (let piece = text.slice(start, end); ; piece = text.slice(start, end)) {
    const space = piece.length - piece.trimStart().length;
    const before = around.find((marker) => piece.startsWith(marker, space) && !whole.startsWith(marker));
    const after = around.find((marker) => piece.trimEnd().endsWith(marker) && !whole.endsWith(marker));
    if (before && space + before.length < piece.length) start += space + before.length;
    else if (after) end = start + piece.trimEnd().length - after.length;
    else return [start + space, start + Math.max(space, piece.trimEnd().length)];
  }
}

interface KnownCall {
  id: string;
  name: string;
  raw: string;
  salvaged: boolean;
}

function toCall(event: CallEnd | CallError): KnownCall | undefined {
  if (event.type === 'call-end') return { id: event.id, name: event.name, raw: event.raw, salvaged: false };
  const raw = completeJson(event.raw ?? '');
  if (raw === undefined || event.name === undefined || event.name === '') return undefined;
  return { id: event.id ?? 'call_1', name: event.name, raw, salvaged: true };
}

function spelled(
  dialect: Dialect,
  calls: readonly KnownCall[],
  tools: unknown,
): { text: string } | { reason: string } {
  const tool_calls = calls.map(({ id, name, raw }) => ({
    id,
    type: 'function',
    function: { name, arguments: raw },
  }));
  const messages = [
    { role: 'user', content: '.' },
    { role: 'assistant', content: null, tool_calls },
  ];
  try {
    const rendered = renderMessages(dialect, { messages, ...(tools !== undefined && { tools }) });
    const answer = rendered.messages.findLast(({ role }) => role === 'assistant');
    return { text: (answer?.content ?? '').trim() };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}
