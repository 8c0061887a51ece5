// One dialect's text of the conversation.

import { dialects } from '@dragoman/core';
import { createSignal, onCleanup, onMount, Show } from 'solid-js';
import { OptionList } from '../../parts/option-list.jsx';
import { whenChanged } from '../../parts/when-changed.js';
import type { Drawing, Drawn } from './draw.js';
import { createPromptText, type PromptText } from './prompt-text.js';
import { comparisonSentence, lengthSentence, safetySentence } from './sentences.js';
import { SmallButton } from './small-button.js';
import { type ColumnForm, type DialectColumn, type Options, toColumn } from './state.js';

export interface ColumnProps {
  index: number;
  column: DialectColumn;
  columns: readonly DialectColumn[];
  options: Options;
  drawing: Drawing | undefined;
  /** Incremented when hostile text was inserted: the column then scrolls to it. */
  reveal: number;
  onChange(column: DialectColumn): void;
  onRemove(): void;
}

export function ColumnView(props: ColumnProps) {
  const [drawn, setDrawn] = createSignal<Drawn>();
  const [at, setAt] = createSignal(0);
  let place!: HTMLDivElement;
  let text: PromptText | undefined;
  let revealed = props.reveal;

  const problem = () => (props.drawing && 'problem' in props.drawing ? props.drawing.problem : undefined);
  const attacks = () => {
    const marks = drawn()?.marks;
    return marks ? (marks.forged.length > 0 ? marks.forged : marks.broken) : [];
  };
  const showNext = () => {
    const range = attacks()[at() % attacks().length];
    if (range) text?.goTo(range);
    setAt(at() + 1);
  };
  const show = (drawing: Drawing | undefined) => {
    if (!drawing || !('drawn' in drawing) || !isFor(drawing.column, props.column)) return;
    setDrawn(drawing.drawn);
    text?.show(drawing.drawn);
    if (revealed === props.reveal) return;
    revealed = props.reveal;
    setAt(0);
    if (attacks().length > 0) showNext();
  };
  onMount(() => {
    text = createPromptText(place, `The text in column ${props.index + 1}`);
    show(props.drawing);
  });
  onCleanup(() => text?.destroy());
  whenChanged(() => props.drawing, show);

  return (
    <section class="box write-column" aria-label={`Column ${props.index + 1}: ${props.column.dialect}`}>
      <Choices {...props} />
      <Show when={problem()}>
        {(found) => (
          <p class="write-problem" role="status">
            Cannot be written. {found().message}
          </p>
        )}
      </Show>
      <Show when={!problem() && drawn()}>
        {(now) => (
          <Facts drawn={now()} {...props}>
            <Show when={attacks().length > 0}>
              <button type="button" onClick={showNext}>
                Show next ({(Math.max(at() - 1, 0) % attacks().length) + 1} of {attacks().length})
              </button>
            </Show>
          </Facts>
        )}
      </Show>
      <div class="write-text" ref={place} hidden={problem() !== undefined} />
    </section>
  );
}

const isFor = (asked: DialectColumn, column: DialectColumn) =>
  asked.dialect === column.dialect && asked.form === column.form;

function Choices(props: ColumnProps) {
  const number = () => props.index + 1;
  const hasPrompt = () =>
    dialects.find(({ name }) => name === props.column.dialect)?.render.prompt !== undefined;
  return (
    <div class="flow write-choices">
      <select
        aria-label={`Dialect of column ${number()}`}
        onChange={(event) => props.onChange(toColumn(event.currentTarget.value, props.column.form))}
      >
        <OptionList of={dialects.map(({ name }) => name)} chosen={props.column.dialect} />
      </select>
      <select
        aria-label={`Form of column ${number()}`}
        title={
          hasPrompt() ? undefined : 'This dialect is taught in chat messages; it has no prompt of its own.'
        }
        onChange={(event) =>
          props.onChange(toColumn(props.column.dialect, event.currentTarget.value as ColumnForm))
        }
      >
        <option value="prompt" disabled={!hasPrompt()} selected={props.column.form === 'prompt'}>
          whole prompt
        </option>
        <option value="messages" selected={props.column.form === 'messages'}>
          chat messages
        </option>
      </select>
      <SmallButton
        label={`Remove column ${number()}`}
        sign="✕"
        disabled={props.columns.length === 1}
        onClick={props.onRemove}
      />
    </div>
  );
}

function Facts(props: ColumnProps & { drawn: Drawn; children: unknown }) {
  const verdict = () => safetySentence(props.drawn, props.options.safety);
  const comparison = () =>
    comparisonSentence(props.drawn, (at) => props.columns[at]?.dialect ?? 'its neighbour');
  return (
    <div class="write-facts">
      <p>{lengthSentence(props.drawn)}</p>
      <p class={`write-verdict write-${verdict().kind}`} role="status">
        {verdict().text} {props.children as never}
      </p>
      <Show when={comparison()}>
        <p>{comparison()}</p>
      </Show>
    </div>
  );
}
