// The time line: a list in the order of time, each row with a bar that shows when and how long.

import type { ExchangeRecord } from '@dragoman/gateway';
import { createMemo, Index, Show } from 'solid-js';
import { type TimeLineRow, timeLine } from './time-line.js';

export function TimeLineView(props: { record: ExchangeRecord }) {
  const line = createMemo(() => timeLine(props.record));
  return (
    <>
      <ol class="time-line">
        <Index each={line().rows}>{(row) => <RowView row={row()} end={line().end} />}</Index>
      </ol>
      <Show when={line().more > 0}>
        <p class="faint">{line().more} more are not shown.</p>
      </Show>
    </>
  );
}

function RowView(props: { row: TimeLineRow; end: number }) {
  const left = () => (100 * props.row.from) / props.end;
  const width = () => (100 * (props.row.to - props.row.from)) / props.end;
  return (
    <li>
      <span class="time-line-at">{props.row.from.toFixed(0)} ms</span>
      <span class="time-line-bar" aria-hidden="true">
        <span
          style={{
            left: `${Math.min(left(), 99.5)}%`,
            width: `${Math.max(width(), 0.5)}%`,
            background: `var(--${props.row.kind ?? 'accent'})`,
          }}
        />
      </span>
      <span class="time-line-title">{props.row.title}</span>
      <Show when={props.row.detail}>
        <code class="time-line-detail">{props.row.detail}</code>
      </Show>
      <Show when={props.row.to > props.row.from}>
        <span class="time-line-for">for {(props.row.to - props.row.from).toFixed(0)} ms</span>
      </Show>
    </li>
  );
}
