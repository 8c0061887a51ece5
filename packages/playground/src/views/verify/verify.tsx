// Tests a model of the gateway, and shows the report while it grows.

import { createResource, createUniqueId, For, onMount, Show } from 'solid-js';
import { KeyField } from '../../gateway/key-field.jsx';
import { TroubleNote } from '../../gateway/trouble-note.jsx';
import { OptionList } from '../../parts/option-list.jsx';
import type { ViewProps } from '../../view.js';
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
      <section class="verify-form" aria-label="What is tested">
        <KeyField needed={own.trouble()?.kind === 'key'} onUse={() => void own.loadModels()} />
        <TroubleNote trouble={own.trouble()} again={() => void own.loadModels()} />
        <Form session={own} />
      </section>
      <section class="verify-report" aria-label="The report">
        <p class="verify-progress" role="status">
          {progressWords(own)}
        </p>
        <Show
          when={own.progress().state === 'running' || (own.progress().state === 'stopped' && !own.report())}
        >
          <progress
            max={Math.max(1, own.progress().planned)}
            value={own.progress().done}
            aria-label="Probes"
          />
          <LiveTable session={own} />
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

const suites = [
  ['quick', 'Quick: about 100 probes'],
  ['full', 'Full: about 640 probes'],
] as const;

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
            <label for={`${id}-name`}>Model</label>
            <input
              id={`${id}-name`}
              value={form().model}
              spellcheck={false}
              onInput={(event) => props.session.write({ model: event.currentTarget.value })}
            />
          </>
        }
      >
        {select('model', 'Model', props.session.models())}
      </Show>
      <Show when={apis()}>{(list) => select('api', 'API', list())}</Show>
      {select('suite', 'Suite', suites)}
      <div class="flow verify-buttons">
        <button type="submit" class="main" aria-disabled={running() || form().model === ''}>
          Verify
        </button>
        <Show when={running()}>
          <button type="button" onClick={() => props.session.stop()}>
            Stop
          </button>
        </Show>
      </div>
      <p class="faint">
        Every probe is a request to the model. <code>dragoman verify</code> tests other endpoints.
      </p>
    </form>
  );
}

function progressWords(session: VerifySession): string {
  const { state, done, planned } = session.progress();
  if (state === 'idle') return 'Nothing was tested yet.';
  if (state === 'running')
    return planned === 0 ? 'Reaching the model …' : `${done} of ${planned} probes are judged.`;
  return state === 'stopped'
    ? `Stopped: ${done} of ${planned} probes are judged.`
    : `All ${planned} probes are judged.`;
}

/** The checks that have found something, the worst first. */
function LiveTable(props: { session: VerifySession }) {
  const sorted = () => [...props.session.live()].sort((a, b) => a.passed / a.of - b.passed / b.of);
  return (
    <table class="verify-checks">
      <thead>
        <tr>
          <th scope="col">So far</th>
          <th scope="col">Check</th>
          <th scope="col">Passed</th>
        </tr>
      </thead>
      <tbody>
        <For each={sorted()}>
          {({ id, passed, of }) => (
            <tr>
              <td class={`status ${passed === of ? 'pass' : 'fail'}`}>{passed === of ? 'pass' : 'fail'}</td>
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
