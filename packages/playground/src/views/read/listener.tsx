// The button that makes Read listen: the text then shows what models write to this gateway.

import { createSignal, onCleanup } from 'solid-js';
import { ownGateway } from '../../gateway/own-gateway.js';
import { toTrouble } from '../../gateway/trouble.js';
import type { ReadState } from '../../view.js';
import { LiveOutput } from './live-output.js';

/** Milliseconds between two texts that are shown: each is read from its start. */
const PAUSE = 60;

export function Listener(props: { busy: boolean; onState(state: ReadState): void }) {
  const [listening, setListening] = createSignal<AbortController>();
  const [status, setStatus] = createSignal('');
  const stop = () => {
    listening()?.abort();
    setListening(undefined);
    setStatus('');
  };
  onCleanup(stop);
  const start = async () => {
    const own = new AbortController();
    setListening(own);
    const output = new LiveOutput();
    const show = whenFree(
      () => props.busy && !own.signal.aborted,
      () => {
        const state = output.state();
        if (state && !own.signal.aborted) props.onState(state);
      },
    );
    try {
      const events = await ownGateway().live({ signal: own.signal });
      setStatus('Listening: what a model writes next appears here.');
      for await (const event of events) if (output.add(event)) show();
      if (!own.signal.aborted) setStatus('The gateway has ended the stream.');
    } catch (error) {
      if (own.signal.aborted) return;
      const trouble = toTrouble(error);
      setStatus(trouble ? `${trouble.message} ${trouble.advice}` : '');
    }
    if (listening() === own) setListening(undefined);
  };
  return (
    <>
      <button
        type="button"
        aria-pressed={listening() !== undefined}
        onClick={() => (listening() ? stop() : start())}
      >
        {listening() ? 'Stop listening' : 'Listen to the gateway'}
      </button>
      <span role="status" class="listening">
        {status()}
      </span>
    </>
  );
}

/** Throttles `act`: it runs when the page is not busy, and not too often. */
function whenFree(isBusy: () => boolean, act: () => void): () => void {
  let due = false;
  const run = () => {
    if (isBusy()) return void setTimeout(run, PAUSE);
    due = false;
    act();
  };
  return () => {
    if (due) return;
    due = true;
    setTimeout(run, PAUSE);
  };
}
