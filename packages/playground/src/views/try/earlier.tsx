// Earlier messages of the conversation that came with a link. There is no raw text of them.

import { For, Show } from 'solid-js';
import { Prose } from '../../parts/prose.jsx';
import type { ChatMessage } from './messages.js';

export function Earlier(props: { messages: readonly ChatMessage[] }) {
  return (
    <Show when={props.messages.length > 0}>
      <details class="earlier">
        <summary>Said before ({props.messages.length} messages)</summary>
        <For each={props.messages}>{(message) => <MessageView message={message} />}</For>
      </details>
    </Show>
  );
}

const speakers = { user: 'You', assistant: 'The model', tool: 'Result' } as const;

export function MessageView(props: { message: ChatMessage }) {
  const calls = () => (props.message.role === 'assistant' ? (props.message.tool_calls ?? []) : []);
  return (
    <div class="try-message">
      <span class="try-message-by">{speakers[props.message.role]}</span>
      <div>
        <Prose text={props.message.content} label={speakers[props.message.role]} />
        <For each={calls()}>
          {({ function: { name, arguments: json } }) => (
            <code>
              {name}({json})
            </code>
          )}
        </For>
      </div>
    </div>
  );
}
