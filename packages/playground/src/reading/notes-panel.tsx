// Lists the issues and repairs of a reading, each with its place, what it means and what to do.

import { createMemo, Index, Show } from 'solid-js';
import { words } from '../words/words.js';
import { type PanelProps, pointsAt, segmentAt } from './calls-panel.jsx';
import { meaningWords, noteMessage } from './note-words.js';
import type { TextNote } from './text-reading.js';
import './calls-panel.css';

export function NotesPanel(props: PanelProps) {
  const lit = () => props.reading?.notes[segmentAt(props.reading, props.point)?.note ?? -1];
  const of = (type: TextNote['type']) => props.reading?.notes.filter((note) => note.type === type) ?? [];
  const issues = createMemo(() => of('issue'));
  const repairs = createMemo(() => of('repair'));
  return (
    <>
      <NoteList {...props} id="issues" notes={issues()} lit={lit()} point={props.point} />
      <NoteList {...props} id="repairs" notes={repairs()} lit={lit()} point={props.point} />
    </>
  );
}

/** Notes that are drawn. Of a flood, the first ones are enough. */
const MOST = 100;

interface NoteListProps extends PanelProps {
  id: 'issues' | 'repairs';
  notes: readonly TextNote[];
  lit: TextNote | undefined;
}

function NoteList(props: NoteListProps) {
  return (
    <section class="note-list" aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`}>
        {words().notes[props.id]} <span class="amount">{props.notes.length}</span>
      </h2>
      <p class="nothing">
        {props.notes.length === 0 ? words().notes.none : words().notes[`${props.id}About`]}
      </p>
      <ul class="notes">
        <Index each={props.notes.slice(0, MOST)}>
          {(note) => (
            <li>
              <button
                type="button"
                class={`note ${note().type}`}
                classList={{ lit: isSame(note(), props.lit) }}
                {...pointsAt(props, () => note().range)}
              >
                <span class="message">{noteMessage(note())}</span>
                <Show when={note().type === 'issue'}>
                  <span class="meaning">{meaningWords(note())}</span>
                </Show>
                <span class="code">
                  {note().code} · {words().notes.place(...note().range)}
                </span>
              </button>
            </li>
          )}
        </Index>
      </ul>
      <Show when={props.notes.length > MOST}>
        <p class="nothing">{words().notes.more(props.notes.length - MOST)}</p>
      </Show>
    </section>
  );
}

function isSame(note: TextNote, other: TextNote | undefined): boolean {
  return other !== undefined && note.code === other.code && note.range[0] === other.range[0];
}
