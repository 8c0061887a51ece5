// One request to the model: what was sent, and the raw text that came back.

import type { JsonValue } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import type { AttemptRecord } from '@dragoman/gateway';
import { createMemo, Index, Show } from 'solid-js';
import { attemptSegments } from '../../gateway/to-read-state.js';
import { CodeBlock } from '../../parts/code-block.jsx';
import { JsonTreeView } from '../../parts/json-tree-view.jsx';
import { Legend } from '../../parts/legend.jsx';
import { LongText } from '../../parts/long-text.jsx';
import { words } from '../../words/words.js';

/** `which`: names the attempt, where there are several. `open`: more text may come. */
export function RawText(props: { attempt: AttemptRecord; which: string; open: boolean }) {
  const segments = createMemo(() => attemptSegments(props.attempt.events));
  return (
    <>
      <Show when={props.which}>
        <h3>{props.which}</h3>
      </Show>
      <Show when={props.attempt.text !== ''} fallback={<p class="faint">{words().inspect.nothing}</p>}>
        <Legend />
        <LongText
          text={props.attempt.text}
          segments={segments()}
          label={`${words().inspect.tabs.raw}${props.which && `, ${props.which}`}`}
          follow={props.open}
        />
      </Show>
      <Show when={props.attempt.textCut}>
        {(cut) => <p class="faint">{words().inspect.notKept(cut())}</p>}
      </Show>
      <Show when={props.attempt.reasons}>
        {(reasons) => (
          <p>
            {words().inspect.askedAgain(1)} {reasons().join(' ')}
          </p>
        )}
      </Show>
    </>
  );
}

export function Prompt(props: { attempt: AttemptRecord; which: string }) {
  const prompt = () => ('prompt' in props.attempt.sent ? props.attempt.sent.prompt : undefined);
  const messages = () => ('messages' in props.attempt.sent ? props.attempt.sent.messages : []);
  const tools = () => ('tools' in props.attempt.sent ? props.attempt.sent.tools : undefined);
  return (
    <>
      <Show when={props.which}>
        <h3>{props.which}</h3>
      </Show>
      <Show when={prompt() !== undefined}>
        <CodeBlock
          text={prompt() ?? ''}
          label={words().inspect.tabs.prompt}
          copy={words().inspect.copyPrompt}
        />
      </Show>
      <Index each={listOf(messages())}>
        {(message, at) => (
          <>
            <h4>{roleOf(message())}</h4>
            <Show
              when={textOf(message())}
              fallback={
                <JsonTreeView
                  label={words().inspect.message(at + 1)}
                  json={JSON.stringify(message())}
                  levels={2}
                />
              }
            >
              {(text) => (
                <LongText text={text()} label={`${words().inspect.message(at + 1)}, ${roleOf(message())}`} />
              )}
            </Show>
          </>
        )}
      </Index>
      <Json title={words().inspect.upstreamTools} value={tools()} />
      <Json title={words().inspect.settings} value={props.attempt.settings} />
      <Json title={words().inspect.members} value={props.attempt.members} />
    </>
  );
}

function Json(props: { title: string; value: JsonValue | undefined }) {
  return (
    <Show when={props.value !== undefined}>
      <h4>{props.title}</h4>
      <JsonTreeView label={props.title} json={JSON.stringify(props.value)} levels={1} />
    </Show>
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
