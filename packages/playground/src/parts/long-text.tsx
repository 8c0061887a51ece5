// A read-only text of any length: only the visible part is drawn. It may grow, and may be coloured by what each
// character was read as.

import type { ChangeSpec, StateEffect } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars } from '@codemirror/view';
import { createEffect, onCleanup, onMount } from 'solid-js';
import type { Segments } from '../reading/index.js';
import { paint, setReading } from '../reading/paint.js';
import '../reading/text-editor.css';
import { readOnlyText } from './editor-text.js';
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
  onMount(() => {
    const look = [highlightSpecialChars(), drawSelection({ cursorBlinkRate: 0 }), paint()];
    const extensions = [readOnlyText(props.label), EditorView.lineWrapping, look];
    const view = new EditorView({ parent: place, extensions });
    onCleanup(() => view.destroy());
    // Kept here: to read the text from the view would copy the whole of it each time.
    let shown = '';
    createEffect(() => {
      const { text, segments, follow } = props;
      const reading = segments && { segments, settled: 0, fed: 0, finished: true };
      const effects: StateEffect<unknown>[] = [setReading.of(reading)];
      if (follow && text !== shown && isAtEnd(view)) effects.push(EditorView.scrollIntoView(text.length));
      view.dispatch({ changes: changesOf(shown, text), effects });
      shown = text;
    });
  });
  return <div class="long-text" ref={place} />;
}

function changesOf(shown: string, text: string): ChangeSpec {
  if (text === shown) return [];
  if (text.startsWith(shown)) return { from: shown.length, insert: text.slice(shown.length) };
  return { from: 0, to: shown.length, insert: text };
}

function isAtEnd({ scrollDOM: { scrollTop, clientHeight, scrollHeight } }: EditorView): boolean {
  return scrollTop + clientHeight >= scrollHeight - 8;
}
