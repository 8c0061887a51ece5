// One exchange in full: its facts, a verdict, where the time went, and in tabs the raw text, the request, the prompt, the
// answer and the events.

import type { AttemptRecord, ExchangeRecord, ExchangeSummary } from '@dragoman/gateway';
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  Index,
  Match,
  on,
  onCleanup,
  onMount,
  Show,
  Switch,
} from 'solid-js';
import { AnswerView } from '../../gateway/answer-view.jsx';
import { ownGateway } from '../../gateway/own-gateway.js';
import { ReportView } from '../../gateway/report-view.jsx';
import { toReport } from '../../gateway/report-words.js';
import { attemptSegments, recordTools, toReadState } from '../../gateway/to-read-state.js';
import { type Trouble, toTrouble } from '../../gateway/trouble.js';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { copyText } from '../../parts/copy-text.js';
import { JsonTreeView } from '../../parts/json-tree-view.jsx';
import { Tabs } from '../../parts/tabs.jsx';
import type { ReadState } from '../../view.js';
import { words } from '../../words/words.js';
import { asCurl } from './as-curl.js';
import { Prompt, RawText } from './attempt-view.jsx';
import { toneOf } from './exchange-list.js';
import { refresher } from './refresher.js';
import { timeLine } from './time-line.js';
import { type WaterfallRow, waterfall } from './waterfall.js';
import { durationWords, isCount, prefixWords, resultWords, statusWords } from './words.js';

export interface ExchangeViewProps {
  id: string;
  /** Its summary in the list, which changes while the exchange is open. */
  summary: ExchangeSummary | undefined;
  close(): void;
  /** Opens the next or the previous exchange of the list. */
  move(by: 1 | -1): void;
  read(state: ReadState): void;
}

const tabs = ['raw', 'request', 'prompt', 'answer', 'events'] as const;
type TabName = (typeof tabs)[number];

/** The tab that was opened last, for the next exchange. */
const [tab, setTab] = createSignal<TabName>('raw');

export function ExchangeView(props: ExchangeViewProps) {
  const head = createUniqueId();
  let heading!: HTMLHeadingElement;
  const [record, setRecord] = createSignal<ExchangeRecord>();
  const [trouble, setTrouble] = createSignal<Trouble>();
  const { refresh, stop } = refresher(async () => {
    try {
      setRecord(await ownGateway().exchange(props.id));
      setTrouble(undefined);
    } catch (error) {
      setTrouble(toTrouble(error));
    }
  });
  onCleanup(stop);
  createEffect(on(() => props.summary, refresh));
  // Where the list is not beside it, it has taken its place.
  onMount(() => {
    if (matchMedia('(max-width: 56rem)').matches) heading.focus();
  });
  return (
    <section class="box exchange" aria-labelledby={head}>
      <div class="exchange-head">
        <h2 id={head} ref={heading} tabindex="-1">
          {words().inspect.exchange} <code>{props.id}</code>
        </h2>
        <button type="button" aria-label={words().inspect.previous} onClick={() => props.move(-1)}>
          ↑
        </button>
        <button type="button" aria-label={words().inspect.next} onClick={() => props.move(1)}>
          ↓
        </button>
        <button type="button" onClick={() => props.close()}>
          {words().inspect.close}
        </button>
      </div>
      <TroubleNote trouble={trouble()} />
      <Show when={record()} fallback={<p class="faint">{trouble() ? '' : words().page.loading}</p>}>
        {(found) => <Found record={found()} read={props.read} />}
      </Show>
    </section>
  );
}

function Found(props: { record: ExchangeRecord; read(state: ReadState): void }) {
  const last = () => props.record.attempts.at(-1);
  const title = (name: TabName) => ({
    name,
    title: words().inspect.tabs[name],
    amount: name === 'events' ? timeLine(props.record).rows.length : undefined,
  });
  return (
    <>
      <Facts record={props.record} />
      <Verdict record={props.record} />
      <WaterfallView record={props.record} />
      <Actions record={props.record} last={last()} read={props.read} />
      <Tabs
        id="exchange"
        label={words().inspect.exchange}
        tabs={tabs.map(title)}
        chosen={tab()}
        onChoose={setTab}
      >
        <Show when={props.record.cut.length > 0}>
          <p class="faint">{words().inspect.cut(props.record.cut.join(', '))}</p>
        </Show>
        <Switch>
          <Match when={tab() === 'raw'}>
            <Attempts record={props.record}>
              {(attempt, which) => <RawText attempt={attempt()} which={which()} open={props.record.open} />}
            </Attempts>
          </Match>
          <Match when={tab() === 'request'}>
            <Show when={props.record.request} fallback={<p class="faint">{words().inspect.noRequest}</p>}>
              {(request) => (
                <JsonTreeView
                  label={words().inspect.tabs.request}
                  json={JSON.stringify(request())}
                  levels={2}
                />
              )}
            </Show>
          </Match>
          <Match when={tab() === 'prompt'}>
            <Attempts record={props.record}>
              {(attempt, which) => <Prompt attempt={attempt()} which={which()} />}
            </Attempts>
          </Match>
          <Match when={tab() === 'answer'}>
            <Index each={props.record.answer} fallback={<p class="faint">{words().inspect.nothing}</p>}>
              {(answer) => <AnswerView answer={answer()} open={props.record.open} />}
            </Index>
            <Show when={toReport(props.record.report)}>{(report) => <ReportView report={report()} />}</Show>
          </Match>
          <Match when={tab() === 'events'}>
            <EventList record={props.record} />
          </Match>
        </Switch>
      </Tabs>
    </>
  );
}

