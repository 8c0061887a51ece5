// A grammar that holds a sampler to calls of the declared tools.

import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { CodeBlock } from '../../parts/code-block.jsx';
import type { PageReader, ReadOutcome } from '../../reading/index.js';
import { words } from '../../words/words.js';

const formats = ['gbnf', 'structural-tag', 'lark', 'json-schema'] as const;

export function GrammarPanel(props: {
  reader: PageReader;
  outcome: ReadOutcome | undefined;
  tools: readonly string[];
}) {
  const [format, setFormat] = createSignal<string>(formats[0]);
  const [text, setText] = createSignal<string>();
  const [limits, setLimits] = createSignal<readonly string[]>([]);
  const [trouble, setTrouble] = createSignal('');
  createEffect(
    on([() => props.outcome, format, () => props.tools], async ([outcome, wanted, tools]) => {
      if (!outcome || tools.length === 0) return;
      try {
        const made = await props.reader.grammar(wanted);
        if (!made) return;
        setText(made.text);
        setLimits(made.limits);
        setTrouble('');
      } catch (error) {
        setText(undefined);
        setLimits([]);
        setTrouble((error as Error).message);
      }
    }),
  );
  return (
    <>
      <label class="chip">
        {words().grammar.format}
        <select onChange={(event) => setFormat(event.currentTarget.value)}>
          <For each={formats}>{(name) => <option value={name}>{name}</option>}</For>
        </select>
      </label>
      <p class="nothing">{words().grammar.about}</p>
      <Show when={props.tools.length > 0} fallback={<p>{words().grammar.noTools}</p>}>
        <Show when={trouble()}>
          <p role="alert">{trouble()}</p>
        </Show>
        <Show when={limits().length > 0}>
          <details>
            <summary>
              {words().grammar.limits} ({limits().length})
            </summary>
            <ul>
              <For each={limits()}>{(limit) => <li>{limit}</li>}</For>
            </ul>
          </details>
        </Show>
        <Show when={text()} fallback={<p class="nothing">{trouble() ? '' : words().grammar.none}</p>}>
          {(grammar) => (
            <CodeBlock text={grammar()} label={words().grammar.label} copy={words().grammar.copy} />
          )}
        </Show>
      </Show>
    </>
  );
}
