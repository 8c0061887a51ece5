// Lists the calls of a reading as they grow, and its issues and repairs. Pointing at one highlights its characters.

import type { Range } from '@dragoman/core';
import { createEffect, createMemo, createSignal, Index, Show } from 'solid-js';
import { type JsonNode, jsonTree, pathTo } from '../parts/json-tree.js';
import { JsonTreeView } from '../parts/json-tree-view.jsx';
import { jsonOffset, textRange } from './argument-map.js';
import { segment, segmentIndexAt } from './segments.js';
import type { PageCall, TextNote, TextReading } from './text-reading.js';
import './calls-panel.css';

export interface PanelProps {
  reading: TextReading | undefined;
  /** The character under the pointer in the text. */
  point: number | undefined;
  /** Called with the characters of the entry under the pointer. */
  onLight(range: Range | undefined): void;
  /** Called when an entry is clicked: scrolls to its characters. */
  onSeek(range: Range): void;
}

const stateWords: Record<PageCall['state'], string> = {
  open: 'still being written',
  complete: 'complete',
  failed: 'not delivered',
};

export function CallsPanel(props: PanelProps) {
  const pointed = createMemo(() => {
    const { reading, point } = props;
    return reading && point !== undefined
      ? segment(reading.segments, segmentIndexAt(reading.segments, point))
      : undefined;
  });
  const calls = () => props.reading?.calls ?? [];
  const issues = createMemo(() => notesOf(props.reading, 'issue'));
  const repairs = createMemo(() => notesOf(props.reading, 'repair'));
  // Shows the page with the call that the text points at.
  const [first, setFirst] = createSignal(0);
  createEffect(() => {
    const call = pointed()?.call ?? -1;
    if (call >= 0) setFirst(Math.floor(call / PAGE) * PAGE);
    else if (first() >= calls().length) setFirst(0);
  });
  const litNote = () => props.reading?.notes[pointed()?.note ?? -1];
  return (
    <>
      <section class="panel" aria-labelledby="calls-title">
        <h2 id="calls-title">
          Calls <span class="amount">{calls().length}</span>
        </h2>
        <Show when={calls().length > 0} fallback={<p class="nothing">No call so far.</p>}>
          <Pages length={calls().length} first={first()} onFirst={setFirst} />
          <ol class="calls" start={first() + 1}>
            <Index each={calls().slice(first(), first() + PAGE)}>
              {(call, at) => (
                <Call
                  call={call()}
                  faulty={issues().some(({ range }) => isWithin(range, call().range))}
                  lit={pointed()?.call === first() + at}
                  {...props}
                  point={props.point}
                />
              )}
            </Index>
          </ol>
        </Show>
      </section>
      <NoteList type="issue" notes={issues()} lit={litNote()} panel={props} />
      <NoteList type="repair" notes={repairs()} lit={litNote()} panel={props} />
    </>
  );
}

const isWithin = ([start, end]: Range, [from, to]: Range) => from <= start && end <= to;

function notesOf(reading: TextReading | undefined, type: TextNote['type']): TextNote[] {
  return reading?.notes.filter((note) => note.type === type) ?? [];
}

/** Highlights the characters of an entry that is pointed at or focused, and scrolls to them at a click. */
function pointsAt(panel: PanelProps, range: () => Range) {
  const light = () => panel.onLight(range());
  const dim = () => panel.onLight(undefined);
  const onClick = () => panel.onSeek(range());
  return { onMouseEnter: light, onMouseLeave: dim, onFocus: light, onBlur: dim, onClick };
}

/** Calls that are drawn at once: each costs a tree. */
const PAGE = 20;

function Pages(props: { length: number; first: number; onFirst(first: number): void }) {
  const end = () => Math.min(props.length, props.first + PAGE);
  return (
    <Show when={props.length > PAGE}>
      <p class="pages">
        <button type="button" disabled={props.first === 0} onClick={() => props.onFirst(props.first - PAGE)}>
          Earlier
        </button>
        <span role="status">
          {props.first + 1} to {end()}
        </span>
        <button
          type="button"
          disabled={end() === props.length}
          onClick={() => props.onFirst(props.first + PAGE)}
        >
          Later
        </button>
      </p>
    </Show>
  );
}

function Call(props: PanelProps & { call: PageCall; faulty: boolean; lit: boolean }) {
  const tree = createMemo(() => jsonTree(props.call.raw));
  const path = createMemo(() => {
    if (!props.lit || props.point === undefined) return [];
    const offset = jsonOffset(props.call.map, props.point);
    return offset < 0 ? [] : pathTo(tree(), offset);
  });
  const rangeOf = (node: JsonNode) => textRange(props.call.map, node.start, node.end);
  return (
    <li class="box call" classList={{ lit: props.lit, faulty: props.faulty, [props.call.state]: true }}>
      <button type="button" class="flow call-head" {...pointsAt(props, () => props.call.range)}>
        <span class="name">{props.call.name || '(no name)'}</span>
        <Show when={props.call.id !== undefined}>
          <span class="id">{props.call.id}</span>
        </Show>
        <span class="state">
          {stateWords[props.call.state]}
          {props.faulty ? ', with an issue' : ''}
        </span>
      </button>
      <JsonTreeView
        label={`Arguments of ${props.call.name || 'a call without a name'}`}
        json={props.call.raw}
        root={tree()}
        lit={path()}
        onPoint={(node) => props.onLight(node && rangeOf(node))}
        onPick={(node) => {
          const range = rangeOf(node);
          if (range) props.onSeek(range);
        }}
      />
    </li>
  );
}

/** Notes that are drawn. Of a flood, the first ones are enough. */
const MOST = 100;

const noteWords: Record<TextNote['type'], { title: string; about: string }> = {
  issue: { title: 'Issues', about: 'What the model did wrong.' },
  repair: { title: 'Repairs', about: 'Small faults that were read as meant.' },
};

function NoteList(props: {
  type: TextNote['type'];
  notes: readonly TextNote[];
  lit: TextNote | undefined;
  panel: PanelProps;
}) {
  const { title, about } = noteWords[props.type];
  const id = `${props.type}s-title`;
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="amount">{props.notes.length}</span>
      </h2>
      <p class="nothing">{props.notes.length === 0 ? 'None.' : about}</p>
      <ul class="notes">
        <Index each={props.notes.slice(0, MOST)}>
          {(note) => (
            <li>
              <button
                type="button"
                class={`note ${note().type}`}
                classList={{ lit: isSame(note(), props.lit) }}
                {...pointsAt(props.panel, () => note().range)}
              >
                <span class="message">{note().message}</span>
                <span class="code">
                  {note().code} · {placeOf(note().range)}
                </span>
              </button>
            </li>
          )}
        </Index>
      </ul>
      <Show when={props.notes.length > MOST}>
        <p class="nothing">and {props.notes.length - MOST} more</p>
      </Show>
    </section>
  );
}

function placeOf([start, end]: Range): string {
  if (end - start <= 1) return `character ${start + 1}`;
  return `characters ${start + 1} to ${end}`;
}

function isSame(note: TextNote, other: TextNote | undefined): boolean {
  return other !== undefined && note.code === other.code && note.range[0] === other.range[0];
}
