// A text that is coloured by what it was read as, read-only or to edit. Only the visible part is drawn.

import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, placeholder } from '@codemirror/view';
import type { Range } from '@dragoman/core';
import { createEffect, on, onCleanup, onMount } from 'solid-js';
import { onlyLineFeeds } from '../parts/editor-text.js';
import { editKeys } from './edit-keys.js';
import { paint, reveal, setLit, setReading } from './paint.js';
import type { TextReading } from './text-reading.js';
import './text-editor.css';

export interface TextEditorProps {
  /** For screen readers. */
  label: string;
  text: string;
  reading?: TextReading | undefined;
  /** Highlighted: the range of something that is pointed at elsewhere on the page. */
  lit?: Range | undefined;
  /** Scrolled to whenever it changes. */
  seek?: Range | undefined;
  /** Absent: the text cannot be edited. */
  onText?: ((text: string) => void) | undefined;
  /** The character under the pointer or at the cursor. */
  onPoint?: ((position: number | undefined) => void) | undefined;
  placeholder?: string;
  /** Named by another element. */
  describedBy?: string;
  class?: string;
}

export function TextEditor(props: TextEditorProps) {
  let place!: HTMLDivElement;
  onMount(() => {
    const view = new EditorView({
      parent: place,
      state: EditorState.create({ doc: props.text, extensions: extensionsFor(props) }),
    });
    onCleanup(() => view.destroy());
    createEffect(() => replaceText(view, props.text));
    createEffect(() => view.dispatch({ effects: setReading.of(props.reading) }));
    createEffect(() => view.dispatch({ effects: setLit.of(props.lit) }));
    const seek = (range: Range | undefined) => range && view.dispatch({ effects: reveal(view.state, range) });
    createEffect(on(() => props.seek, seek));
  });
  return <div class={`box text-editor ${props.class ?? ''}`} ref={place} />;
}

/** What the page says wins over what stands there, unless it is the same. */
function replaceText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.length === text.length && doc.toString() === text) return;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: view.state.toText(text) },
    selection: { anchor: 0 },
  });
}

function extensionsFor(props: TextEditorProps): Extension[] {
  const attributes: Record<string, string> = {
    'aria-label': props.label,
    spellcheck: 'false',
    tabindex: '0',
  };
  if (props.describedBy !== undefined) attributes['aria-describedby'] = props.describedBy;
  return [
    onlyLineFeeds,
    EditorState.tabSize.of(4),
    EditorView.lineWrapping,
    highlightSpecialChars(),
    EditorView.contentAttributes.of(attributes),
    EditorView.editable.of(!!props.onText),
    EditorState.readOnly.of(!props.onText),
    ...(props.placeholder === undefined ? [] : [placeholder(props.placeholder)]),
    editKeys(),
    paint(),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) props.onText?.(update.state.doc.toString());
      if (update.selectionSet && update.view.hasFocus) props.onPoint?.(update.state.selection.main.head);
    }),
    EditorView.domEventHandlers({
      mousemove: (event, view) => props.onPoint?.(view.posAtCoords(event) ?? undefined),
      mouseleave: () => props.onPoint?.(undefined),
      blur: () => props.onPoint?.(undefined),
    }),
  ];
}
