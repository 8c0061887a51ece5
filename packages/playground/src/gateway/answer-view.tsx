// Shows the answer that a client gets, while it streams and afterwards: reasoning, text, calls.

import { parseExact } from '@dragoman/core';
import type { AnswerRecord } from '@dragoman/gateway';
import { createMemo, Index, Show } from 'solid-js';
import { JsonTreeView } from '../parts/json-tree-view.jsx';
import { Prose } from '../parts/prose.jsx';
import { shownName, shownText } from '../parts/shown-call.js';
import { words } from '../words/words.js';
import './answer-view.css';

/** A call that is not complete was cut off: it must not be run. */
export type ShownCall = AnswerRecord['calls'][number];

type ShownAnswer = Pick<AnswerRecord, 'text' | 'reasoning' | 'calls'>;

/** `open`: the answer still streams. */
export function AnswerView(props: { answer: ShownAnswer; open: boolean }) {
  const empty = () => {
    const { text, reasoning, calls } = props.answer;
    return text === '' && reasoning === '' && calls.length === 0;
  };
  return (
    <div class="answer">
      <Show when={props.answer.reasoning}>
        <h4>{words().gateway.reasoning}</h4>
        <div class="answer-reasoning">
          <Prose text={props.answer.reasoning} label={words().gateway.reasoning} follow />
        </div>
      </Show>
      <Show when={props.answer.text}>
        <h4>{words().gateway.text}</h4>
        <Prose text={props.answer.text} label={words().gateway.text} follow />
      </Show>
      <Index each={props.answer.calls}>
        {(call, at) => (
          <>
            <h4>{words().gateway.call(at + 1)}</h4>
            <CallView call={call()} open={props.open} />
          </>
        )}
      </Index>
      <Show when={empty()}>
        <p class="faint">{props.open ? words().try.nothingYet : words().inspect.nothing}</p>
      </Show>
    </div>
  );
}

function CallView(props: { call: ShownCall; open: boolean }) {
  const isTree = createMemo(() => isShort(props.call.arguments, props.open) || isWhole(props.call.arguments));
  const label = () => words().calls.argumentsOf(props.call.name);
  return (
    <div class="box answer-call">
      <code class="answer-name">{shownName(props.call.name)}</code>
      <Show when={!props.call.complete && !props.open}>
        {' '}
        <span class="report-issue">{words().gateway.cutOff}</span>
      </Show>
      <Show
        when={isTree()}
        fallback={<Prose text={shownText(props.call.arguments)} label={label()} follow />}
      >
        <JsonTreeView label={label()} json={props.call.arguments} />
      </Show>
    </div>
  );
}

/** Short arguments are trees while they stream. A long tree would be built anew for each delta. */
const isShort = (json: string, open: boolean) => open && json.length < 10_000;

function isWhole(json: string): boolean {
  if (!json.endsWith('}')) return false;
  try {
    parseExact(json);
    return true;
  } catch {
    return false;
  }
}