/** What the model was sent and wrote, for each time that it was asked. It changes while the exchange is open. */
function Attempts(props: {
  record: ExchangeRecord;
  children(attempt: () => AttemptRecord, which: () => string): ReturnType<typeof RawText>;
}) {
  const count = () => props.record.attempts.length;
  const none = () => (isCount(props.record) ? words().inspect.onlyCounted : words().inspect.passedThrough);
  return (
    <Index each={props.record.attempts} fallback={<p class="faint">{none()}</p>}>
      {(attempt, at) => props.children(attempt, () => (count() > 1 ? words().inspect.attempt(at + 1) : ''))}
    </Index>
  );
}

function Actions(props: {
  record: ExchangeRecord;
  last: AttemptRecord | undefined;
  read(state: ReadState): void;
}) {
  const [status, setStatus] = createSignal('');
  const read = (attempt: AttemptRecord) => {
    const { dialect, request } = props.record;
    const tools = recordTools(request);
    props.read(
      toReadState({ text: attempt.text, dialect, tools, segments: attemptSegments(attempt.events) }),
    );
  };
  const copy = async () => {
    const command = await asCurl(props.record, new URL('.', document.baseURI).href);
    if (command === undefined) return setStatus(words().inspect.noCurl);
    setStatus((await copyText(command)) ? words().page.copied : words().page.cannotCopy);
  };
  return (
    <div class="flow exchange-actions">
      <Show when={props.last?.text ? props.last : undefined}>
        {(attempt) => (
          <button type="button" class="main" onClick={() => read(attempt())}>
            {words().inspect.openInRead}
          </button>
        )}
      </Show>
      <button type="button" onClick={() => void copy()}>
        {words().inspect.curl}
      </button>
      <span class="faint" role="status">
        {status()}
      </span>
    </div>
  );
}

function Verdict(props: { record: ExchangeRecord }) {
  const title = () => {
    const { issues, repairs, reasks, open, error, left, received } = props.record;
    const { inspect } = words();
    if (open) return inspect.writing(received);
    if (error) return error.message;
    if (left) return inspect.left;
    if (reasks > 0) return inspect.askedAgain(reasks);
    if (issues > 0) return inspect.withIssues(issues);
    const what = resultWords(props.record);
    if (isCount(props.record)) return `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
    return repairs > 0 ? inspect.mended(what, repairs) : inspect.clean(what);
  };
  const reasons = () => props.record.attempts.flatMap(({ reasons }) => reasons ?? []).join(' ');
  return (
    <div class="exchange-verdict">
      <span class={`dot ${toneOf(props.record)}`} aria-hidden="true" />
      <div>
        <b>{title()}</b>
        <Show when={reasons()}>
          <p>{reasons()}</p>
        </Show>
      </div>
    </div>
  );
}

function Facts(props: { record: ExchangeRecord }) {
  const facts = (): [string, string | undefined][] => {
    const one = props.record;
    const { facts } = words().inspect;
    return [
      [facts.model, one.model],
      [facts.dialect, one.dialect],
      [facts.status, statusWords(one)],
      [facts.firstByte, durationWords(one.firstByte)],
      [facts.duration, one.duration === undefined ? undefined : durationWords(one.duration)],
      [facts.tokens, one.usage && words().inspect.tokens(one.usage)],
      [facts.received, words().inspect.characters(one.received)],
      [facts.api, one.api],
      [facts.key, one.key],
      [facts.upstream, one.upstream],
      [facts.prefix, one.prefix && prefixWords(one.prefix)],
      [facts.refused, one.toolsRefused],
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

/** Where the time went: each row with a bar over the whole width. */
function WaterfallView(props: { record: ExchangeRecord }) {
  const fall = createMemo(() => waterfall(props.record));
  return (
    <Show when={fall().rows.length > 0}>
      <ol class="waterfall" aria-label={words().inspect.waterfall}>
        <Index each={fall().rows}>{(row) => <Bar row={row()} end={fall().end} />}</Index>
      </ol>
      <Show when={fall().more > 0}>
        <p class="faint">{words().notes.more(fall().more)}</p>
      </Show>
    </Show>
  );
}

function Bar(props: { row: WaterfallRow; end: number }) {
  const title = () =>
    props.row.type === 'call'
      ? props.row.detail || words().calls.noName
      : `${words().inspect.waterfallRows[props.row.type]} ${props.row.detail}`.trim();
  return (
    <li>
      <span class="waterfall-title" title={title()}>
        {title()}
      </span>
      <span class="waterfall-bar" aria-hidden="true">
        <span
          class={props.row.kind ?? props.row.type}
          style={{
            left: `${Math.min(99.5, (100 * props.row.from) / props.end)}%`,
            width: `${Math.max(0.5, (100 * (props.row.to - props.row.from)) / props.end)}%`,
          }}
        />
      </span>
      <span class="waterfall-time">{durationWords(props.row.to - props.row.from)}</span>
    </li>
  );
}

/** Every event in the order of time. */
function EventList(props: { record: ExchangeRecord }) {
  const line = createMemo(() => timeLine(props.record));
  return (
    <>
      <ol class="time-line">
        <Index each={line().rows}>
          {(row) => (
            <li>
              <span class="time-line-at">{row().from.toFixed(0)} ms</span>
              <span class={`time-line-title ${row().kind ? `read-as ${row().kind}` : ''}`}>
                {row().title}
              </span>
              <code class="time-line-detail">{row().detail}</code>
              <span class="time-line-for">
                {row().to > row().from ? `${(row().to - row().from).toFixed(0)} ms` : ''}
              </span>
            </li>
          )}
        </Index>
      </ol>
      <Show when={line().more > 0}>
        <p class="faint">{words().notes.more(line().more)}</p>
      </Show>
    </>
  );
}
