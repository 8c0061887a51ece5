// One dialect's text of the conversation.

import { dialects } from '@dragoman/core';
import { createSignal, onCleanup, onMount, Show } from 'solid-js';
import { copyText } from '../../parts/copy-text.js';
import { OptionList } from '../../parts/option-list.jsx';
import { whenChanged } from '../../parts/when-changed.js';
import { words } from '../../words/words.js';
import type { Drawing, Drawn } from './draw.js';
import { createPromptText, type PromptText } from './prompt-text.js';
import { comparisonSentence, lengthSentence, safetySentence } from './sentences.js';
import { SmallButton } from './small-button.js';
import { type ColumnForm, type DialectColumn, type Options, policies, toColumn } from './state.js';
import { tokenCounts } from './tokens.js';

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
    text = createPromptText(place, words().write.textOf(props.index + 1));
    show(props.drawing);
  });
  onCleanup(() => text?.destroy());
  whenChanged(() => props.drawing, show);

  return (
    <section
      class="box write-column"
      aria-label={words().write.column(props.index + 1, props.column.dialect)}
      aria-busy={!props.drawing || !isFor(props.drawing.column, props.column)}
    >
      <Choices {...props} textNow={() => drawn()?.text ?? ''} />
      <Show when={problem()}>
        {(found) => (
          <p class="write-problem" role="status">
            {words().write.cannot} {found().message}
          </p>
        )}
      </Show>
      <Show when={!problem() && drawn()}>
        {(now) => (
          <Facts drawn={now()} {...props}>
            <Show when={attacks().length > 0}>
              <button type="button" onClick={showNext}>
                {words().write.showNext((Math.max(at() - 1, 0) % attacks().length) + 1, attacks().length)}
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
  asked.dialect === column.dialect && asked.form === column.form && asked.safety === column.safety;

function Choices(props: ColumnProps & { textNow(): string }) {
  const number = () => props.index + 1;
  const [copied, setCopied] = createSignal(false);
  const hasPrompt = () =>
    dialects.find(({ name }) => name === props.column.dialect)?.render.prompt !== undefined;
  return (
    <div class="flow write-choices">
      <select
        aria-label={words().write.dialectOf(number())}
        onChange={(event) =>
          props.onChange({ ...props.column, ...toColumn(event.currentTarget.value, props.column.form) })
        }
      >
        <OptionList of={dialects.map(({ name }) => name)} chosen={props.column.dialect} />
      </select>
      <select
        aria-label={words().write.formOf(number())}
        title={hasPrompt() ? undefined : words().write.noPrompt}
        onChange={(event) =>
          props.onChange({
            ...props.column,
            ...toColumn(props.column.dialect, event.currentTarget.value as ColumnForm),
          })
        }
      >
        <option value="prompt" disabled={!hasPrompt()} selected={props.column.form === 'prompt'}>
          {words().write.forms.prompt}
        </option>
        <option value="messages" selected={props.column.form === 'messages'}>
          {words().write.forms.messages}
        </option>
      </select>
      <select
        aria-label={words().write.policyOf(number())}
        title={words().write.policyAbout}
        onChange={(event) =>
          props.onChange({
            dialect: props.column.dialect,
            form: props.column.form,
            ...(event.currentTarget.value && { safety: event.currentTarget.value as Options['safety'] }),
          })
        }
      >
        <OptionList of={[['', words().write.policyAsAll], ...policies]} chosen={props.column.safety ?? ''} />
      </select>
      <button
        type="button"
        aria-label={words().write.copyOf(number())}
        onClick={() => void copyText(props.textNow()).then(setCopied)}
      >
        {copied() ? '✓' : words().read.copy}
      </button>
      <SmallButton
        label={words().write.removeColumn(number())}
        sign="✕"
        disabled={props.columns.length === 1}
        onClick={props.onRemove}
      />
    </div>
  );
}

function Facts(props: ColumnProps & { drawn: Drawn; children: unknown }) {
  const verdict = () => safetySentence(props.drawn, props.column.safety ?? props.options.safety);
  const comparison = () => comparisonSentence(props.drawn, (at) => props.columns[at]?.dialect ?? '');
  return (
    <div class="write-facts">
      <p>{lengthSentence(props.drawn, tokenCounts.of(props.drawn))}</p>
      <p class={`write-verdict write-${verdict().kind}`} role="status">
        {verdict().text} {props.children as never}
      </p>
      <Show when={comparison()}>
        <p>{comparison()}</p>
      </Show>
    </div>
  );
}
