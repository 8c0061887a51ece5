// The legend of the colours of a raw text.

import { For, Show } from 'solid-js';
import { kinds, kindWords } from '../reading/index.js';
import '../reading/text-editor.css';
import { countWords } from './count-words.js';
import './legend.css';

/** `lengths`: the number of characters of each kind, if they are to be shown. */
export function Legend(props: { lengths?: readonly number[] }) {
  return (
    <ul class={props.lengths ? 'kinds' : 'legend'} aria-label="What the colours mean">
      <For each={kinds}>
        {(kind, place) => (
          <li title={kindWords[kind].about}>
            <span class={`read-as ${kind}`}>{kindWords[kind].title}</span>
            <Show when={props.lengths}>
              <span class="amount">{countWords(props.lengths?.[place()] ?? 0)}</span>
              <span class="unseen"> characters. {kindWords[kind].about}</span>
            </Show>
          </li>
        )}
      </For>
    </ul>
  );
}
