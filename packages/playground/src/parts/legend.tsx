// The legend of the colours of a raw text.

import { For, Show } from 'solid-js';
import { kinds } from '../reading/kinds.js';
import '../reading/text-editor.css';
import { words } from '../words/words.js';
import { countWords } from './count-words.js';
import './legend.css';

/** `lengths`: the number of characters of each kind, if they are to be shown. */
export function Legend(props: { lengths?: readonly number[] }) {
  return (
    <ul class="legend" aria-label={words().legend.label}>
      <For each={kinds}>
        {(kind, place) => (
          <li title={words().kinds[kind].about} classList={{ absent: props.lengths?.[place()] === 0 }}>
            <span class={`read-as ${kind}`}>{words().kinds[kind].title}</span>
            <Show when={props.lengths}>
              <span class="amount">{countWords(props.lengths?.[place()] ?? 0)}</span>
              <span class="unseen">
                {' '}
                {words().legend.characters} {words().kinds[kind].about}
              </span>
            </Show>
          </li>
        )}
      </For>
    </ul>
  );
}
