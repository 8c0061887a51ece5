// The events of the stream as far as it has arrived, in its order: what a program gets. Neighbours of one kind are one row.

import { createMemo, For, Show } from 'solid-js';
import { type PanelProps, pointsAt } from '../../reading/calls-panel.jsx';
import { type Segments, segment } from '../../reading/index.js';
import { words } from '../../words/words.js';

/** Rows that are drawn: the last ones, which are what the slider moves. */
const MOST = 200;
const LONGEST = 120;

export function EventsPanel(props: PanelProps & { text: string }) {
  const rows = createMemo(() => {
    const segments = props.reading?.segments;
    if (!segments) return [];
    const count = countEvents(segments);
    return Array.from({ length: Math.min(count, MOST) }, (_, at) => {
      const place = Math.max(0, count - MOST) + at;
      return segment(segments, place);
    }).filter((row) => row !== undefined);
  });
  const earlier = () => Math.max(0, countEvents(props.reading?.segments) - MOST);
  return (
    <>
      <p class="nothing">{words().events.about}</p>
      <Show when={rows().length > 0} fallback={<p class="nothing">{words().events.none}</p>}>
        <Show when={earlier() > 0}>
          <p class="nothing">{words().events.earlier(earlier())}</p>
        </Show>
        <ol class="event-rows" aria-label={words().events.label} start={earlier() + 1}>
          <For each={rows()}>
            {(row) => (
              <li>
                <button type="button" {...pointsAt(props, () => [row.start, row.end])}>
                  <span class={`event-type read-as ${row.base}`}>{words().events.types[row.base]}</span>
                  <code class="event-text">{shown(props.text.slice(row.start, row.end))}</code>
                  <span class="event-place">
                    {row.start}–{row.end}
                  </span>
                </button>
              </li>
            )}
          </For>
        </ol>
      </Show>
    </>
  );
}

export const countEvents = (segments: Segments | undefined) => segments?.starts.length ?? 0;

function shown(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.replaceAll('\n', '↵');
}
