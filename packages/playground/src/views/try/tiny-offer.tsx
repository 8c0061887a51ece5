// Offers the tiny model in this browser: what it is, how large, and how far it is loaded.

import { Match, Show, Switch } from 'solid-js';
import { loadTinyHere, type TinyState, tinyState } from '../../tiny/browser-model.js';
import { browserModel } from '../../tiny/tiny-messages.js';
import { words } from '../../words/words.js';
import type { TrySession } from './session.js';

/** The dialect it begins with. */
const FIRST = 'hermes';

export function TinyOffer(props: { session: TrySession }) {
  const load = () => {
    void loadTinyHere().then(
      () => props.session.write({ model: browserModel(FIRST) }),
      () => undefined,
    );
  };
  const isOffered = () => tinyState().step !== 'unknown' && tinyState().step !== 'ready';
  return (
    <Show when={isOffered()}>
      <section class="box tiny-offer" aria-label={words().tiny.title}>
        <p>
          {words().tiny.about} <span class="faint">{words().tiny.limits}</span>
        </p>
        <Switch>
          <Match when={stateOf('loading')}>
            {(state) => (
              <label class="tiny-loading">
                <progress value={state().loaded} max={state().size || undefined} />
                <span class="faint">
                  {words().tiny.loading(megabytes(state().loaded), megabytes(state().size))}
                </span>
              </label>
            )}
          </Match>
          <Match when={stateOf('offered') ?? stateOf('failed')}>
            {(state) => (
              <>
                <button type="button" onClick={load}>
                  {words().tiny.load(megabytes(state().size))}
                </button>
                <Show when={stateOf('failed')}>
                  {(failed) => <p role="alert">{words().tiny.failed(failed().message)}</p>}
                </Show>
              </>
            )}
          </Match>
        </Switch>
      </section>
    </Show>
  );
}

function stateOf<Step extends TinyState['step']>(step: Step): Extract<TinyState, { step: Step }> | undefined {
  const state = tinyState();
  return state.step === step ? (state as Extract<TinyState, { step: Step }>) : undefined;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
