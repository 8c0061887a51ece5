// The calls of a reading as they grow, and what was wrong or mended. What is pointed at says which characters it is.

import type { Range } from '@dragoman/core';
import { createMemo, For, Index, Show } from 'solid-js';
import { jsonOffset, textRange } from './argument-map.js';
import { type JsonNode, jsonTree, pathTo } from './json-tree.js';
import { JsonTreeView } from './json-tree-view.jsx';
import type { Note, ReadCall, Reading } from './reading.js';
import { segment, segmentIndexAt } from './segments.js';
import './calls-panel.css';

export interface PanelProps {
  reading: Reading | undefined;
  /** The character that is pointed at in the text. */
  point: number | undefined;
  /** The characters of what is pointed at here. */
  onLight(range: Range | undefined): void;
  /** Chosen: to be brought into sight. */
  onSeek(range: Range): void;
}

const stateWords: Record<ReadCall['state'], string> = {
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
  const notes = (type: Note['type']) => props.reading?.notes.filter((note) => note.type === type) ?? [];
  const litNote = () => props.reading?.notes[pointed()?.note ?? -1];
  return (
    <>
      <section class="panel" aria-labelledby="calls-title">
        <h2 id="calls-title">
          Calls <span class="amount">{calls().length}</span>
        </h2>
        <Show when={calls().length > 0} fallback={<p class="nothing">No call so far.</p>}>
          <ol class="calls">
            <Index each={calls()}>
              {(call, at) => (
                <Call call={call()} lit={pointed()?.call === at} {...props} point={props.point} />
              )}
            </Index>
          </ol>
        </Show>
      </section>
      <NoteList
        title="Issues"
        about="What the model did wrong."
        notes={notes('issue')}
        lit={litNote()}
        panel={props}
      />
      <NoteList
        title="Repairs"
        about="What was not quite right, and was read all the same."
        notes={notes('repair')}
        lit={litNote()}
        panel={props}
      />
    </>
  );
}

function Call(props: PanelProps & { call: ReadCall; lit: boolean }) {
  const tree = createMemo(() => jsonTree(props.call.raw));
  const path = createMemo(() => {
    if (!props.lit || props.point === undefined) return [];
    const offset = jsonOffset(props.call.map, props.point);
    return offset < 0 ? [] : pathTo(tree(), offset);
  });
  const rangeOf = (node: JsonNode) => textRange(props.call.map, node.start, node.end);
  return (
    <li class="call" classList={{ lit: props.lit, [props.call.state]: true }}>
      <button
        type="button"
        class="call-head"
        onMouseEnter={() => props.onLight(props.call.range)}
        onMouseLeave={() => props.onLight(undefined)}
        onFocus={() => props.onLight(props.call.range)}
        onBlur={() => props.onLight(undefined)}
        onClick={() => props.onSeek(props.call.range)}
      >
        <span class="name">{props.call.name || '(no name)'}</span>
        <Show when={props.call.id !== undefined}>
          <span class="id">{props.call.id}</span>
        </Show>
        <span class="state">{stateWords[props.call.state]}</span>
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

/** Drawn at once; a flood of notes says the same again and again. */
const MOST = 200;

function NoteList(props: {
  title: string;
  about: string;
  notes: readonly Note[];
  lit: Note | undefined;
  panel: PanelProps;
}) {
  const id = () => `${props.title.toLowerCase()}-title`;
  return (
    <section class="panel" aria-labelledby={id()}>
      <h2 id={id()}>
        {props.title} <span class="amount">{props.notes.length}</span>
      </h2>
      <p class="nothing">{props.notes.length === 0 ? 'None.' : props.about}</p>
      <ul class="notes">
        <For each={props.notes.slice(0, MOST)}>
          {(note) => (
            <li>
              <button
                type="button"
                class={`note ${note.type}`}
                classList={{ lit: isSame(note, props.lit) }}
                onMouseEnter={() => props.panel.onLight(note.range)}
                onMouseLeave={() => props.panel.onLight(undefined)}
                onFocus={() => props.panel.onLight(note.range)}
                onBlur={() => props.panel.onLight(undefined)}
                onClick={() => props.panel.onSeek(note.range)}
              >
                <span class="message">{note.message}</span>
                <span class="code">
                  {note.code} · {placeOf(note.range)}
                </span>
              </button>
            </li>
          )}
        </For>
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

function isSame(note: Note, other: Note | undefined): boolean {
  return other !== undefined && note.code === other.code && note.range[0] === other.range[0];
}
