// Inspect: the gateway's last exchanges, live, and one of them beside the list.

import { createEffect, createMemo, createSignal, onCleanup, Show } from 'solid-js';
import { KeyField } from '../../gateway/key-field.jsx';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { OptionList } from '../../parts/option-list.jsx';
import { addShortcuts } from '../../parts/shortcuts.js';
import { whenChanged } from '../../parts/when-changed.js';
import type { ViewProps } from '../../view.js';
import { words } from '../../words/words.js';
import { filtered, valuesIn } from './exchange-list.js';
import { ExchangeRows } from './exchange-rows.jsx';
import { ExchangeView } from './exchange-view.jsx';
import { createFeed } from './feed.js';
import { sendSample } from './send-sample.js';
import { type InspectState, toInspectState } from './state.js';
import './inspect.css';

export default function Inspect(props: ViewProps) {
  const [state, setState] = createSignal(toInspectState(props.state));
  const change = (more: Partial<InspectState>) => setState({ ...state(), ...more });
  whenChanged(
    () => props.state,
    (linked) => linked !== undefined && setState(toInspectState(linked)),
  );
  createEffect(() => props.keep(state()));
  let whole!: HTMLDivElement;
  const row = () => whole.querySelector<HTMLElement>('.exchange-rows [aria-pressed="true"]');
  /** Closes the exchange and moves the focus to its row in the list. */
  const close = () => {
    const last = row();
    change({ id: '' });
    (last ?? whole).focus();
  };
  const feed = createFeed();
  onCleanup(feed.stop);
  feed.start();
  const all = () => feed.list()?.exchanges ?? [];
  const shown = createMemo(() => filtered(all(), state()));
  const move = (by: 1 | -1) => {
    const at = shown().findIndex(({ id }) => id === state().id);
    const next = shown()[at < 0 ? 0 : at + by];
    if (!next) return;
    change({ id: next.id });
    row()?.scrollIntoView({ block: 'nearest' });
  };
  addShortcuts([
    { key: 'j', words: () => words().inspect.next, run: () => move(1) },
    { key: 'k', words: () => words().inspect.previous, run: () => move(-1) },
  ]);
  return (
    <div
      class="inspect gateway-view"
      classList={{ 'has-detail': state().id !== '' }}
      ref={whole}
      tabindex={-1}
    >
      <Controls feed={feed} state={state()} change={change} />
      <TroubleNote trouble={feed.trouble()} again={feed.start} />
      <Show when={feed.list()}>
        {(list) => (
          <div class="inspect-columns">
            <section class="box inspect-list" aria-label={words().inspect.list}>
              <div class="inspect-search">
                <input
                  type="search"
                  aria-label={words().inspect.search}
                  placeholder={words().inspect.search}
                  value={state().search}
                  onInput={(event) => change({ search: event.currentTarget.value })}
                />
                <p class="faint" role="status">
                  {words().inspect.count(shown().length, all().length, list().keep, feed.live())}
                </p>
              </div>
              <Show when={shown().length > 0} fallback={<Nothing filtered={all().length > 0} />}>
                <ExchangeRows exchanges={shown()} chosen={state().id} choose={(id) => change({ id })} />
              </Show>
            </section>
            <Show
              when={state().id}
              keyed
              fallback={<p class="box inspect-hint faint">{words().inspect.choose}</p>}
            >
              {(id) => (
                <ExchangeView
                  id={id}
                  summary={all().find((one) => one.id === id)}
                  close={close}
                  move={move}
                  read={(found) => props.open('read', found)}
                />
              )}
            </Show>
          </div>
        )}
      </Show>
    </div>
  );
}

/** An empty list teaches how to fill it. */
function Nothing(props: { filtered: boolean }) {
  return <p class="inspect-nothing">{props.filtered ? words().inspect.noneMatch : words().inspect.none}</p>;
}

function Controls(props: {
  feed: ReturnType<typeof createFeed>;
  state: InspectState;
  change(more: Partial<InspectState>): void;
}) {
  const listed = () => props.feed.list()?.exchanges ?? [];
  // What a link names may have no exchange yet.
  const options = (name: 'model' | 'key', chosen: string) =>
    [...new Set([...valuesIn(listed(), name), chosen])].filter((one) => one !== '');
  const [status, setStatus] = createSignal('');
  const sample = async () => {
    setStatus(words().inspect.sending);
    setStatus((await sendSample()) ?? words().inspect.sent);
  };
  return (
    <div class="bar">
      <p class="about">{words().inspect.about}</p>
      <button
        type="button"
        aria-pressed={props.feed.live()}
        onClick={() => (props.feed.live() ? props.feed.stop() : props.feed.start())}
      >
        {props.feed.live() ? words().inspect.pause : words().inspect.resume}
      </button>
      <label class="chip">
        {words().inspect.model}
        <select onChange={(event) => props.change({ model: event.currentTarget.value })}>
          <OptionList
            of={[['', words().inspect.all], ...options('model', props.state.model)]}
            chosen={props.state.model}
          />
        </select>
      </label>
      <Show when={options('key', props.state.by).length > 0}>
        <label class="chip">
          {words().inspect.key}
          <select onChange={(event) => props.change({ by: event.currentTarget.value })}>
            <OptionList
              of={[['', words().inspect.all], ...options('key', props.state.by)]}
              chosen={props.state.by}
            />
          </select>
        </label>
      </Show>
      <label>
        <input
          type="checkbox"
          checked={props.state.issues}
          onChange={(event) => props.change({ issues: event.currentTarget.checked })}
        />{' '}
        {words().inspect.onlyIssues}
      </label>
      <label>
        <input
          type="checkbox"
          checked={props.state.slow}
          onChange={(event) => props.change({ slow: event.currentTarget.checked })}
        />{' '}
        {words().inspect.onlySlow}
      </label>
      <span class="rest faint" role="status">
        {status()}
      </span>
      <KeyField
        needed={['key', 'admin'].includes(props.feed.trouble()?.kind ?? '')}
        onUse={() => {
          props.feed.stop();
          props.feed.start();
        }}
      />
      <Show when={!props.feed.trouble()}>
        <button type="button" classList={{ main: listed().length === 0 }} onClick={() => void sample()}>
          {words().inspect.sample}
        </button>
      </Show>
    </div>
  );
}
