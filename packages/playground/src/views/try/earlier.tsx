// Earlier messages of the conversation that came with a link. There is no raw text of them.

import { For, Show } from 'solid-js';
import { Prose } from '../../parts/prose.jsx';
import { shownName } from '../../parts/shown-call.js';
import { words } from '../../words/words.js';
import type { ChatMessage } from './messages.js';

export function Earlier(props: { messages: readonly ChatMessage[] }) {
  return (
    <Show when={props.messages.length > 0}>
      <details class="earlier">
        <summary>{words().try.earlier(props.messages.length)}</summary>
        <For each={props.messages}>{(message) => <MessageView message={message} />}</For>
      </details>
    </Show>
  );
}

export function MessageView(props: { message: ChatMessage }) {
  const calls = () => (props.message.role === 'assistant' ? (props.message.tool_calls ?? []) : []);
  return (
    <div class={`try-message ${props.message.role}`}>
      <span class="try-message-by">{words().try.speakers[props.message.role]}</span>
      <div>
        <Prose text={props.message.content} label={words().try.speakers[props.message.role]} />
        <For each={calls()}>
          {({ function: { name, arguments: json } }) => <code>{shownName(`${name}(${json})`)}</code>}
        </For>
      </div>
    </div>
  );
}
