// Merges neighbouring events of the same kind, and the issues and repairs on them.

import type { Issue, ParseEvent, Repair } from '../model/index.js';

/** Merges `event` into `last` if they are adjacent and of the same kind, so held text costs only its length. */
export function mergeInto(last: ParseEvent, event: ParseEvent): boolean {
  if (last.type !== event.type || last.range[1] !== event.range[0]) return false;
  if (last.type === 'markup') joinNotes(last, event);
  else if (last.type === 'text-delta' && event.type === 'text-delta') {
    if (last.aside !== event.aside) return false;
    last.text += event.text;
  } else if (last.type === 'reasoning-delta' && event.type === 'reasoning-delta') last.text += event.text;
  else if (last.type === 'call-delta' && event.type === 'call-delta') {
    if (last.id !== event.id) return false;
    last.text += event.text;
  } else return false;
  last.range = [last.range[0], event.range[1]];
  return true;
}

/** Turns repairs into issues, for the option `strict`. The parsed result is the same. */
export function repairsToIssues(event: ParseEvent): void {
  const found: Issue[] = (event.repairs ?? []).map(({ code, range }) => ({
    code: `strict:${code}` as const,
    range,
    message: `Read generously: ${code}.`,
  }));
  event.issues = [...(event.issues ?? []), ...found];
  delete event.repairs;
}

/**
 * Appends to the existing lists: copying them for every note would take quadratic time. Equal repairs stay apart, for
 * they may also come in two events, and the list must not depend on the chunks.
 */
function joinNotes(last: ParseEvent, event: ParseEvent): void {
  if (event.issues) last.issues = last.issues ? append(last.issues, event.issues) : event.issues;
  if (event.repairs) last.repairs = last.repairs ? append(last.repairs, event.repairs) : event.repairs;
}

function append<T>(list: T[], more: readonly T[]): T[] {
  for (const item of more) list.push(item);
  return list;
}

export function addRepair(repairs: Repair[], repair: Repair): void {
  if (!growRepair(repairs, repair)) repairs.push(repair);
}

/** Extends the last repair if it has the same code and is adjacent, so the list does not depend on the chunks. */
export function growRepair(repairs: Repair[], { code, range }: Repair): boolean {
  const last = repairs.at(-1);
  const touches = last?.code === code && last.range[1] === range[0];
  if (!last || !touches || last.range[0] === last.range[1] || range[0] === range[1]) return false;
  last.range = [last.range[0], range[1]];
  return true;
}
