// The legend of the colours, with the number of characters of each kind.

import { For } from 'solid-js';
import { countWords } from '../parts/count-words.js';
import { kinds, kindWords } from './kinds.js';
import type { TextReading } from './text-reading.js';
import './text-editor.css';
import './legend.css';

export function Legend(props: { reading?: TextReading | undefined }) {
  const length = (place: number) => props.reading?.lengths[place] ?? 0;
  return (
    <ul class="kinds" aria-label="What the colours mean">
      <For each={kinds}>
        {(kind, place) => (
          <li title={kindWords[kind].about} classList={{ none: length(place()) === 0 }}>
            <span class={`read-as ${kind}`}>{kindWords[kind].title}</span>
            <span class="amount">{countWords(length(place()))}</span>
            <span class="unseen"> characters. {kindWords[kind].about}</span>
          </li>
        )}
      </For>
    </ul>
  );
}
