// The report of a verification: scores, times, checks with the worst first, and what is wrong with what to do.

import {
  type CheckResult,
  type Example,
  isRight,
  type ReadingRole,
  scoreLines,
  timeLines,
  type VerifyReport,
  verdictOf,
  worstFirst,
} from '@dragoman/verify';
import { For, Show } from 'solid-js';
import '../../reading/text-editor.css';
import { words } from '../../words/words.js';

export function ReportView(props: { report: VerifyReport }) {
  const sorted = () => worstFirst(props.report);
  const open = () => sorted().filter(({ status }) => status === 'fail' || status === 'warn');
  return (
    <>
      <h2 class={isRight(props.report) ? 'verdict pass' : 'verdict fail'}>{verdictOf(props.report)}</h2>
      <CheckTable checks={sorted()} />
      <For each={open()}>{(check) => <Details check={check} />}</For>
      <h3>{words().verify.scores}</h3>
      <dl class="verify-numbers">
        <For each={[...scoreLines(props.report.scores), ...timeLines(props.report.latency)]}>
          {([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          )}
        </For>
      </dl>
    </>
  );
}

function CheckTable(props: { checks: readonly CheckResult[] }) {
  return (
    <table class="verify-checks">
      <thead>
        <tr>
          <th scope="col">{words().verify.status}</th>
          <th scope="col">{words().verify.check}</th>
          <th scope="col">{words().verify.passed}</th>
          <th scope="col" class="wide">
            {words().verify.rightly}
          </th>
        </tr>
      </thead>
      <tbody>
        <For each={props.checks}>
          {({ id, status, passed, of, title, reason, required }) => (
            <tr>
              <td class={`status ${status}`}>{words().verify.states[status]}</td>
              <td>{id}</td>
              <td>{of > 0 ? `${passed}/${of}` : ''}</td>
              <td class="wide">
                {title}
                <Show when={!required}>
                  <span class="faint"> {words().verify.optional}</span>
                </Show>
                <Show when={reason}>
                  <span class="faint"> {reason}</span>
                </Show>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}

function Details(props: { check: CheckResult }) {
  return (
    <section class={`verify-fault ${props.check.status}`} aria-label={props.check.id}>
      <h3>
        {props.check.id}: {props.check.title}
      </h3>
      <p class="verify-advice">{props.check.advice}</p>
      <For each={props.check.examples}>{(example) => <ExampleView example={example} />}</For>
    </section>
  );
}

/** The names that the page has for the kinds of characters. */
const classes: Record<ReadingRole, string> = {
  text: 'text',
  reasoning: 'reasoning',
  name: 'call-name',
  argument: 'argument',
  markup: 'markup',
};

function ExampleView(props: { example: Example }) {
  return (
    <>
      <p>
        {props.example.message} <span class="faint">({props.example.probe})</span>
      </p>
      <Show when={props.example.reading}>
        {(reading) => (
          <pre tabindex="0">
            <For each={reading().spans}>
              {({ start, end, role }) => (
                <span class={`read-as ${classes[role]}`}>{reading().text.slice(start, end)}</span>
              )}
            </For>
          </pre>
        )}
      </Show>
      <Fold title={words().verify.request} text={props.example.request} />
      <Fold title={words().verify.came} text={props.example.response} />
    </>
  );
}

function Fold(props: { title: string; text: string }) {
  return (
    <Show when={props.text !== ''}>
      <details>
        <summary>{props.title}</summary>
        <pre tabindex="0">{props.text}</pre>
      </details>
    </Show>
  );
}
