// Try: a conversation with a model of the gateway: its raw text beside what was read, and results of tools by hand or by
// example.

import { createEffect, createMemo, Index, on, onMount, Show } from 'solid-js';
import { KeyField } from '../../gateway/key-field.jsx';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { Legend } from '../../parts/legend.jsx';
import { readTools } from '../../reading/index.js';
import { lookForTiny } from '../../tiny/browser-model.js';
import type { ViewProps } from '../../view.js';
import { words } from '../../words/words.js';
import { Composer, ModelChoices, Settings } from './ask-form.jsx';
import { Earlier } from './earlier.jsx';
import { RoundView } from './round-view.jsx';
import { createTrySession, type TrySession } from './session.js';
import { forLink, toTryState } from './state.js';
import { TinyOffer } from './tiny-offer.jsx';
import './try.css';

let session: TrySession | undefined;
/** The last state of the session in a link. Coming back to it must not discard what happened since. */
let kept = '';

export default function Try(props: ViewProps) {
  const isNew = session === undefined;
  session ??= createTrySession();
  const own = session;
  const tools = createMemo(() => readTools(own.form().tools));
  const state = () => forLink({ ...own.form(), messages: own.conversation() });
  createEffect(
    on(
      () => props.state,
      (linked) => {
        const known = [kept, JSON.stringify(state())];
        if (linked !== undefined && !known.includes(JSON.stringify(linked))) own.load(toTryState(linked));
      },
    ),
  );
  createEffect(() => {
    kept = JSON.stringify(state());
    props.keep(state());
  });
  onMount(() => {
    void own.loadModels();
    void lookForTiny();
    if (isNew) void own.restore();
  });
  return (
    <div class="try gateway-view">
      <div class="bar">
        <p class="about">{words().try.about}</p>
        <ModelChoices session={own} />
        <span class="rest" />
        <KeyField needed={own.trouble()?.kind === 'key'} onUse={() => void own.loadModels()} />
        <Show when={own.rounds().length > 0 || own.form().messages.length > 0}>
          <button type="button" onClick={() => own.startOver()}>
            {words().try.startOver}
          </button>
        </Show>
      </div>
      <TroubleNote trouble={own.trouble()} again={() => void own.loadModels()} />
      <TinyOffer session={own} />
      <div class="try-columns">
        <section class="try-rounds" aria-label={words().try.conversation}>
          <Show when={own.rounds().some(({ raw }) => raw.length > 0)}>
            <Legend />
          </Show>
          <Earlier messages={own.form().messages} />
          <Index each={own.rounds()}>
            {(round, at) => (
              <RoundView
                round={round()}
                number={at + 1}
                isLast={at === own.rounds().length - 1}
                waits={round().id === own.waiting()?.id}
                results={own.resultsOf(round())}
                goOn={(results) => void own.goOn(results)}
                retry={() => void own.retry()}
                edit={() => own.edit(round())}
                read={(state) => props.open('read', state)}
              />
            )}
          </Index>
          <Progress session={own} />
          <Composer session={own} tools={tools()} />
        </section>
        <Settings session={own} tools={tools()} />
      </div>
    </div>
  );
}

/** Reports the progress to screen readers. */
function Progress(props: { session: TrySession }) {
  const status = () => {
    const { progress } = words().try;
    const round = props.session.rounds().at(-1);
    if (!round) return props.session.form().messages.length > 0 ? progress.before : progress.nothing;
    if (round.state === 'asking') return progress.writing;
    const again = props.session.waits() ? progress.waitAgain : '';
    if (round.state === 'stopped') return `${progress.stopped}${again}`;
    if (round.state === 'failed') return `${progress.failed}${again}`;
    if (round.answer.finish === 'length') return progress.cut;
    return props.session.waits() ? progress.calls(round.answer.calls.length) : progress.complete;
  };
  return (
    <p class="try-progress" role="status">
      {status()}
    </p>
  );
}
