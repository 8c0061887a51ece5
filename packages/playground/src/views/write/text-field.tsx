// A field for text of any length: a plain one, and for long texts an editor that draws only the visible part.

import { EditorView } from '@codemirror/view';
import { createUniqueId, onCleanup, onMount, Show } from 'solid-js';
import { canWrap, changeOf, onlyLineFeeds, type TextRange } from '../../parts/editor-text.js';
import { whenChanged } from '../../parts/when-changed.js';
import { editKeys } from '../../reading/edit-keys.js';

/** Characters from which a plain field gets slow. */
const LONG = 20_000;

export interface TextFieldProps {
  label: string;
  value: string;
  onInput(text: string): void;
  /** What is wrong with it. */
  problem?: string | undefined;
  /** Selected and scrolled to when it changes. */
  select?: TextRange | undefined;
  code?: boolean;
  placeholder?: string;
}

export function TextField(props: TextFieldProps) {
  const id = createUniqueId();
  return (
    <div class="write-field" classList={{ 'write-code': props.code ?? false }}>
      <Show
        when={props.value.length > LONG}
        fallback={
          <>
            <label for={id}>{props.label}</label>
            <Short {...props} id={id} />
          </>
        }
      >
        <span class="write-label">{props.label}</span>
        <Long {...props} />
      </Show>
      <Show when={props.problem}>
        <p class="write-problem" id={`${id}-problem`}>
          {props.problem}
        </p>
      </Show>
    </div>
  );
}

function Short(props: TextFieldProps & { id: string }) {
  let field!: HTMLTextAreaElement;
  whenChanged(
    () => props.select,
    (place) => {
      if (!place) return;
      field.focus();
      field.setSelectionRange(place.from, Math.max(place.to, place.from));
    },
  );
  /** Puts a long paste straight into the editor: its layout in the plain field would take a second. */
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= LONG) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = field;
    props.onInput(value.slice(0, selectionStart) + text.replaceAll('\r\n', '\n') + value.slice(selectionEnd));
  };
  return (
    <textarea
      ref={field}
      id={props.id}
      rows={1}
      spellcheck={false}
      value={props.value}
      placeholder={props.placeholder}
      aria-invalid={props.problem ? 'true' : undefined}
      aria-describedby={props.problem ? `${props.id}-problem` : undefined}
      onPaste={paste}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  );
}

function Long(props: TextFieldProps) {
  let place!: HTMLDivElement;
  onMount(() => {
    let own = props.value;
    const view = new EditorView({
      parent: place,
      doc: own,
      extensions: [
        onlyLineFeeds,
        canWrap(own) ? EditorView.lineWrapping : [],
        EditorView.contentAttributes.of({ 'aria-label': props.label }),
        editKeys(),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          own = update.state.doc.toString();
          props.onInput(own);
        }),
      ],
    });
    onCleanup(() => view.destroy());
    whenChanged(
      () => props.value,
      (text) => text !== own && view.dispatch({ changes: changeOf(own, text) }),
    );
    whenChanged(
      () => props.select,
      (range) => {
        if (!range) return;
        const selection = { anchor: range.from, head: range.to };
        view.dispatch({ selection, effects: EditorView.scrollIntoView(range.from) });
        view.focus();
      },
    );
  });
  return <div class="write-long" ref={place} />;
}
