// What a program gets: reasoning, text, calls. While they grow, and afterwards.

import { type ExactValue, parseExact } from '@dragoman/core';
import { Index, Show } from 'solid-js';
import { JsonView } from '../parts/json-view.jsx';
import { Prose } from '../parts/prose.jsx';
import './answer-view.css';

export interface AnswerViewProps {
  answer: { text: string; reasoning: string; calls: readonly ShownCall[] };
  /** More may come. */
  open: boolean;
}

interface ShownCall {
  id: string;
  name: string;
  arguments: string;
  /** Whether it may be run. */
  complete: boolean;
}

export function AnswerView(props: AnswerViewProps) {
  const empty = () => {
    const { text, reasoning, calls } = props.answer;
    return text === '' && reasoning === '' && calls.length === 0;
  };
  return (
    <div class="answer">
      <Show when={props.answer.reasoning}>
        <h4>Reasoning</h4>
        <div class="answer-reasoning">
          <Prose text={props.answer.reasoning} label="Reasoning" follow />
        </div>
      </Show>
      <Show when={props.answer.text}>
        <h4>Text</h4>
        <Prose text={props.answer.text} label="Text" follow />
      </Show>
      <Index each={props.answer.calls}>
        {(call, at) => (
          <>
            <h4>Call {at + 1}</h4>
            <CallView call={call()} open={props.open} />
          </>
        )}
      </Index>
      <Show when={empty()}>
        <p class="faint">{props.open ? 'Nothing yet.' : 'Nothing.'}</p>
      </Show>
    </div>
  );
}

function CallView(props: { call: ShownCall; open: boolean }) {
  const value = () => wholeValue(props.call.arguments);
  return (
    <div class="answer-call">
      <code class="answer-name">{props.call.name}</code>
      <Show when={!props.call.complete && !props.open}>
        {' '}
        <span class="report-issue">cut off, not to be run</span>
      </Show>
      <Show
        when={value()}
        fallback={<Prose text={props.call.arguments} label={`Arguments of ${props.call.name}`} follow />}
      >
        {(read) => <JsonView value={read().value} open={3} />}
      </Show>
    </div>
  );
}

/** The arguments, digit by digit as they were written; undefined while they are not whole. */
function wholeValue(json: string): { value: ExactValue } | undefined {
  // Only what may be whole is read: each piece of a long one would cost as much as all before it.
  if (!json.endsWith('}')) return undefined;
  try {
    return { value: parseExact(json) };
  } catch {
    return undefined;
  }
}
