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
    const result = {
      range: trimmed(dialect, text, range),
      salvaged: known.filter(({ salvaged }) => salvaged).length,
      missing: named.length - known.length,
    };
    return known.length === 0
      ? { ...result, reason: 'too little of the call could be read to write it down' }
      : { ...result, ...spelled(dialect, known, tools) };
  });
}

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

/** Removes tags of reasoning and of turns from both ends of the range: they are no part of a call. */
function trimmed({ traits, grammar, render }: Dialect, text: string, [from, to]: Range): Range {
  const around = [
    ...(traits.reasoning ? [traits.reasoning.open, traits.reasoning.close] : []),
    ...(grammar.drop ?? []).map(({ marker }) => marker),
    ...render.stop,
  ].filter((marker) => marker !== '');
  let [start, end] = [from, to];
  for (let piece = text.slice(start, end); ; piece = text.slice(start, end)) {
    const space = piece.length - piece.trimStart().length;
    const before = around.find((marker) => piece.startsWith(marker, space));
    const after = around.find((marker) => piece.trimEnd().endsWith(marker));
    if (before && space + before.length < piece.length) start += space + before.length;
    else if (after && !isCloserOfCall(piece, after)) end = start + piece.trimEnd().length - after.length;
    else return [start + space, start + Math.max(space, piece.trimEnd().length)];
  }
}

/** Whether the marker closes the call itself, although the dialect may also drop it: then its opener is in the text. */
function isCloserOfCall(piece: string, marker: string): boolean {
  return marker.startsWith('</') && piece.includes(`<${marker.slice(2, -1)}`);
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
