// Try: a question to a model of the gateway, its raw text and its parsed answer, and results given by hand.

import { createEffect, Index, on, onMount, Show } from 'solid-js';
import { KeyField } from '../../gateway/key-field.jsx';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { Legend } from '../../parts/legend.jsx';
import type { PageView, ViewProps } from '../../view.js';
import { AskForm } from './ask-form.jsx';
import { Earlier } from './earlier.jsx';
import { RoundView } from './round-view.jsx';
import { createTrySession, type TrySession } from './session.js';
import { forLink, toTryState } from './state.js';
import './try.css';

export const tryView: PageView = {
  name: 'try',
  title: 'Try',
  about: 'Ask a model of this gateway, and watch its raw text and the reading of it.',
  Component: Try,
};

let session: TrySession | undefined;
/** The last state of the session in a link. Coming back to it must not discard what happened since. */
let kept = '';

function Try(props: ViewProps) {
  session ??= createTrySession();
  const own = session;
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
  onMount(() => void own.loadModels());
  return (
    <div class="try gateway-view">
      <section class="try-form" aria-label="What is asked">
        <KeyField needed={own.trouble()?.kind === 'key'} onUse={() => void own.loadModels()} />
        <TroubleNote trouble={own.trouble()} again={() => void own.loadModels()} />
        <AskForm session={own} />
      </section>
      <section class="try-rounds" aria-label="The conversation">
        <Progress session={own} />
        <Show when={own.rounds().some(({ raw }) => raw.length > 0)}>
          <Legend />
        </Show>
        <Earlier messages={own.form().messages} />
        <Index each={own.rounds()}>
          {(round, at) => (
            <RoundView
              round={round()}
              number={at + 1}
              waits={round().id === own.waiting()?.id}
              results={own.resultsOf(round())}
              goOn={(results) => void own.goOn(results)}
              read={(state) => props.open('read', state)}
            />
          )}
        </Index>
      </section>
    </div>
  );
}

/** Reports the progress to screen readers. */
function Progress(props: { session: TrySession }) {
  const words = () => {
    const round = props.session.rounds().at(-1);
    if (!round && props.session.form().messages.length > 0) {
      return 'This was said before. Ask on, or start over.';
    }
    if (!round) return 'Nothing was asked yet. Send the question, and watch what comes back.';
    if (round.state === 'asking') return 'The model is writing …';
    const again = props.session.waits() ? ' The calls before it wait for their results again.' : '';
    if (round.state === 'stopped') return `Stopped. This round is not part of the conversation.${again}`;
    if (round.state === 'failed')
      return `This did not work. The round is not part of the conversation.${again}`;
    const { calls } = round.answer;
    if (round.answer.finish === 'length') return 'The answer was cut off.';
    if (!props.session.waits()) return 'The answer is complete.';
    return `The model calls ${calls.length === 1 ? 'a tool' : `${calls.length} tools`}: give a result below, and go on.`;
  };
  return (
    <p class="try-progress" role="status">
      {words()}
    </p>
  );
}
