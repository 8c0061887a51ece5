// One text as one dialect reads it, and how much sense that makes.

import {
  type CallEnd,
  type CallError,
  createParser,
  type Dialect,
  type Issue,
  type ParseEvent,
  type Range,
  type Repair,
} from '@dragoman/core';
import { byPlace } from './by-place.js';
import type { Marker } from './find-markers.js';

export interface Reading {
  dialect: Dialect;
  /** Read as if the prompt had ended inside the reasoning. */
  thinking: boolean;
  events: ParseEvent[];
  calls: CallEnd[];
  /** Calls that were seen and cannot be run. */
  lost: CallError[];
  issues: Issue[];
  repairs: Repair[];
  /** Markers of any dialect that were taken for plain text. */
  left: Marker[];
}

export interface ReadOptions {
  tools?: unknown;
  /** Absent: told from the text. */
  thinking?: boolean | undefined;
}

export function readText(
  dialect: Dialect,
  text: string,
  markers: readonly Marker[],
  options: ReadOptions,
): Reading {
  const thinking = options.thinking ?? closesUnopenedThought(dialect, text);
  const { tools } = options;
  const parser = createParser(dialect, { thinking, ...(tools !== undefined && { tools }) });
  const events = merged([...parser.feed(text), ...parser.finish()]);
  const reading: Reading = {
    dialect,
    thinking,
    events,
    calls: [],
    lost: [],
    issues: [],
    repairs: [],
    left: [],
  };
  for (const event of events) {
    reading.issues.push(...(event.issues ?? []));
    reading.repairs.push(...(event.repairs ?? []));
    if (event.type === 'call-end') reading.calls.push(event);
    if (event.type === 'call-error') reading.lost.push(event);
  }
  reading.issues.sort(byPlace);
  reading.repairs.sort(byPlace);
  reading.left = leftIn(events, markers);
  return reading;
}

/** A thought that ends and never begins was begun by the prompt. */
function closesUnopenedThought({ traits: { reasoning } }: Dialect, text: string): boolean {
  if (!reasoning) return false;
  const close = text.indexOf(reasoning.close);
  const open = text.indexOf(reasoning.open);
  return close >= 0 && (open < 0 || close < open);
}

/** Text in one piece: where it was cut says nothing here. */
function merged(events: readonly ParseEvent[]): ParseEvent[] {
  const all: ParseEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (last?.type === 'markup' && event.type === 'markup' && !event.issues && !event.repairs)
      last.range = [last.range[0], event.range[1]];
    else all.push(event);
  }
  return all;
}

/** The markers that begin in plain text. Both lists are in order, so one walk does. */
function leftIn(events: readonly ParseEvent[], markers: readonly Marker[]): Marker[] {
  const left: Marker[] = [];
  let at = 0;
  for (const { type, range } of events) {
    while (startOf(markers[at]) < range[0]) at++;
    for (; startOf(markers[at]) < range[1]; at++) if (type === 'text-delta') left.push(markers[at] as Marker);
  }
  return left;
}

function startOf(marker: { range: Range } | undefined): number {
  return marker?.range[0] ?? Number.POSITIVE_INFINITY;
}
