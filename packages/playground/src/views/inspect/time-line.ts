// The rows of the time line: the events of an exchange in order, each with its time.

import type { AttemptRecord, ExchangeRecord, ParseRecord } from '@dragoman/gateway';
import type { CharacterKind } from '../../reading/index.js';

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
  const rows = [
    row(0, 'Request arrived', `${record.api}${record.stream ? ', streamed' : ''}`),
    ...record.attempts.flatMap(attemptRows),
    ...(record.firstByte === undefined ? [] : [row(record.firstByte, 'First byte to the client', '')]),
    ...(record.duration === undefined
      ? []
      : [row(record.duration, endTitle(record), record.error?.message ?? '')]),
  ];
  rows.sort((a, b) => a.from - b.from);
  const end = Math.max(record.duration ?? 0, ...rows.slice(-MAX_ROWS).map(({ to }) => to), 1);
  return { rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS), end };
}

function endTitle({ left, error }: ExchangeRecord): string {
  if (left) return 'The client went away';
  return error ? 'Failed' : 'Answer complete';
}

function attemptRows({ attempt, at, textAt, text, events, reasons }: AttemptRecord): TimeLineRow[] {
  const first = row(at, attempt === 0 ? 'Asked the model' : 'Asked the model again', '');
  const last = textAt ? [span(textAt, 'Text arrived', `${text.length} characters`)] : [];
  const why = reasons ? [row(events.at(-1)?.at[1] ?? at, 'Not good enough', reasons.join(' '))] : [];
  return [first, ...last, ...events.map((event) => eventRow(event, text)), ...why];
}

const titles: Record<string, [title: string, kind: CharacterKind]> = {
  'text-delta': ['Text', 'text'],
  'reasoning-delta': ['Reasoning', 'reasoning'],
  'call-start': ['Call begins', 'call-name'],
  'call-delta': ['Arguments', 'argument'],
  'call-end': ['Call complete', 'markup'],
  'call-error': ['Call failed', 'at-fault'],
  markup: ['Markup', 'markup'],
};

function eventRow(event: ParseRecord, text: string): TimeLineRow {
  const [title, kind] = (Object.hasOwn(titles, event.type) && titles[event.type]) || [event.type, 'markup'];
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
