// One request to the model: what was sent, and the raw text that came back.

import type { JsonValue } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { AttemptRecord } from '@dragoman/gateway';
import { createMemo, Index, Show } from 'solid-js';
import { attemptSegments, toReadState } from '../../gateway/to-read-state.js';
import { JsonTreeView } from '../../parts/json-tree-view.jsx';
import { Legend } from '../../parts/legend.jsx';
import { LongText } from '../../parts/long-text.jsx';
import type { ReadState } from '../../view.js';
import { Fold } from './fold.jsx';

export interface AttemptViewProps {
  attempt: AttemptRecord;
  number: number;
  count: number;
  dialect: string | undefined;
  /** JSON text. */
  tools: string;
  /** More text may come. */
  open: boolean;
  read(state: ReadState): void;
}

export function AttemptView(props: AttemptViewProps) {
  const which = () => (props.count > 1 ? `, try ${props.number}` : '');
  const segments = createMemo(() => attemptSegments(props.attempt.events));
  const read = () => {
    const { text } = props.attempt;
    props.read(toReadState({ text, dialect: props.dialect, tools: props.tools, segments: segments() }));
  };
  return (
    <>
      <Fold title={`Prompt${which()}`} about="as it was sent to the model">
        <Sent sent={props.attempt.sent} />
        <h4>Settings</h4>
        <JsonTreeView label="Settings" json={JSON.stringify(props.attempt.settings)} levels={1} />
        <Show when={props.attempt.members}>
          {(members) => (
            <>
              <h4>Members added to the request</h4>
              <JsonTreeView label="Added members" json={JSON.stringify(members())} levels={1} />
            </>
          )}
        </Show>
      </Fold>
      <Fold title={`Raw text${which()}`} about="as the model wrote it" open>
        <Show when={props.attempt.text !== ''} fallback={<p class="faint">None.</p>}>
          <Legend />
          <LongText
            text={props.attempt.text}
            segments={segments()}
            label={`Raw text${which()}`}
            follow={props.open}
          />
          <p>
            <button type="button" onClick={read}>
              Open in Read
            </button>
          </p>
        </Show>
        <Show when={props.attempt.textCut}>
          {(cut) => <p class="faint">{cut()} characters more were not kept.</p>}
        </Show>
        <Show when={props.attempt.reasons}>
          {(reasons) => <p>The model was asked again: {reasons().join(' ')}</p>}
        </Show>
      </Fold>
    </>
  );
}

function Sent(props: { sent: AttemptRecord['sent'] }) {
  const prompt = () => ('prompt' in props.sent ? props.sent.prompt : undefined);
  const messages = () => ('messages' in props.sent ? props.sent.messages : []);
  const tools = () => ('tools' in props.sent ? props.sent.tools : undefined);
  return (
    <>
      <Show when={prompt() !== undefined}>
        <LongText text={prompt() ?? ''} label="Prompt" />
      </Show>
      <Index each={listOf(messages())}>
        {(message, at) => (
          <>
            <h4>{roleOf(message())}</h4>
            <Show
              when={textOf(message())}
              fallback={
                <JsonTreeView label={`Message ${at + 1}`} json={JSON.stringify(message())} levels={2} />
              }
            >
              {(text) => <LongText text={text()} label={`Message ${at + 1}, ${roleOf(message())}`} />}
            </Show>
          </>
        )}
      </Index>
      <Show when={tools()}>
        {(list) => (
          <>
            <h4>Tools of the upstream</h4>
            <JsonTreeView label="Tools of the upstream" json={JSON.stringify(list())} levels={1} />
          </>
        )}
      </Show>
    </>
  );
}

const listOf = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : []);

function roleOf(message: JsonValue): string {
  return isObject(message) && typeof message.role === 'string' ? message.role : 'message';
}

/** The text of a message that is text alone. */
function textOf(message: JsonValue): string | undefined {
  const parts = isObject(message) ? message.parts : undefined;
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  const texts = parts.map((part: unknown) =>
    isObject(part) && part.type === 'text' ? part.text : undefined,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}
