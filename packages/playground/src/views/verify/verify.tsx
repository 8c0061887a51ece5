// Tests a model of the gateway, and shows the report while it grows.

import { createResource, createUniqueId, For, onMount, Show } from 'solid-js';
import { KeyField } from '../../gateway/key-field.jsx';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { OptionList } from '../../parts/option-list.jsx';
import type { ViewProps } from '../../view.js';
import { words } from '../../words/words.js';
import { ReportView } from './report-view.jsx';
import { createVerifySession, type VerifyForm, type VerifySession } from './session.js';
import './verify.css';

let session: VerifySession | undefined;

export default function Verify(props: ViewProps) {
  session ??= createVerifySession();
  const own = session;
  onMount(() => void own.loadModels());
  onMount(() => props.keep(undefined));
  return (
    <div class="verify gateway-view">
      <div class="bar">
        <p class="about">{words().verify.about}</p>
        <span class="rest" />
        <KeyField needed={own.trouble()?.kind === 'key'} onUse={() => void own.loadModels()} />
      </div>
      <section class="box verify-form" aria-label={words().verify.tested}>
        <TroubleNote trouble={own.trouble()} again={() => void own.loadModels()} />
        <Form session={own} />
      </section>
      <section class="box verify-report" aria-label={words().verify.report}>
        <p class="verify-progress" role="status">
          {progressWords(own)}
        </p>
        <Show
          when={own.progress().state === 'running' || (own.progress().state === 'stopped' && !own.report())}
        >
          <progress
            max={Math.max(1, own.progress().planned)}
            value={own.progress().done}
            aria-label={words().verify.probes}
          />
          <LiveTable session={own} />
        </Show>
        <Show when={own.progress().state === 'idle'}>
          <ul class="verify-teaches">
            <For each={words().verify.teaches}>{(sentence) => <li>{sentence}</li>}</For>
          </ul>
          <a href="site/docs/verify.html">{words().verify.docs}</a>
        </Show>
        <Show when={own.report()}>{(report) => <ReportView report={report()} />}</Show>
      </section>
    </div>
  );
}

/** The other views need the APIs seldom: they are loaded apart. */
async function servedApis(): Promise<(readonly [name: string, title: string])[]> {
  const { wires } = await import('@dragoman/core/wire');
  return wires.filter(({ served }) => served).map(({ name, title }) => [name, title] as const);
}

function Form(props: { session: VerifySession }) {
  const id = createUniqueId();
  const form = () => props.session.form();
  const [apis] = createResource(servedApis);
  const running = () => props.session.progress().state === 'running';
  const start = (event: Event) => {
    event.preventDefault();
    if (!running() && form().model !== '') void props.session.start();
  };
  const select = (name: keyof VerifyForm, label: string, options: Parameters<typeof OptionList>[0]['of']) => (
    <>
      <label for={`${id}-${name}`}>{label}</label>
      <select
        id={`${id}-${name}`}
        onChange={(event) => props.session.write({ [name]: event.currentTarget.value })}
      >
        <OptionList of={options} chosen={form()[name] ?? ''} />
      </select>
    </>
  );
  return (
    <form class="verify-fields" onSubmit={start}>
      <Show
        when={props.session.models().length > 0}
        fallback={
          <>
            <label for={`${id}-name`}>{words().try.model}</label>
            <input
              id={`${id}-name`}
              value={form().model}
              spellcheck={false}
              onInput={(event) => props.session.write({ model: event.currentTarget.value })}
            />
          </>
        }
      >
        {select('model', words().try.model, props.session.models())}
      </Show>
      <Show when={apis()}>{(list) => select('api', words().json.api, list())}</Show>
      {select('suite', words().verify.suite, Object.entries(words().verify.suites))}
      <div class="flow verify-buttons">
        <button type="submit" class="main" aria-disabled={running() || form().model === ''}>
          {words().page.verify}
        </button>
        <Show when={running()}>
          <button type="button" onClick={() => props.session.stop()}>
            {words().try.stop}
          </button>
        </Show>
      </div>
      <p class="faint">
        {words().verify.everyProbe} <code>dragoman verify</code>
      </p>
    </form>
  );
}

function progressWords(session: VerifySession): string {
  const { state, done, planned } = session.progress();
  const { verify } = words();
  if (state === 'idle') return verify.idle;
  if (state === 'running') return planned === 0 ? verify.reaching : verify.judged(done, planned);
  return state === 'stopped' ? verify.stopped(done, planned) : verify.all(planned);
}

const stateOf = (passed: number, of: number) => (passed === of ? 'pass' : 'fail');

/** The checks that have found something, the worst first. */
function LiveTable(props: { session: VerifySession }) {
  const sorted = () => [...props.session.live()].sort((a, b) => a.passed / a.of - b.passed / b.of);
  return (
    <table class="verify-checks">
      <thead>
        <tr>
          <th scope="col">{words().verify.soFar}</th>
          <th scope="col">{words().verify.check}</th>
          <th scope="col">{words().verify.passed}</th>
        </tr>
      </thead>
      <tbody>
        <For each={sorted()}>
          {({ id, passed, of }) => (
            <tr>
              <td class={`status ${stateOf(passed, of)}`}>{words().verify.states[stateOf(passed, of)]}</td>
              <td>{id}</td>
              <td>
                {passed}/{of}
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
