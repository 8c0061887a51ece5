// Inspect: the gateway's last exchanges, live, and one of them in full.

import { createEffect, createMemo, createSignal, onCleanup, Show } from 'solid-js';
import { KeyField } from '../../gateway/key-field.jsx';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { OptionList } from '../../parts/option-list.jsx';
import { whenChanged } from '../../parts/when-changed.js';
import type { PageView, ViewProps } from '../../view.js';
import { filtered, modelsIn } from './exchange-list.js';
import { ExchangeTable } from './exchange-table.jsx';
import { ExchangeView } from './exchange-view.jsx';
import { createFeed } from './feed.js';
import { type InspectState, toInspectState } from './state.js';
import './inspect.css';

export const inspectView: PageView = {
  name: 'inspect',
  title: 'Inspect',
  about:
    'The last exchanges of this gateway, as they happen: what was asked, what the model wrote, what was read.',
  Component: Inspect,
};

function Inspect(props: ViewProps) {
  const [state, setState] = createSignal(toInspectState(props.state));
  const change = (more: Partial<InspectState>) => setState({ ...state(), ...more });
  whenChanged(
    () => props.state,
    (linked) => linked !== undefined && setState(toInspectState(linked)),
  );
  createEffect(() => props.keep(state()));
  let whole!: HTMLDivElement;
  /** Closes the exchange and moves the focus to its row in the list; or to this view, if there is no list yet. */
  const close = () => {
    const row = document.querySelector<HTMLElement>('.exchanges [aria-pressed="true"]');
    change({ id: '' });
    (row ?? whole).focus();
  };
  const feed = createFeed();
  onCleanup(feed.stop);
  feed.start();
  const shown = createMemo(() => filtered(feed.list()?.exchanges ?? [], state()));
  return (
    <div class="inspect gateway-view" ref={whole} tabindex={-1}>
      <KeyField
        needed={['key', 'admin'].includes(feed.trouble()?.kind ?? '')}
        onUse={() => {
          feed.stop();
          feed.start();
        }}
      />
      <TroubleNote trouble={feed.trouble()} again={feed.start} />
      <Show when={feed.list()}>
        {(list) => (
          <>
            <Controls feed={feed} state={state()} change={change} />
            <p class="faint" role="status">
              {countLine(shown().length, list().exchanges.length, list().keep, feed.live())}
            </p>
            <ExchangeTable exchanges={shown()} chosen={state().id} choose={(id) => change({ id })} />
          </>
        )}
      </Show>
      <Show when={state().id} keyed>
        {(id) => (
          <ExchangeView
            id={id}
            summary={feed.list()?.exchanges.find((one) => one.id === id)}
            close={close}
            read={(found) => props.open('read', found)}
          />
        )}
      </Show>
    </div>
  );
}

function countLine(shown: number, all: number, keep: number, live: boolean): string {
  const which = shown === all ? `${all} of at most ${keep}` : `${shown} of ${all}`;
  return `${which} exchanges. ${live ? 'New ones appear by themselves.' : 'Paused.'}`;
}

function Controls(props: {
  feed: ReturnType<typeof createFeed>;
  state: InspectState;
  change(more: Partial<InspectState>): void;
}) {
  const models = () => {
    const listed = modelsIn(props.feed.list()?.exchanges ?? []);
    // A model that a link names may have no exchange yet.
    return [...new Set([...listed, props.state.model])].filter((name) => name !== '');
  };
  return (
    <div class="flow inspect-controls">
      <label>
        Model{' '}
        <select onChange={(event) => props.change({ model: event.currentTarget.value })}>
          <OptionList of={[['', 'all'], ...models()]} chosen={props.state.model} />
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={props.state.issues}
          onChange={(event) => props.change({ issues: event.currentTarget.checked })}
        />{' '}
        Only with issues
      </label>
      <button type="button" onClick={() => (props.feed.live() ? props.feed.stop() : props.feed.start())}>
        {props.feed.live() ? 'Pause' : 'Resume'}
      </button>
    </div>
  );
}
