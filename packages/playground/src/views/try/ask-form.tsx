// The form of a request: model, system text, tools, question.

import { findDialect } from '@dragoman/core';
import { createUniqueId, Show } from 'solid-js';
import { OptionList } from '../../parts/option-list.jsx';
import { exampleTools } from './example.js';
import { toolsProblem } from './messages.js';
import type { TrySession } from './session.js';

export function AskForm(props: { session: TrySession }) {
  const id = createUniqueId();
  let field!: HTMLTextAreaElement;
  const form = () => props.session.form();
  const problem = () => toolsProblem(form().tools);
  const ready = () =>
    !props.session.busy() &&
    !props.session.waits() &&
    form().model !== '' &&
    form().question.trim() !== '' &&
    problem() === undefined;
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
    <form class="ask" onSubmit={send}>
      <ModelChoice session={props.session} />
      <label for={`${id}-question`}>{props.session.rounds().length > 0 ? 'Next question' : 'Question'}</label>
      <textarea
        id={`${id}-question`}
        ref={field}
        rows="3"
        value={form().question}
        onInput={(event) => props.session.write({ question: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
        }}
      />
      <div class="flow ask-row">
        <button type="submit" class="main" aria-disabled={!ready()}>
          Send
        </button>
        <Show when={props.session.busy()}>
          <button type="button" onClick={stop}>
            Stop
          </button>
        </Show>
        <button
          type="button"
          disabled={props.session.rounds().length === 0 && form().messages.length === 0}
          onClick={() => props.session.startOver()}
        >
          Start over
        </button>
        <span class="faint">
          {props.session.waits() ? 'The calls wait for results first.' : 'Or Ctrl+Enter.'}
        </span>
      </div>
      <div class="flow ask-row">
        <label for={`${id}-tools`}>Tools, as JSON</label>
        <button type="button" onClick={() => props.session.write({ tools: exampleTools })}>
          Example
        </button>
        <button type="button" onClick={() => props.session.write({ tools: '' })}>
          None
        </button>
      </div>
      <textarea
        id={`${id}-tools`}
        class="code"
        rows="8"
        spellcheck={false}
        aria-invalid={problem() !== undefined}
        aria-describedby={`${id}-problem`}
        value={form().tools}
        onInput={(event) => props.session.write({ tools: event.currentTarget.value })}
      />
      <p id={`${id}-problem`} class="problem" role="status">
        {problem()}
      </p>
      <label for={`${id}-system`}>System text</label>
      <textarea
        id={`${id}-system`}
        rows="2"
        placeholder="None. For example: You are a helpful assistant."
        value={form().system}
        onInput={(event) => props.session.write({ system: event.currentTarget.value })}
      />
    </form>
  );
}

/** A list of the gateway's models; a field for any name if it lists none. */
function ModelChoice(props: { session: TrySession }) {
  const id = createUniqueId();
  const models = () => props.session.models()?.map((one) => one.id) ?? [];
  const model = () => props.session.form().model;
  const isUnknown = () => model() !== '' && !models().includes(model());
  const options = () =>
    isUnknown() ? [[model(), `${model()} (not in the list)`] as const, ...models()] : models();
  return (
    <>
      <label for={id}>Model</label>
      <Show
        when={models().length > 0}
        fallback={
          <input
            id={id}
            value={model()}
            spellcheck={false}
            placeholder="the name of a model"
            onInput={(event) => props.session.write({ model: event.currentTarget.value })}
          />
        }
      >
        <select
          id={id}
          aria-describedby={`${id}-about`}
          onChange={(event) => props.session.write({ model: event.currentTarget.value })}
        >
          <OptionList of={options()} chosen={model()} />
        </select>
      </Show>
      <p id={`${id}-about`} class="faint ask-about">
        {aboutModel(model())}
      </p>
    </>
  );
}

const DEMO = 'The demo model is a few rules and no neural network: it shows the format, not the skill.';

/** Describes a model of the demo; '' for others. */
function aboutModel(id: string): string {
  if (id === 'demo') return `${DEMO} Its calls are written in the dialect that is taught to any model.`;
  const dialect = id.startsWith('demo/') ? dialectNamed(id.slice('demo/'.length)) : undefined;
  return dialect ? `${DEMO} It writes ${dialect.name}: ${dialect.about}` : '';
}

function dialectNamed(name: string) {
  try {
    return findDialect(name);
  } catch {
    return undefined;
  }
}
