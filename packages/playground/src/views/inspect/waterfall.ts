// The rows of the waterfall: where the time of an exchange went, one row for each wait, thought, text and call.

import type { AttemptRecord, ExchangeRecord, ParseRecord } from '@dragoman/gateway';
import type { CharacterKind } from '../../reading/index.js';

export interface WaterfallRow {
  /** Milliseconds since the exchange began. */
  from: number;
  to: number;
  type: 'wait' | 'again' | 'reasoning' | 'text' | 'call' | 'sent';
  /** The name of a call; the reason of a re-ask. */
  detail: string;
  /** The colour; absent for what is no text. */
  kind?: CharacterKind;
}

const MAX_ROWS = 40;

export function waterfall(record: ExchangeRecord): { rows: WaterfallRow[]; more: number; end: number } {
  const rows = record.attempts.flatMap(attemptRows);
  const { firstByte, duration } = record;
  if (firstByte !== undefined)
    rows.push({ from: firstByte, to: duration ?? firstByte, type: 'sent', detail: '' });
  const end = Math.max(duration ?? 0, ...rows.map(({ to }) => to), 1);
  return { rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS), end };
}

function attemptRows({ attempt, at, textAt, events, reasons }: AttemptRecord): WaterfallRow[] {
  const first = textAt?.[0] ?? events[0]?.at[0] ?? at;
  const wait: WaterfallRow = { from: at, to: first, type: attempt === 0 ? 'wait' : 'again', detail: '' };
  const rows = [wait];
  let call: WaterfallRow | undefined;
  for (const event of events) {
    call = callRow(event, call);
    if (event.type === 'call-start' || event.type === 'call-error') {
      if (call && !rows.includes(call)) rows.push(call);
    } else if (event.type === 'text-delta' || event.type === 'reasoning-delta') addText(rows, event);
    if (event.type === 'call-end' || event.type === 'call-error') call = undefined;
  }
  const last = rows.at(-1) as WaterfallRow;
  if (reasons && reasons.length > 0) last.detail = `${last.detail} ${reasons.join(' ')}`.trim();
  return rows;
}

/** A call grows from its name to its end. One that failed, or has an issue, is shown as such. */
function callRow(
  { type, at, name = '', issues }: ParseRecord,
  open?: WaterfallRow,
): WaterfallRow | undefined {
  if (type === 'call-start' || (type === 'call-error' && !open)) {
    const kind = type === 'call-error' ? 'at-fault' : 'call-name';
    return { from: at[0], to: at[1], type: 'call', detail: name, kind };
  }
  if (open) {
    open.to = Math.max(open.to, at[1]);
    if (type === 'call-error' || issues?.length) open.kind = 'at-fault';
  }
  return open;
}

/** White space between calls is no text of its own. */
function addText(rows: WaterfallRow[], { type, at, text, range }: ParseRecord): void {
  if (text !== undefined ? text.trim() === '' : range[1] - range[0] < 2) return;
  const kind = type === 'text-delta' ? 'text' : 'reasoning';
  rows.push({ from: at[0], to: at[1], type: kind, detail: '', kind });
}
