// Events as they are put together: neighbouring pieces join, notes gather on the event they belong to.

import type { Issue, ParseEvent, Repair } from '../model/index.js';

/** Joins two neighbouring pieces of the same kind, so that held text costs no more than its length. */
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

/** Under `strict` every leniency is an issue. The reading is the same. */
export function repairsToIssues(event: ParseEvent): void {
  const found: Issue[] = (event.repairs ?? []).map(({ code, range }) => ({
    code: `strict:${code}` as const,
    range,
    message: `Read generously: ${code}.`,
  }));
  event.issues = [...(event.issues ?? []), ...found];
  delete event.repairs;
}

/** Adds to the lists that are there: copying them for every note would cost the square of their number. */
function joinNotes(last: ParseEvent, event: ParseEvent): void {
  if (event.issues) last.issues = last.issues ? append(last.issues, event.issues) : event.issues;
  if (!event.repairs) return;
  if (!last.repairs) last.repairs = event.repairs;
  else for (const repair of event.repairs) addRepair(last.repairs, repair);
}

/** In place: a flood of notes on one event must not be copied for each of them. */
function append<T>(list: T[], more: readonly T[]): T[] {
  for (const item of more) list.push(item);
  return list;
}

export function addRepair(repairs: Repair[], repair: Repair): void {
  if (!growRepair(repairs, repair)) repairs.push(repair);
}

/** One leniency over neighbouring characters is one repair, however the text was cut. */
export function growRepair(repairs: Repair[], { code, range }: Repair): boolean {
  const last = repairs.at(-1);
  const touches = last?.code === code && last.range[1] === range[0];
  if (!last || !touches || last.range[0] === last.range[1] || range[0] === range[1]) return false;
  last.range = [last.range[0], range[1]];
  return true;
}
