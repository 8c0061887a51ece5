// The conversation: its messages, its tools.

import { For } from 'solid-js';
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

export function ConversationEditor(props: ConversationEditorProps) {
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
  const add = (role: Role) => props.edit('messages', [...raw().messages, emptyMessage(role, raw())]);

  return (
    <>
      <ol class="write-messages">
        <For each={props.draft.messages}>
          {(message, at) => (
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
          )}
        </For>
      </ol>
      <fieldset class="write-row" aria-label="Add a message">
        <For each={Object.keys(roleNames) as Role[]}>
          {(role) => (
            <button type="button" onClick={() => add(role)}>
              + {roleNames[role]}
            </button>
          )}
        </For>
      </fieldset>
      <details class="write-panel" open>
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
