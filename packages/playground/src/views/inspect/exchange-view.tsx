// One exchange in full: request, prompt, raw text, events on a time line, answer.

import type { ExchangeRecord, ExchangeSummary } from '@dragoman/gateway';
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  Index,
  on,
  onCleanup,
  onMount,
  Show,
} from 'solid-js';
import { AnswerView } from '../../gateway/answer-view.jsx';
import { ownGateway } from '../../gateway/own-gateway.js';
import { ReportView } from '../../gateway/report-view.jsx';
import { toReport } from '../../gateway/report-words.js';
import { recordTools } from '../../gateway/to-read-state.js';
import { type Trouble, toTrouble } from '../../gateway/trouble.js';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { countWords } from '../../parts/count-words.js';
import { JsonTreeView } from '../../parts/json-tree-view.jsx';
import type { ReadState } from '../../view.js';
import { AttemptView } from './attempt-view.jsx';
import { Fold } from './fold.jsx';
import { refresher } from './refresher.js';
import { type TimeLineRow, timeLine } from './time-line.js';
import { durationWords, prefixWords, statusWords } from './words.js';

export interface ExchangeViewProps {
  id: string;
  /** Its summary in the list, which changes while the exchange is open. */
  summary: ExchangeSummary | undefined;
  close(): void;
  read(state: ReadState): void;
}

export function ExchangeView(props: ExchangeViewProps) {
  const head = createUniqueId();
  let heading!: HTMLHeadingElement;
  const [record, setRecord] = createSignal<ExchangeRecord>();
  const [trouble, setTrouble] = createSignal<Trouble>();
  const { refresh, stop } = refresher(async () => {
    try {
      const first = record() === undefined;
      setRecord(await ownGateway().exchange(props.id));
      setTrouble(undefined);
      // Only now is the page long enough to scroll there.
      if (first) bringIntoView(heading);
    } catch (error) {
      setTrouble(toTrouble(error));
    }
  });
  onCleanup(stop);
  createEffect(on(() => props.summary, refresh));
  onMount(() => {
    heading.focus({ preventScroll: true });
    bringIntoView(heading);
  });
  return (
    <section class="exchange" aria-labelledby={head}>
      <div class="flow exchange-head">
        <h2 id={head} ref={heading} tabindex="-1">
          Exchange <code>{props.id}</code>
        </h2>
        <button type="button" onClick={() => props.close()}>
          Close
        </button>
      </div>
      <TroubleNote trouble={trouble()} />
      <Show when={record()} fallback={<p class="faint">{trouble() ? '' : 'Loading …'}</p>}>
        {(found) => <Found record={found()} read={props.read} />}
      </Show>
    </section>
  );
}

/** Scrolls to the heading, unless it is in view. */
function bringIntoView(heading: HTMLElement): void {
  const { top } = heading.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.6) heading.scrollIntoView({ block: 'start' });
}

function Found(props: { record: ExchangeRecord; read(state: ReadState): void }) {
  const tools = () => recordTools(props.record.request);
  return (
    <>
      <Facts record={props.record} />
      <Show when={toReport(props.record.report)}>{(report) => <ReportView report={report()} />}</Show>
      <Show when={props.record.cut.length > 0}>
        <p class="faint">Too long to be kept whole: {props.record.cut.join(', ')}.</p>
      </Show>
      <Fold title="Request" about="as the gateway understood it">
        <Show when={props.record.request} fallback={<p class="faint">None that could be read.</p>}>
          {(request) => <JsonTreeView label="Request" json={JSON.stringify(request())} levels={2} />}
        </Show>
      </Fold>
      <Index each={props.record.attempts}>
        {(attempt, at) => (
          <AttemptView
            attempt={attempt()}
            count={props.record.attempts.length}
            number={at + 1}
            dialect={props.record.dialect}
            tools={tools()}
            open={props.record.open}
            read={props.read}
          />
        )}
      </Index>
      <Fold title="Time line" about="milliseconds since the request arrived" open>
        <TimeLineView record={props.record} />
      </Fold>
      <Fold title="Answer" about="what the client got" open>
        <Index each={props.record.answer} fallback={<p class="faint">Nothing.</p>}>
          {(answer) => <AnswerView answer={answer()} open={props.record.open} />}
        </Index>
      </Fold>
    </>
  );
}

function Facts(props: { record: ExchangeRecord }) {
  const facts = (): [string, string | undefined][] => {
    const one = props.record;
    return [
      ['Status', statusWords(one)],
      ['Error', one.error?.message],
      ['Model', one.model],
      ['Upstream', one.upstream],
      ['Dialect', one.dialect],
      ['API', one.api],
      ['Key', one.key],
      ['First byte', durationWords(one.firstByte)],
      ['Duration', one.duration === undefined ? undefined : durationWords(one.duration)],
      ['Received', `${countWords(one.received)} characters`],
      ['Tokens', one.usage && tokenWords(one.usage)],
      ['Prefix', one.prefix && prefixWords(one.prefix)],
      ['Tools refused', one.toolsRefused],
    ];
  };
  return (
    <dl class="facts">
      <For each={facts().filter(([, value]) => value !== undefined)}>
        {([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}

function tokenWords(usage: { inputTokens: number; outputTokens: number; estimated?: boolean }): string {
  const { inputTokens, outputTokens, estimated } = usage;
  return `${countWords(inputTokens)} in, ${countWords(outputTokens)} out${estimated ? ' (estimated)' : ''}`;
}

/** A list in the order of time, each row with a bar that shows when and how long. */
function TimeLineView(props: { record: ExchangeRecord }) {
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
