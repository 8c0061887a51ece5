// The legend of the colours of a raw text.

import { For } from 'solid-js';
import { kinds, kindWords } from '../reading/index.js';
import '../reading/text-editor.css';
import './long-text.css';

export function Legend() {
  return (
    <ul class="legend" aria-label="What the colours mean">
      <For each={kinds}>
        {(kind) => (
          <li>
            <span class={`read-as ${kind}`} title={kindWords[kind].about}>
              {kindWords[kind].title}
            </span>
          </li>
        )}
      </For>
    </ul>
  );
}
