// Reads what a model wrote in a turn, and keeps its words with the message: a renderer writes them again unchanged.

import {
  type AssistantMessage,
  type Issue,
  type ParseEvent,
  type Repair,
  type RepairCode,
  setWritten,
  type WrittenTurn,
} from '../model/index.js';
import { makeConstant } from '../model/repeated-values.js';
import { isBreak } from '../text/characters.js';
import type { Dialect } from './dialect.js';
import { defineMarkers, type MarkerSet } from './markers.js';
import { collect } from './parse.js';
import { createParser } from './parser.js';
import type { ParserOptions } from './parser-options.js';
import { Writer } from './writer.js';

export interface ReadTurn {
  /** It cannot be changed. In a conversation it is written again as the model wrote it. */
  message: AssistantMessage;
  issues: Issue[];
  repairs: Repair[];
}

/** Reads a whole turn. One with issues is written again as it was read, not as the model wrote it. */
export function readTurn(dialect: Dialect, text: string, options: ParserOptions = {}): ReadTurn {
  const parser = createParser(dialect, options);
  const events = [...parser.feed(text), ...parser.finish()];
  const { parts, issues, repairs } = collect(events);
  const message: AssistantMessage = makeConstant({ role: 'assistant', parts });
  if (issues.length > 0) return { message, issues, repairs };
  const place = new ReasoningPlace();
  for (const event of events) place.pass(event);
  setWritten(message, writtenTurn(dialect, text, { inside: options.thinking ?? false, place }));
  return { message, issues, repairs };
}

/** Where the reasoning of a turn ends, found while its events pass. */
export class ReasoningPlace {
  /** The end of the last reasoning. */
  #end = 0;
  #content = false;
  #mixed = false;

  pass({ type, range, ...event }: ParseEvent): void {
    if (type === 'reasoning-delta') {
      if (this.#content) this.#mixed = true;
      this.#end = range[1];
    } else if (type === 'text-delta') this.#content ||= 'text' in event && event.text.trim() !== '';
    else if (type !== 'markup') this.#content = true;
  }

  /** Gives where text and calls begin; undefined if reasoning comes after them. */
  bodyOf(text: string, inside: boolean, { traits: { reasoning } }: Dialect): number | undefined {
    if (this.#mixed) return undefined;
    if (!reasoning || (this.#end === 0 && !inside)) return 0;
    const close = text.indexOf(reasoning.close.trim(), this.#end);
    const isNext = close >= 0 && text.slice(this.#end, close).trim() === '';
    let body = isNext ? close + reasoning.close.trim().length : this.#end;
    while (isBreak(text.charCodeAt(body))) body++;
    return body;
  }
}

/** Gives the record of a turn that was read without an issue. */
export function writtenTurn(
  dialect: Dialect,
  text: string,
  { inside, place }: { inside: boolean; place: ReasoningPlace },
): WrittenTurn {
  const whole = withoutEnd(text, dialect);
  return {
    dialect: dialect.name,
    text: whole,
    inside,
    body: place.bodyOf(whole, inside, dialect),
    dividing: hasDividers(dialect, whole, inside),
  };
}

/** Removes the token that ends the turn, and tokens of a next turn behind it. */
function withoutEnd(text: string, { render: { stop }, grammar: { drop = [] } }: Dialect): string {
  const roles = drop.filter(({ repair = 'role-token' }) => repair === 'role-token');
  const tokens = [...stop, ...roles.map(({ marker }) => marker)];
  let whole = text;
  for (let rest = text.trimEnd(); ; rest = rest.trimEnd()) {
    const token = tokens.find((one) => rest.endsWith(one));
    if (token === undefined) return whole;
    rest = rest.slice(0, -token.length);
    if (stop.includes(token)) whole = rest;
  }
}

// --- markers that divide turns -------------------------------------------------------------------------

const dividersOf = new WeakMap<Dialect, MarkerSet>();

/**
 * Whether a marker with which turns are divided is in the content of a turn: in text, reasoning or arguments, or dropped.
 * The markers of a dialect's calls and reasoning may be there: they cannot end the turn.
 */
function hasDividers(dialect: Dialect, text: string, thinking: boolean): boolean {
  const dividers = dividersOf.get(dialect) ?? findDividers(dialect);
  dividersOf.set(dialect, dividers);
  if (!dividers.stands(text)) return false;
  // Only where turns and answers share their markers, or a turn holds what it should not: it is read again.
  const parser = createParser(dialect, { thinking });
  const events = [...parser.feed(text), ...parser.finish()];
  return dividers.stands(events.map((event) => contentOf(event, text)).join(''));
}

/** Gives the text, reasoning, name or arguments of an event, or the markup that was dropped. */
function contentOf(event: ParseEvent, text: string): string {
  if ('text' in event) return event.text;
  if (event.type === 'call-start') return event.name;
  const isDropped = event.repairs?.some(({ code }) => dropped.includes(code));
  return isDropped ? text.slice(...event.range) : '\n';
}

const dropped: readonly RepairCode[] = ['role-token', 'stray-closer', 'stray-marker'];

/** Gives all markers but those that only answers have. */
function findDividers(dialect: Dialect): MarkerSet {
  const answers = answerText(dialect);
  const turns = turnText(dialect);
  const { literals } = dialect.markers;
  return defineMarkers(literals.filter((one) => !answers.includes(one) || turns.includes(one)));
}

function answerText({ name, markers, render, traits }: Dialect): string {
  const out = new Writer(markers, 'exact', undefined, name);
  const call = { type: 'tool-call' as const, id: 'a', name: 'b', input: { c: 'd', e: 1 } };
  const { reasoning, textFrame } = traits;
  for (const frame of [reasoning, textFrame]) out.ours(frame?.open ?? '').ours(frame?.close ?? '');
  render.calls(out, [call, { ...call, id: 'f' }], { tools: [], afterText: false });
  return out.text;
}

/** Writes turns without an answer in them: what begins and ends them. */
function turnText({ name, markers, render }: Dialect): string {
  const out = new Writer(markers, 'exact', undefined, name);
  const system = { role: 'system' as const, parts: [{ type: 'text' as const, text: 'a' }] };
  const user = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'b' }] };
  const messages = [system, user, user];
  render.prompt?.(out, { messages, tools: [], toolChoice: 'auto' }, { generate: false });
  render.results(out, [{ type: 'tool-result', callId: 'c', name: 'd', output: 'e' }], { calls: [] });
  return out.text + render.stop.join('');
}
