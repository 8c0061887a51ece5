// The conversation: its messages, its tools.

import { createSignal, For, Show } from 'solid-js';
import { type SetStoreFunction, unwrap } from 'solid-js/store';
import {
  type Draft,
  type DraftMessage,
  type DraftPart,
  emptyMessage,
  emptyPart,
  type Problem,
  type Role,
  withRole,
} from './draft.js';
import { MessageEditor, roleNames } from './message-editor.js';
import { ToolsEditor } from './tools-editor.js';

export interface ConversationEditorProps {
  draft: Draft;
  /** Changes the draft, and has it drawn and kept. */
  edit: SetStoreFunction<Draft>;
  problem: Problem | undefined;
}

/** Messages shown at a time: a row each for thousands would make the page slow. */
const SHOWN = 100;

export function ConversationEditor(props: ConversationEditorProps) {
  // On a phone the tools would stand between the conversation and what becomes of it.
  const wide = matchMedia('(min-width: 56rem)').matches;
  const raw = () => unwrap(props.draft);
  const replace = (at: number, ...by: DraftMessage[]) =>
    props.edit('messages', raw().messages.toSpliced(at, 1, ...by));
  const setParts = (at: number, change: (parts: DraftPart[]) => DraftPart[]) =>
    props.edit('messages', at, 'parts', change(raw().messages[at]?.parts ?? []));
  const move = (at: number, by: -1 | 1) => {
    const moved = raw().messages[at];
    if (moved)
      props.edit(
        'messages',
        raw()
          .messages.toSpliced(at, 1)
          .toSpliced(at + by, 0, moved),
      );
  };
  // The window on the messages: its end, or behind the last one, whatever is added.
  const [end, setEnd] = createSignal(Number.POSITIVE_INFINITY);
  const to = () => Math.min(end(), props.draft.messages.length);
  const from = () => Math.max(0, to() - SHOWN);
  const later = () => props.draft.messages.length - to();
  const add = (role: Role) => props.edit('messages', [...raw().messages, emptyMessage(role, raw())]);

  return (
    <>
      <Show when={from() > 0}>
        <button type="button" onClick={() => setEnd(Math.max(from(), SHOWN))}>
          Show earlier messages ({from().toLocaleString('en')})
        </button>
      </Show>
      <ol class="write-messages" start={from() + 1}>
        <For each={props.draft.messages.slice(from(), to())}>
          {(message, place) => {
            const at = () => from() + place();
            return (
              <MessageEditor
                index={at()}
                message={message}
                draft={props.draft}
                problem={props.problem}
                onOpen={(open) => props.edit('messages', at(), 'open', open)}
                onRole={(role) => replace(at(), withRole(raw().messages[at()] as DraftMessage, role, raw()))}
                onPart={(part, change) => props.edit('messages', at(), 'parts', part, change as DraftPart)}
                onAddPart={(type) => setParts(at(), (parts) => [...parts, emptyPart(type, raw())])}
                onRemovePart={(part) => setParts(at(), (parts) => parts.toSpliced(part, 1))}
                onMove={(by) => move(at(), by)}
                onRemove={() => replace(at())}
              />
            );
          }}
        </For>
      </ol>
      <Show when={later() > 0}>
        <button type="button" onClick={() => setEnd(to() + SHOWN)}>
          Show later messages ({later().toLocaleString('en')})
        </button>
      </Show>
      <fieldset class="write-row" aria-label="Add a message">
        <For each={Object.keys(roleNames) as Role[]}>
          {(role) => (
            <button type="button" onClick={() => add(role)}>
              + {roleNames[role]}
            </button>
          )}
        </For>
      </fieldset>
      <details class="write-panel" open={wide}>
        <summary>Tools</summary>
        <ToolsEditor
          tools={props.draft.tools}
          problem={props.problem}
          onInput={(tools) => props.edit('tools', tools)}
        />
      </details>
    </>
  );
}
