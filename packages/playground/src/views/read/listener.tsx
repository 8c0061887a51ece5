// Makes Read listen: the text then shows what models write to this gateway.

import { createSignal, onCleanup } from 'solid-js';
import { ownGateway } from '../../gateway/own-gateway.js';
import { toTrouble } from '../../gateway/trouble.js';
import type { ReadState } from '../../view.js';
import { words } from '../../words/words.js';
import { LiveOutput } from './live-output.js';

/** Milliseconds between two texts that are shown: each is read from its start. */
const PAUSE = 60;

export function Listener(props: {
  busy: boolean;
  onState(state: ReadState): void;
  /** What is to be told of it. */
  onStatus(status: string): void;
}) {
  const [listening, setListening] = createSignal<AbortController>();
  const setStatus = (text: string) => props.onStatus(text);
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
      setStatus(words().read.listening);
      for await (const event of events) if (output.add(event)) show();
      if (!own.signal.aborted) setStatus(words().read.streamEnded);
    } catch (error) {
      if (own.signal.aborted) return;
      const trouble = toTrouble(error);
      setStatus(trouble ? `${trouble.message} ${trouble.advice}` : '');
    }
    if (listening() === own) setListening(undefined);
  };
  return (
    <button
      type="button"
      aria-pressed={listening() !== undefined}
      onClick={() => (listening() ? stop() : start())}
    >
      {listening() ? words().read.stopListening : words().read.listen}
    </button>
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
