// One message of the conversation: a summary line, and its fields when it is opened.

import { createUniqueId, For, Show } from 'solid-js';
import { OptionList } from '../../parts/option-list.jsx';
import { words } from '../../words/words.js';
import {
  type Draft,
  type DraftMessage,
  type DraftPart,
  type DraftProblem,
  type DraftRole,
  partsOfRole,
  partText,
} from './draft.js';
import { PartEditor } from './part-editor.js';
import { SmallButton } from './small-button.js';

export interface MessageEditorProps {
  index: number;
  message: DraftMessage;
  draft: Draft;
  problem: DraftProblem | undefined;
  onOpen(open: boolean): void;
  onRole(role: DraftRole): void;
  onPart(part: number, change: Partial<DraftPart>): void;
  onAddPart(type: DraftPart['type']): void;
  onRemovePart(part: number): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}

export function MessageEditor(props: MessageEditorProps) {
  const body = createUniqueId();
  const number = () => props.index + 1;
  const isOpen = () => props.message.open ?? false;
  const mine = () => (props.problem?.path.startsWith(`messages[${props.index}]`) ? props.problem : undefined);
  /** A problem of the message as a whole: none of its parts shows it. */
  const whole = () => (mine()?.path.startsWith(`messages[${props.index}].parts[`) ? undefined : mine());
  return (
    <li class="box write-message" data-role={props.message.role}>
      <div class="write-line">
        <button
          type="button"
          class="write-fold"
          aria-expanded={isOpen()}
          aria-controls={body}
          onClick={() => props.onOpen(!isOpen())}
        >
          <b>{words().write.roles[props.message.role]}</b> <span>{summary(props.message)}</span>
        </button>
        <SmallButton
          label={words().write.moveUp(number())}
          sign="↑"
          class="write-up"
          disabled={props.index === 0}
          onClick={() => props.onMove(-1)}
        />
        <SmallButton
          label={words().write.moveDown(number())}
          sign="↓"
          class="write-down"
          disabled={props.index === props.draft.messages.length - 1}
          onClick={() => props.onMove(1)}
        />
        <SmallButton label={words().write.remove(number())} sign="✕" onClick={props.onRemove} />
      </div>
      <Show when={whole() ?? (isOpen() ? undefined : mine())}>
        {(found) => <p class="write-problem">{found().message}</p>}
      </Show>
      <div id={body} class="write-body" hidden={!isOpen()}>
        <Show when={isOpen()}>
          <Fields {...props} />
        </Show>
      </div>
    </li>
  );
}

/** Gives the first words. Each part is cut first: it may have a megabyte. */
function summary({ parts }: DraftMessage): string {
  const texts = parts.filter((part) => part.type !== 'reasoning').map((part) => partText(part).slice(0, 120));
  return texts.join(' ').slice(0, 120) || words().write.empty;
}

function Fields(props: MessageEditorProps) {
  const chosen = createUniqueId();
  const problemAt = (path: string) => (props.problem?.path.startsWith(path) ? props.problem : undefined);
  return (
    <>
      <div class="flow write-choices">
        <label for={chosen}>{words().write.role}</label>
        <select id={chosen} onChange={(event) => props.onRole(event.currentTarget.value as DraftRole)}>
          <OptionList of={Object.entries(words().write.roles)} chosen={props.message.role} />
        </select>
      </div>
      <For each={props.message.parts}>
        {(part, at) => (
          <PartEditor
            part={part}
            problem={problemAt(`messages[${props.index}].parts[${at()}]`)}
            onChange={(change) => props.onPart(at(), change)}
            onRemove={() => props.onRemovePart(at())}
          />
        )}
      </For>
      <div class="flow write-row">
        <For each={partsOfRole[props.message.role]}>
          {(type) => (
            <button type="button" onClick={() => props.onAddPart(type)}>
              {words().write.addPart[type]}
            </button>
          )}
        </For>
      </div>
    </>
  );
}
