// A read-only text of any length: only the visible part is drawn. It may grow, and may be coloured by what each
// character was read as.

import { type ChangeSpec, EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightSpecialChars,
} from '@codemirror/view';
import { createEffect, onCleanup, onMount } from 'solid-js';
import { type Segments, segment, segmentIndexAt } from '../reading/index.js';
import '../reading/text-editor.css';
import './long-text.css';

export interface LongTextProps {
  text: string;
  /** The label for screen readers. */
  label: string;
  segments?: Segments | undefined;
  /** Scrolls with the end while the text grows, unless the user has scrolled away from it. */
  follow?: boolean;
}

export function LongText(props: LongTextProps) {
  let place!: HTMLDivElement;
  let view: EditorView | undefined;
  onMount(() => {
    view = new EditorView({ parent: place, state: stateOf(props.label) });
  });
  onCleanup(() => view?.destroy());
  let shown = '';
  createEffect(() => {
    const { text, label, segments, follow } = props;
    if (!view) return;
    show(view, shown, { text, label, segments, follow: follow ?? false });
    shown = text;
  });
  return <div class="long-text" ref={place} />;
}

function stateOf(label: string): EditorState {
  return EditorState.create({
    extensions: [
      // Carriage returns are kept: the ranges count them.
      EditorState.lineSeparator.of('\n'),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
      highlightSpecialChars(),
      drawSelection({ cursorBlinkRate: 0 }),
      segmentsField,
      EditorView.decorations.of(visibleMarks),
    ],
  });
}

const setSegments = StateEffect.define<Segments | undefined>();

const segmentsField = StateField.define<Segments | undefined>({
  create: () => undefined,
  update: (segments, { effects }) =>
    effects.reduce((last, effect) => (effect.is(setSegments) ? effect.value : last), segments),
});

/** `shown` is the text in the view: to read it from the view would copy the whole text each time. */
function show(view: EditorView, shown: string, { text, segments, follow }: LongTextProps): void {
  const effects: StateEffect<unknown>[] = [setSegments.of(segments)];
  if (follow && text !== shown && isAtEnd(view)) effects.push(EditorView.scrollIntoView(text.length));
  view.dispatch({ changes: changesOf(shown, text), effects });
}

function changesOf(shown: string, text: string): ChangeSpec {
  if (text === shown) return [];
  if (text.startsWith(shown)) return { from: shown.length, insert: text.slice(shown.length) };
  return { from: 0, to: shown.length, insert: text };
}

function isAtEnd({ scrollDOM: { scrollTop, clientHeight, scrollHeight } }: EditorView): boolean {
  return scrollTop + clientHeight >= scrollHeight - 8;
}

/** Gives the marks of the visible part and a little around it. */
function visibleMarks(view: EditorView): DecorationSet {
  const made = new RangeSetBuilder<Decoration>();
  const segments = view.state.field(segmentsField);
  if (!segments) return made.finish();
  for (const { from, to } of view.visibleRanges)
    addMarks(made, segments, from, Math.min(to, view.state.doc.length));
  return made.finish();
}

function addMarks(made: RangeSetBuilder<Decoration>, segments: Segments, from: number, to: number): void {
  const first = segmentIndexAt(segments, from);
  if (first < 0) return;
  for (let at = first; at < segments.starts.length; at++) {
    const one = segment(segments, at);
    if (!one || one.start >= to) return;
    const [start, end] = [Math.max(one.start, from), Math.min(one.end, to)];
    if (one.kind !== 'text' && start < end) made.add(start, end, markOf(one.kind));
  }
}

const marks = new Map<string, Decoration>();

function markOf(kind: string): Decoration {
  const known = marks.get(kind);
  if (known) return known;
  const mark = Decoration.mark({ class: `read-as ${kind}` });
  marks.set(kind, mark);
  return mark;
}
