// What is asked: the models, the question, and beside the conversation the tools and the system text.

import { dialectList } from 'virtual:dialects';
import { createUniqueId, For, Show } from 'solid-js';
import { OptionList } from '../../parts/option-list.jsx';
import type { ReadTools } from '../../reading/index.js';
import { ToolsEditor } from '../../reading/tools-editor.jsx';
import { tinyState } from '../../tiny/browser-model.js';
import { browserModel, dialectIn } from '../../tiny/tiny-messages.js';
import { words } from '../../words/words.js';
import { exampleTools } from './example.js';
import type { TrySession } from './session.js';
import { MOST_OTHERS } from './state.js';

export function Composer(props: { session: TrySession; tools: ReadTools }) {
  const id = createUniqueId();
  let field!: HTMLTextAreaElement;
  const form = () => props.session.form();
  const ready = () =>
    !props.session.busy() &&
    !props.session.waits() &&
    form().model !== '' &&
    form().question.trim() !== '' &&
    'tools' in props.tools;
  const send = (event: Event) => {
    event.preventDefault();
    if (ready()) void props.session.ask();
  };
  // The button disappears with the answer, so the focus moves to the field.
  const stop = () => {
    props.session.stop();
    field.focus();
  };
  return (
    <form class="box composer" classList={{ waits: props.session.waits() }} onSubmit={send}>
      <label class="unseen" for={id}>
        {props.session.rounds().length > 0 ? words().try.nextQuestion : words().try.question}
      </label>
      <textarea
        id={id}
        ref={field}
        rows="2"
        placeholder={words().try.placeholder}
        value={form().question}
        onInput={(event) => props.session.write({ question: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
        }}
      />
      <div class="flow composer-row">
        <span class="faint">{props.session.waits() ? words().try.waitFirst : words().try.orKeys}</span>
        <Show when={props.session.busy()}>
          <button type="button" onClick={stop}>
            {words().try.stop}
          </button>
        </Show>
        <button type="submit" class="main" aria-disabled={!ready()}>
          {words().try.send}
        </button>
      </div>
    </form>
  );
}

/** The tools and the system text. */
export function Settings(props: { session: TrySession; tools: ReadTools }) {
  const id = createUniqueId();
  const form = () => props.session.form();
  return (
    <section class="box try-settings" aria-label={words().try.settings}>
      <h2>{words().tools.title}</h2>
      <ToolsEditor
        text={form().tools}
        read={props.tools}
        example={exampleTools}
        onText={(tools) => props.session.write({ tools })}
      />
      <label for={`${id}-system`}>{words().try.system}</label>
      <textarea
        id={`${id}-system`}
        rows="3"
        placeholder={words().try.systemHint}
        value={form().system}
        onInput={(event) => props.session.write({ system: event.currentTarget.value })}
      />
      <p class="faint">{aboutModel(form().model)}</p>
    </section>
  );
}

function aboutModel(model: string): string {
  if (dialectIn(model) !== undefined) return words().tiny.here;
  return model.startsWith('demo') ? words().try.demo : '';
}

/** A list of the gateway's models, and others that are asked the same; a field for any name if it lists none. */
export function ModelChoices(props: { session: TrySession }) {
  const here = () => (tinyState().step === 'ready' ? dialectList.map(({ name }) => browserModel(name)) : []);
  const models = () => [...here(), ...(props.session.models()?.map((one) => one.id) ?? [])];
  const form = () => props.session.form();
  const isUnknown = () => form().model !== '' && !models().includes(form().model);
  const options = () =>
    isUnknown() ? [[form().model, words().try.notListed(form().model)] as const, ...models()] : models();
  const rest = () => models().filter((name) => name !== form().model && !form().others.includes(name));
  const leave = (name: string) =>
    props.session.write({ others: form().others.filter((one) => one !== name) });
  return (
    <>
      <label class="chip">
        {words().try.model}
        <Show
          when={models().length > 0}
          fallback={
            <input
              value={form().model}
              spellcheck={false}
              placeholder={words().try.modelHint}
              onInput={(event) => props.session.write({ model: event.currentTarget.value })}
            />
          }
        >
          <select onChange={(event) => props.session.write({ model: event.currentTarget.value })}>
            <OptionList of={options()} chosen={form().model} />
          </select>
        </Show>
      </label>
      <For each={form().others}>
        {(name) => (
          <button type="button" aria-label={words().try.leaveOut(name)} onClick={() => leave(name)}>
            {name} ✕
          </button>
        )}
      </For>
      <Show when={rest().length > 0 && form().others.length < MOST_OTHERS}>
        <label class="chip ask-others">
          <span class="unseen">{words().try.askAlso}</span>
          <select
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (value !== '') props.session.write({ others: [...form().others, value] });
            }}
          >
            <OptionList of={[['', words().try.askAlso], ...rest()]} chosen="" />
          </select>
        </label>
      </Show>
    </>
  );
}
