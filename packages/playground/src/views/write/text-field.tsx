// A field for text of any length: a plain one, and for long texts an editor that draws only the visible part.

import { createEffect, createUniqueId, on, onCleanup, onMount, Show } from 'solid-js';
import type { TextRange } from './json-place.js';
import { createLongText, type LongText } from './long-text.js';

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
  createEffect(
    on(
      () => props.select,
      (place) => {
        if (!place) return;
        field.focus();
        field.setSelectionRange(place.from, Math.max(place.to, place.from));
      },
      { defer: true },
    ),
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
  let editor: LongText | undefined;
  onMount(() => {
    editor = createLongText(place, props.value, props.label, (text) => props.onInput(text));
  });
  onCleanup(() => editor?.destroy());
  createEffect(
    on(
      () => props.value,
      (text) => editor?.set(text),
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => props.select,
      (range) => {
        if (!range) return;
        editor?.select(range.from, range.to);
        editor?.focus();
      },
      { defer: true },
    ),
  );
  return <div class="write-long" ref={place} />;
}
