// Reads what a model wrote in a turn, and keeps its words with the message: a renderer writes them again unchanged.

import { makeConstant } from '../model/constants.js';
import {
  type AssistantMessage,
  type Issue,
  type ParseEvent,
  type Repair,
  setWritten,
  type WrittenTurn,
} from '../model/index.js';
import { isBreak } from '../text/characters.js';
import type { Dialect } from './dialect.js';
import { defineMarkers, type MarkerSet } from './markers.js';
import { collect } from './parse.js';
import { createParser } from './parser.js';
import type { SharingOptions } from './parser-options.js';
import { Writer } from './writer.js';

export interface ReadTurn {
  /** It cannot be changed. In a conversation it is written again as the model wrote it. */
  message: AssistantMessage;
  issues: Issue[];
  repairs: Repair[];
}

/** Reads a whole turn. One with issues is written again as it was read, not as the model wrote it. */
export function readTurn(dialect: Dialect, text: string, options: SharingOptions = {}): ReadTurn {
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

/** What is known of a turn besides its text. */
interface TurnFacts {
  /** It begins inside reasoning. */
  inside: boolean;
  place: ReasoningPlace;
  /** The option `thinking` of the prompt before it, where that is known. */
  asked?: WrittenTurn['asked'];
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
  { inside, place, asked }: TurnFacts,
): WrittenTurn {
  const whole = withoutEnd(text, dialect);
  return {
    dialect: dialect.name,
    text: whole,
    inside,
    body: place.bodyOf(whole, inside, dialect),
    ...(asked && { asked }),
    dividing: hasDividers(dialect, whole),
  };
}

/** Removes the tokens at the end that are no part of an answer: the one that ends the turn, and those of a next one. */
function withoutEnd(text: string, dialect: Dialect): string {
  const { stop } = dialect.render;
  const tokens = [...stop, ...dividersIn(dialect).markers.literals];
  for (let whole = text; ; ) {
    const rest = whole.trimEnd();
    const token = tokens.find((one) => rest.endsWith(one));
    if (token === undefined) return whole;
    whole = rest.slice(0, -token.length);
  }
}

// --- markers that divide turns -------------------------------------------------------------------------

interface Dividers {
  /** Markers that no answer has. */
  markers: MarkerSet;
  /** A marker that answers have, too, with the word behind it that makes it the start of another turn. */
  starts: readonly string[];
}

const dividersOf = new WeakMap<Dialect, Dividers>();

/**
 * Whether the text has a marker with which turns are divided, anywhere: it may be in a place that is not read, such as a
 * comment. The markers of calls and reasoning may be there, since they cannot begin the turn of another.
 */
function hasDividers(dialect: Dialect, text: string): boolean {
  const { markers, starts } = dividersIn(dialect);
  const { literals } = dialect.markers;
  return markers.stands(text) || starts.some((start) => isWithin(text, start, literals)) || ROLE.test(text);
}

function dividersIn(dialect: Dialect): Dividers {
  const dividers = dividersOf.get(dialect) ?? findDividers(dialect);
  dividersOf.set(dialect, dividers);
  return dividers;
}

/** A role that is not the model's between two tokens, or alone on its line behind one, whatever the dialect's turns are. */
const ROLE = /[|｜]>\s?(?:system|user|developer|tool|human|observation)\s*(?:<[|｜]|\n)/;

/** Whether it is in the text before its end, where a model may close its own turn. */
function isWithin(text: string, start: string, literals: readonly string[]): boolean {
  const at = text.indexOf(start);
  if (at < 0) return false;
  let rest = text.slice(at + start.length).trimStart();
  for (;;) {
    const token = literals.find((one) => rest.startsWith(one));
    if (token === undefined) return rest !== '';
    rest = rest.slice(token.length).trimStart();
  }
}

function findDividers(dialect: Dialect): Dividers {
  const answers = answerText(dialect);
  const turns = turnText(dialect);
  const { literals } = dialect.markers;
  const shared = literals.filter((one) => answers.includes(one) && turns.includes(one));
  return {
    markers: defineMarkers(literals.filter((one) => !answers.includes(one))),
    starts: shared.flatMap((one) => wordsBehind(turns, one)).filter((start) => !answers.includes(start)),
  };
}

/** Gives each occurrence of the marker in the text, with the word behind it. */
function wordsBehind(text: string, marker: string): string[] {
  const pieces = text.split(marker).slice(1);
  const words = pieces.map((piece) => /^[a-z_]+/i.exec(piece)?.[0] ?? '');
  return [...new Set(words.filter((word) => word !== ''))].map((word) => marker + word);
}

function answerText({ name, markers, render, traits }: Dialect): string {
  const out = new Writer(markers, 'exact', undefined, name);
  const inputs = [{ a: 'b', c: 1 }, { d: 1, e: 'f' }, { g: ['h'], i: { j: 'k' } }, {}];
  const calls = inputs.map((input, at) => ({ type: 'tool-call' as const, id: `${at}`, name: 'l', input }));
  const { reasoning, textFrame } = traits;
  for (const frame of [reasoning, textFrame]) out.ours(frame?.open ?? '').ours(frame?.close ?? '');
  render.calls(out, calls, { tools: [], afterText: false });
  return out.text;
}

/** A content that is no word. */
const CONTENT = '.';

/** Writes turns without an answer in them: what begins and ends them. */
function turnText({ name, markers, render }: Dialect): string {
  const out = new Writer(markers, 'exact', undefined, name);
  const parts = [{ type: 'text' as const, text: CONTENT }];
  const messages = [
    { role: 'system' as const, parts },
    { role: 'user' as const, parts },
    { role: 'user' as const, parts },
  ];
  render.prompt?.(out, { messages, tools: [], toolChoice: 'auto' }, { generate: false });
  const result = { type: 'tool-result' as const, callId: CONTENT, name: CONTENT, output: CONTENT };
  render.results(out, [result], { calls: [] });
  return out.text;
}
