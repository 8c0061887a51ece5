// Lists the calls of a reading as they grow. Pointing at one highlights its characters.

import type { Range } from '@dragoman/core';
import { createEffect, createMemo, createSignal, Index, Show } from 'solid-js';
import { type JsonNode, jsonTree, pathTo } from '../parts/json-tree.js';
import { JsonTreeView } from '../parts/json-tree-view.jsx';
import { shownName } from '../parts/shown-call.js';
import { words } from '../words/words.js';
import { jsonOffset, textRange } from './argument-map.js';
import { nearestName } from './nearest-name.js';
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

export interface CallsPanelProps extends PanelProps {
  /** The names of the declared tools. */
  tools: readonly string[];
  /** Declares the tool that a call names. */
  onDeclare(name: string, raw: string): void;
}

export function CallsPanel(props: CallsPanelProps) {
  const pointed = createMemo(() => segmentAt(props.reading, props.point)?.call ?? -1);
  const calls = () => props.reading?.calls ?? [];
  const notes = createMemo(() => notesByCall(props.reading));
  // Shows the page with the call that the text points at.
  const [first, setFirst] = createSignal(0);
  createEffect(() => {
    if (pointed() >= 0) setFirst(Math.floor(pointed() / PAGE) * PAGE);
    else if (first() >= calls().length) setFirst(0);
  });
  return (
    <Show when={calls().length > 0} fallback={<p class="nothing">{words().calls.none}</p>}>
      <Pages length={calls().length} first={first()} onFirst={setFirst} />
      <ol class="calls" start={first() + 1}>
        <Index each={calls().slice(first(), first() + PAGE)}>
          {(call, at) => (
            <Call
              {...props}
              call={call()}
              notes={notes().get(first() + at) ?? []}
              lit={pointed() === first() + at}
              point={props.point}
            />
          )}
        </Index>
      </ol>
    </Show>
  );
}

export function segmentAt(reading: TextReading | undefined, point: number | undefined) {
  return reading && point !== undefined
    ? segment(reading.segments, segmentIndexAt(reading.segments, point))
    : undefined;
}

function notesByCall(reading: TextReading | undefined): Map<number, TextNote[]> {
  const found = new Map<number, TextNote[]>();
  for (const note of reading?.notes ?? []) {
    const list = found.get(note.call);
    if (list) list.push(note);
    else found.set(note.call, [note]);
  }
  return found;
}

/** Highlights the characters of an entry that is pointed at or focused, and scrolls to them at a click. */
export function pointsAt(panel: Pick<PanelProps, 'onLight' | 'onSeek'>, range: () => Range) {
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
          {words().calls.earlier}
        </button>
        <span role="status">{words().calls.range(props.first + 1, end())}</span>
        <button
          type="button"
          disabled={end() === props.length}
          onClick={() => props.onFirst(props.first + PAGE)}
        >
          {words().calls.later}
        </button>
      </p>
    </Show>
  );
}

function Call(props: CallsPanelProps & { call: PageCall; notes: readonly TextNote[]; lit: boolean }) {
  const tree = createMemo(() => jsonTree(props.call.raw));
  const path = createMemo(() => {
    if (!props.lit || props.point === undefined) return [];
    const offset = jsonOffset(props.call.map, props.point);
    return offset < 0 ? [] : pathTo(tree(), offset);
  });
  const rangeOf = (node: JsonNode) => textRange(props.call.map, node.start, node.end);
  const issues = () => props.notes.filter(({ type }) => type === 'issue');
  const state = () => callState(props.call, props.notes);
  return (
    <li
      class="box call"
      classList={{ lit: props.lit, [props.call.state]: true, faulty: issues().length > 0 }}
    >
      <button type="button" class="flow call-head" {...pointsAt(props, () => props.call.range)}>
        <span class="name">{shownName(props.call.name) || words().calls.noName}</span>
        <Show when={props.call.id !== undefined}>
          <span class="id">{props.call.id}</span>
        </Show>
        <span class={`pill state ${state().tone}`}>{state().text}</span>
      </button>
      <JsonTreeView
        label={words().calls.argumentsOf(props.call.name)}
        json={props.call.raw}
        root={tree()}
        lit={path()}
        onPoint={(node) => props.onLight(node && rangeOf(node))}
        onPick={(node) => {
          const range = rangeOf(node);
          if (range) props.onSeek(range);
        }}
      />
      <Show when={issues()[0]}>{(issue) => <Trouble {...props} issue={issue()} />}</Show>
    </li>
  );
}

function callState({ state }: PageCall, notes: readonly TextNote[]) {
  const { calls } = words();
  const codes = notes.filter(({ type }) => type === 'issue').map(({ code }) => code);
  const repairs = notes.length - codes.length;
  if (state === 'open') return { tone: 'calm', text: calls.open };
  if (state === 'failed') return { tone: 'bad', text: calls.failed };
  if (codes.includes('unknown-tool')) return { tone: 'bad', text: calls.undeclared };
  if (codes.length > 0) return { tone: 'bad', text: calls.wrong };
  return repairs > 0
    ? { tone: 'mended', text: calls.repairs(repairs) }
    : { tone: 'good', text: calls.complete };
}

/** What is wrong with a call. A tool that nobody declared is declared by one click. */
function Trouble(props: CallsPanelProps & { call: PageCall; issue: TextNote }) {
  const nearest = () => nearestName(props.call.name, props.tools);
  return (
    <div class="call-trouble">
      <p>
        {props.issue.message}{' '}
        <Show when={props.issue.code === 'unknown-tool' && nearest()}>
          {(name) => words().calls.nearest(name())}
        </Show>
      </p>
      <Show when={props.issue.code === 'unknown-tool' && props.call.name !== ''}>
        <button type="button" onClick={() => props.onDeclare(props.call.name, props.call.raw)}>
          {words().calls.declare(props.call.name)}
        </button>
      </Show>
    </div>
  );
}
