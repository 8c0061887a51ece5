// The messages of the conversation: changed, moved, removed, added. The focus stays, or moves to a neighbour; a line for
// screen readers reports what happened.

import { createSignal, For, Show } from 'solid-js';
import { type SetStoreFunction, unwrap } from 'solid-js/store';
import { whenChanged } from '../../parts/when-changed.js';
import { words } from '../../words/words.js';
import {
  type Draft,
  type DraftMessage,
  type DraftPart,
  type DraftProblem,
  type DraftRole,
  emptyMessage,
  emptyPart,
  withRole,
} from './draft.js';
import { MessageEditor } from './message-editor.js';

export interface MessageListProps {
  draft: Draft;
  /** Changes the draft, which is then drawn and kept. */
  edit: SetStoreFunction<Draft>;
  problem: DraftProblem | undefined;
}

/** Messages shown at a time: a row each for thousands would make the page slow. */
const SHOWN = 100;

export function MessageList(props: MessageListProps) {
  let list!: HTMLOListElement;
  const [status, setStatus] = createSignal('');
  const [removed, setRemoved] = createSignal<{ at: number; message: DraftMessage }>();
  // Undo and imports replace the whole conversation.
  whenChanged(
    () => props.draft,
    () => setRemoved(undefined),
  );
  // The end of the window on the messages. Infinity: after the last one, also when messages are added.
  const [end, setEnd] = createSignal(Number.POSITIVE_INFINITY);
  const count = () => props.draft.messages.length;
  const to = () => Math.min(end(), count());
  const from = () => Math.max(0, to() - SHOWN);

  const raw = () => unwrap(props.draft);
  const setMessages = (messages: DraftMessage[]) => props.edit('messages', messages);
  const replace = (at: number, ...by: DraftMessage[]) => setMessages(raw().messages.toSpliced(at, 1, ...by));
  const setParts = (at: number, change: (parts: DraftPart[]) => DraftPart[]) =>
    props.edit('messages', at, 'parts', change(raw().messages[at]?.parts ?? []));
  /** Focuses the last match in this row, or the row's own button. */
  const focus = (at: number, selector: string) => {
    const row = list.children[at - from()];
    const found = [...(row?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(
      (one) => !one.matches(':disabled'),
    );
    (found.at(-1) ?? row?.querySelector<HTMLElement>('.write-fold'))?.focus();
  };

  const add = (role: DraftRole) => {
    setEnd(Number.POSITIVE_INFINITY);
    setMessages([...raw().messages, emptyMessage(role, raw())]);
    setStatus(words().write.added(count()));
    focus(count() - 1, 'textarea');
  };
  const move = (at: number, by: -1 | 1) => {
    const { messages } = raw();
    const moved = messages[at];
    if (!moved) return;
    setMessages(messages.toSpliced(at, 1).toSpliced(at + by, 0, moved));
    setStatus(words().write.moved(at + 1, at + by + 1));
    focus(at + by, by < 0 ? '.write-up' : '.write-down');
  };
  const remove = (at: number) => {
    setRemoved({ at, message: raw().messages[at] as DraftMessage });
    replace(at);
    setStatus(words().write.removed(at + 1));
    focus(Math.min(at, count() - 1), '.write-fold');
  };
  const bringBack = () => {
    const last = removed();
    if (!last) return;
    setMessages(raw().messages.toSpliced(last.at, 0, last.message));
    setRemoved(undefined);
    setStatus(words().write.back(last.at + 1));
    focus(last.at, '.write-fold');
  };
  const setRole = (at: number, role: DraftRole) => {
    replace(at, withRole(raw().messages[at] as DraftMessage, role, raw()));
    focus(at, '.write-choices select');
  };
  const setPart = (at: number, part: number, change: Partial<DraftPart>) => {
    // A result that answers another call is no longer the result of the same tool.
    const whole = 'callId' in change ? { ...change, name: undefined } : change;
    props.edit('messages', at, 'parts', part, whole as DraftPart);
  };
  const addPart = (at: number, type: DraftPart['type']) => {
    setParts(at, (parts) => [...parts, emptyPart(type, raw())]);
    focus(at, '.write-part textarea');
  };
  const removePart = (at: number, part: number) => {
    setParts(at, (parts) => parts.toSpliced(part, 1));
    focus(at, '.write-body > .write-row button');
  };

  return (
    <>
      <Show when={from() > 0}>
        <button type="button" onClick={() => setEnd(Math.max(from(), SHOWN))}>
          {words().write.earlier(from())}
        </button>
      </Show>
      <ol class="write-messages" start={from() + 1} ref={list}>
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
                onRole={(role) => setRole(at(), role)}
                onPart={(part, change) => setPart(at(), part, change)}
                onAddPart={(type) => addPart(at(), type)}
                onRemovePart={(part) => removePart(at(), part)}
                onMove={(by) => move(at(), by)}
                onRemove={() => remove(at())}
              />
            );
          }}
        </For>
      </ol>
      <Show when={count() > to()}>
        <button type="button" onClick={() => setEnd(to() + SHOWN)}>
          {words().write.later(count() - to())}
        </button>
      </Show>
      <fieldset class="flow write-row" aria-label={words().write.addMessage}>
        <For each={Object.keys(words().write.roles) as DraftRole[]}>
          {(role) => (
            <button type="button" onClick={() => add(role)}>
              + {words().write.roles[role]}
            </button>
          )}
        </For>
      </fieldset>
      <div class="flow write-row">
        <p class={removed() ? 'write-note' : 'unseen'} role="status">
          {status()}
        </p>
        <Show when={removed()}>
          <button type="button" onClick={bringBack}>
            {words().write.bringBack}
          </button>
        </Show>
      </div>
    </>
  );
}
