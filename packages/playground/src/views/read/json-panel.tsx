// The answer as clients of the APIs get it.

import { createEffect, createResource, createSignal, For, on, Show } from 'solid-js';
import { CodeBlock } from '../../parts/code-block.jsx';
import type { PageReader, ReadOutcome } from '../../reading/index.js';
import { words } from '../../words/words.js';

/** The APIs are loaded when the tab is opened. */
async function servedApis() {
  const { wires } = await import('@dragoman/core/wire');
  return wires.filter(({ served }) => served).map(({ name, title }) => ({ name, title }));
}

export function JsonPanel(props: { reader: PageReader; outcome: ReadOutcome | undefined }) {
  const [apis] = createResource(servedApis);
  const [chosen, setChosen] = createSignal('');
  const api = () => chosen() || apis()?.[0]?.name;
  const [text, setText] = createSignal('');
  const [trouble, setTrouble] = createSignal('');
  createEffect(
    on([() => props.outcome, api], async ([outcome, name]) => {
      if (!outcome || !name) return;
      try {
        const json = await props.reader.json(name);
        if (json !== undefined) setText(json);
        setTrouble('');
      } catch (error) {
        setTrouble(words().json.failed((error as Error).message));
      }
    }),
  );
  return (
    <>
      <label class="chip">
        {words().json.api}
        <select onChange={(event) => setChosen(event.currentTarget.value)}>
          <For each={apis() ?? []}>{({ name, title }) => <option value={name}>{title}</option>}</For>
        </select>
      </label>
      <p class="nothing">{words().json.about}</p>
      <Show when={trouble()}>
        <p role="alert">{trouble()}</p>
      </Show>
      <Show when={text()}>
        <CodeBlock text={text()} label={words().json.label} copy={words().json.copy} />
      </Show>
    </>
  );
}
