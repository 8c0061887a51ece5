// The rows of the time line: the events of an exchange in order, each with its time.

import type { AttemptRecord, ExchangeRecord, ParseRecord } from '@dragoman/gateway';
import type { CharacterKind } from '../../reading/index.js';
import { words } from '../../words/words.js';

export interface TimeLineRow {
  /** Milliseconds since the exchange began. */
  from: number;
  to: number;
  title: string;
  /** What it is about: a piece of text, a name, a reason. */
  detail: string;
  /** The colour; absent for events without text. */
  kind?: CharacterKind;
}

const MAX_ROWS = 300;
const MAX_DETAIL = 120;

/** Gives the rows to show, the number of those that are not, and where the time line ends. */
export function timeLine(record: ExchangeRecord) {
  const said = words().inspect.timeLine;
  const rows = [
    row(0, said.arrived, `${record.api}${record.stream ? said.streamed : ''}`),
    ...record.attempts.flatMap(attemptRows),
    ...(record.firstByte === undefined ? [] : [row(record.firstByte, said.firstByte, '')]),
    ...(record.duration === undefined
      ? []
      : [row(record.duration, endTitle(record), record.error?.message ?? '')]),
  ];
  rows.sort((a, b) => a.from - b.from);
  const end = Math.max(record.duration ?? 0, ...rows.slice(-MAX_ROWS).map(({ to }) => to), 1);
  return { rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS), end };
}

function endTitle({ left, error }: ExchangeRecord): string {
  const said = words().inspect.timeLine;
  if (left) return said.left;
  return error ? said.failed : said.complete;
}

function attemptRows({ attempt, at, textAt, text, events, reasons }: AttemptRecord): TimeLineRow[] {
  const said = words().inspect.timeLine;
  const first = row(at, attempt === 0 ? said.asked : said.askedAgain, '');
  const last = textAt ? [span(textAt, said.text, said.characters(text.length))] : [];
  const why = reasons ? [row(events.at(-1)?.at[1] ?? at, said.notGood, reasons.join(' '))] : [];
  return [first, ...last, ...events.map((event) => eventRow(event, text)), ...why];
}

const kinds: Record<string, CharacterKind> = {
  'text-delta': 'text',
  'reasoning-delta': 'reasoning',
  'call-start': 'call-name',
  'call-delta': 'argument',
  'call-end': 'markup',
  'call-error': 'at-fault',
  markup: 'markup',
};

function eventRow(event: ParseRecord, text: string): TimeLineRow {
  const titles: Record<string, string> = words().inspect.timeLine.events;
  const title = (Object.hasOwn(titles, event.type) && titles[event.type]) || event.type;
  const kind = (Object.hasOwn(kinds, event.type) && kinds[event.type]) || 'markup';
  const faults = event.issues?.length ? 'at-fault' : event.repairs?.length ? 'repaired' : kind;
  return { ...span(event.at, title, detailOf(event, text)), kind: faults };
}

function detailOf({ type, name, range: [start, end], text: own }: ParseRecord, text: string): string {
  if (type === 'call-start') return name ?? '';
  return own ?? text.slice(start, Math.min(end, start + MAX_DETAIL + 1));
}

function row(at: number, title: string, detail: string): TimeLineRow {
  return span([at, at], title, detail);
}

function span([from, to]: readonly [number, number], title: string, detail: string): TimeLineRow {
  const short = detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail;
  return { from, to, title, detail: short.replaceAll('\n', '↵') };
}
