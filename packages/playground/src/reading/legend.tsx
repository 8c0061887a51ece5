// What the colours mean, with how much of the text each takes.

import { For } from 'solid-js';
import { kinds, kindWords } from './kinds.js';
import type { Reading } from './reading.js';
import { segment } from './segments.js';
import './text-editor.css';
import './legend.css';

export function Legend(props: { reading?: Reading | undefined }) {
  const lengths = () => lengthsOf(props.reading);
  return (
    <ul class="kinds" aria-label="What the colours mean">
      <For each={kinds}>
        {(kind) => (
          <li title={kindWords[kind].about} classList={{ none: (lengths().get(kind) ?? 0) === 0 }}>
            <span class={`read-as ${kind}`}>{kindWords[kind].title}</span>
            <span class="amount">{lengths().get(kind) ?? 0}</span>
            <span class="unseen"> characters. {kindWords[kind].about}</span>
          </li>
        )}
      </For>
    </ul>
  );
}

function lengthsOf(reading: Reading | undefined): Map<string, number> {
  const lengths = new Map<string, number>();
  if (!reading) return lengths;
  for (let at = 0; at < reading.segments.starts.length; at++) {
    const { kind, start, end } = segment(reading.segments, at)!;
    lengths.set(kind, (lengths.get(kind) ?? 0) + end - start);
  }
  return lengths;
}
