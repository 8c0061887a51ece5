// A text that is coloured by what it was read as, read-only or to edit. Only the visible part is drawn.

import { isolateHistory } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers, placeholder } from '@codemirror/view';
import type { Range } from '@dragoman/core';
import { createEffect, on, onCleanup, onMount } from 'solid-js';
import { onlyLineFeeds } from '../parts/editor-text.js';
import { editKeys } from './edit-keys.js';
import { contextField, freshContext, type ReadContext, setContext } from './editor-context.js';
import { paint, reveal, setLit, setReading } from './paint.js';
import type { TextReading } from './text-reading.js';
import './text-editor.css';

export interface TextEditorProps {
  /** For screen readers. */
  label: string;
  text: string;
  /** What belongs to the text: undo and redo bring it back with the text. */
  context?: ReadContext;
  reading?: TextReading | undefined;
  /** Highlighted: the range of something that is pointed at elsewhere on the page. */
  lit?: Range | undefined;
  /** Scrolled to whenever it changes. */
  seek?: Range | undefined;
  /** Absent: the text cannot be edited. */
  onText?: ((text: string, context: ReadContext | undefined) => void) | undefined;
  /** The character under the pointer or at the cursor. */
  onPoint?: ((position: number | undefined) => void) | undefined;
  /** Called with the editor, for commands of the page. */
  onView?: ((view: EditorView) => void) | undefined;
  placeholder?: string;
  /** Something is wrong with the text. */
  invalid?: boolean;
  /** Named by another element. */
  describedBy?: string;
  lineNumbers?: boolean;
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
    props.onView?.(view);
    createEffect(() => replaceDocument(view, props.text, props.context));
    createEffect(() => view.dispatch({ effects: setReading.of(props.reading) }));
    createEffect(() => view.dispatch({ effects: setLit.of(props.lit) }));
    const seek = (range: Range | undefined) => range && view.dispatch({ effects: reveal(view.state, range) });
    createEffect(on(() => props.seek, seek));
    createEffect(() => {
      if (props.invalid !== undefined) view.contentDOM.setAttribute('aria-invalid', String(props.invalid));
    });
  });
  return <div class={`text-editor ${props.class ?? ''}`} ref={place} />;
}

/** Shows the document of the page, unless it is shown already. It is one step for undo. */
function replaceDocument(view: EditorView, text: string, context: ReadContext | undefined): void {
  const { doc } = view.state;
  const isSameText = doc.length === text.length && doc.toString() === text;
  const isSameContext = context === undefined || context === view.state.field(contextField);
  if (isSameText && isSameContext) return;
  view.dispatch({
    ...(!isSameText && {
      changes: growth(doc.toString(), text) ?? { from: 0, to: doc.length, insert: view.state.toText(text) },
      ...(!text.startsWith(doc.toString()) && { selection: { anchor: 0 } }),
    }),
    effects: isSameContext ? [] : [setContext.of(context)],
    annotations: isolateHistory.of('full'),
  });
}

/** A text that only grew keeps its scroll position and its selection. */
function growth(before: string, text: string) {
  return before !== '' && text.startsWith(before)
    ? { from: before.length, insert: text.slice(before.length) }
    : undefined;
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
    props.lineNumbers ? lineNumbers() : [],
    EditorView.contentAttributes.of(attributes),
    EditorView.editable.of(!!props.onText),
    EditorState.readOnly.of(!props.onText),
    ...(props.placeholder === undefined ? [] : [placeholder(props.placeholder)]),
    editKeys(),
    contextField.init(() => props.context),
    freshContext,
    paint(),
    EditorView.updateListener.of((update) => {
      const context = update.state.field(contextField);
      if (update.docChanged || context !== update.startState.field(contextField))
        props.onText?.(update.state.doc.toString(), context);
      if (update.selectionSet && update.view.hasFocus) props.onPoint?.(update.state.selection.main.head);
    }),
    EditorView.domEventHandlers({
      mousemove: (event, view) => props.onPoint?.(view.posAtCoords(event) ?? undefined),
      mouseleave: () => props.onPoint?.(undefined),
      blur: () => props.onPoint?.(undefined),
    }),
  ];
}
