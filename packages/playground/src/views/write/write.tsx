// Write: one conversation on the left, and what it looks like in each dialect on the right.

import { createMemo, createSignal, For, Index, onCleanup, Show } from 'solid-js';
import { createStore, type SetStoreFunction, unwrap } from 'solid-js/store';
import { ShareLink } from '../../parts/share-link.jsx';
import { isTyping } from '../../parts/shortcuts.js';
import { whenChanged } from '../../parts/when-changed.js';
import { readTools } from '../../reading/index.js';
import { ToolsEditor } from '../../reading/tools-editor.jsx';
import type { ViewProps } from '../../view.js';
import { words } from '../../words/words.js';
import { ColumnView } from './column.js';
import { createDrawLoop } from './create-draw-loop.js';
import { type Draft, type DraftProblem, draftLength, toDraftPath } from './draft.js';
import type { Drawing } from './draw.js';
import { dropIn, type HostileText } from './hostile.js';
import { HostilePanel } from './hostile-panel.js';
import { MessageList, type MessageListProps } from './message-list.js';
import { OptionsBar } from './options-bar.js';
import { RequestPanel } from './request-panel.js';
import { firstState, MOST_COLUMNS, nextColumn, type Options, readState, type WriteState } from './state.js';
import { StateHistory } from './state-history.js';
import { tokenCounts } from './tokens.js';
import { TokensChoice } from './tokens-choice.js';
import './write.css';

/** Characters of a conversation that a link carries. Browsers cut addresses of more than two megabytes. */
const LONGEST_LINK = 1_000_000;

export default function Write(props: ViewProps) {
  const [state, setState] = createStore<WriteState>(
    props.state === undefined ? firstState() : readState(props.state),
  );
  const [drawings, setDrawings] = createSignal<readonly Drawing[]>([]);
  const [reveal, setReveal] = createSignal(0);
  const [status, setStatus] = createSignal('');
  const [told, setTold] = createSignal('');
  const [clean, setClean] = createSignal<Draft>();
  const drawLoop = createDrawLoop((drawn) => {
    setDrawings(drawn);
    tokenCounts.count(drawn);
  });
  onCleanup(() => drawLoop.stop());

  const [tooLong, setTooLong] = createSignal(draftLength(unwrap(state).draft) > LONGEST_LINK);
  const touch = () => {
    // Unwrapped, so that there is no subscription to each part of a long conversation.
    const { draft, ...rest } = unwrap(state);
    setTooLong(draftLength(draft) > LONGEST_LINK);
    props.keep({ draft, ...rest }, tooLong() ? rest : undefined);
    drawLoop.draw(unwrap(state));
  };
  const history = new StateHistory<WriteState>(({ draft }) => draftLength(draft));
  const [undoable, setUndoable] = createSignal({ undo: false, redo: false });
  const noteHistory = () => setUndoable({ undo: history.canUndo, redo: history.canRedo });
  const goBack = (way: 'undo' | 'redo') => {
    const found = history[way](unwrap(state));
    if (!found) return;
    setState(found);
    setClean(undefined);
    setTold(words().write[way === 'undo' ? 'undone' : 'redone']);
    noteHistory();
    touch();
  };
  const onKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || isTyping(event.target))
      return;
    event.preventDefault();
    goBack(event.shiftKey ? 'redo' : 'undo');
  };
  addEventListener('keydown', onKey);
  onCleanup(() => removeEventListener('keydown', onKey));
  const edit = ((...change: unknown[]) => {
    const path = change.slice(0, -1);
    const isTyped = typeof change.at(-1) === 'string';
    // What is folded is no change.
    if (path.at(-1) !== 'open') history.note(unwrap(state), isTyped ? path.join() : '', performance.now());
    noteHistory();
    setTold('');
    (setState as (...all: unknown[]) => void)(...change);
    touch();
  }) as SetStoreFunction<WriteState>;
  const editDraft = ((...change: unknown[]) =>
    (edit as (...all: unknown[]) => void)('draft', ...change)) as SetStoreFunction<Draft>;

  drawLoop.draw(unwrap(state));
  // Loads the state of a link that was followed. A visit without one changes nothing.
  whenChanged(
    () => props.state,
    (next) => {
      if (next === undefined) return;
      setState(readState(next));
      drawLoop.draw(unwrap(state));
    },
  );

  const setDraft = (draft: Draft) => edit('draft', { toolChoice: undefined, ...draft } as Draft);
  const drop = (text: HostileText) => {
    const before = unwrap(state).draft;
    if (!clean()) setClean({ ...before });
    const { draft, message } = dropIn(before, text);
    setDraft(draft);
    if (message !== undefined) editDraft('messages', message, 'open', true);
    edit('options', 'origins', true);
    setReveal(reveal() + 1);
    setStatus(words().write.dropped(text.title, words().write.targets[text.target]));
  };
  const takeOut = () => {
    const before = clean();
    if (before) setDraft(before);
    setClean(undefined);
    setStatus(words().write.asItWas);
  };
  const problem = createMemo((): DraftProblem | undefined => {
    for (const drawing of drawings()) {
      if (!('problem' in drawing)) continue;
      const { path, message } = drawing.problem;
      return { path: toDraftPath(path, unwrap(state).draft), message };
    }
    return undefined;
  });

  let columns!: HTMLDivElement;
  let addButton!: HTMLButtonElement;
  const addColumn = () => {
    const before = unwrap(state).columns;
    edit('columns', [...before, nextColumn(before)]);
    columns.lastElementChild?.querySelector('select')?.focus();
  };
  const removeColumn = (at: number) => {
    edit('columns', unwrap(state).columns.toSpliced(at, 1));
    addButton.focus();
  };

  return (
    <div class="write">
      <div class="bar">
        <p class="about">{words().write.about}</p>
        <span class="rest faint" role="status">
          {told()}
        </span>
        <button type="button" disabled={!undoable().undo} onClick={() => goBack('undo')}>
          {words().read.undo}
        </button>
        <button type="button" disabled={!undoable().redo} onClick={() => goBack('redo')}>
          {words().write.redo}
        </button>
        <ShareLink
          address={props.address}
          shared={words().write.shared}
          tooLong={words().write.tooLong}
          onStatus={setTold}
        />
      </div>
      <section class="write-editor" aria-label={words().write.conversation}>
        <h2>{words().write.conversation}</h2>
        <ConversationEditor draft={state.draft} edit={editDraft} problem={problem()} />
        <HostilePanel status={status()} canUndo={clean() !== undefined} onDrop={drop} onUndo={takeOut} />
        <RequestPanel
          draft={() => unwrap(state).draft}
          onImport={(draft) => {
            setClean(undefined);
            setDraft(draft);
          }}
        />
        <Show when={tooLong()}>
          <p class="write-note">{words().write.tooLong}</p>
        </Show>
      </section>
      <section
        class="write-output"
        classList={{ 'show-origins': state.options.origins }}
        aria-label={words().write.inEach}
      >
        <h2>{words().write.inEach}</h2>
        <OptionsBar options={state.options} onChange={(change) => edit('options', change)} />
        <TokensChoice tokens={tokenCounts} />
        <Legend options={state.options} />
        <div class="write-columns" ref={columns}>
          <Index each={state.columns}>
            {(column, at) => (
              <ColumnView
                index={at}
                column={column()}
                columns={state.columns}
                options={state.options}
                drawing={drawings()[at]}
                reveal={reveal()}
                onChange={(next) => edit('columns', at, next)}
                onRemove={() => removeColumn(at)}
              />
            )}
          </Index>
        </div>
        <button
          type="button"
          ref={addButton}
          disabled={state.columns.length >= MOST_COLUMNS}
          onClick={addColumn}
        >
          {words().write.addColumn}
        </button>
      </section>
    </div>
  );
}

const legend = ['ours', 'outside', 'frame', 'broken', 'forged', 'different'] as const;

/** Explains what is marked now. */
function Legend(props: { options: Options }) {
  const isShown = (name: (typeof legend)[number]) => {
    if (name === 'ours' || name === 'outside') return props.options.origins;
    return name !== 'different' || props.options.differences;
  };
  return (
    <ul class="write-legend" aria-label={words().legend.label}>
      <For each={legend.filter(isShown)}>
        {(name) => (
          <li>
            <span class={`write-${name}`}>{words().write.legend[name]}</span>
          </li>
        )}
      </For>
    </ul>
  );
}

function ConversationEditor(props: MessageListProps) {
  // On a narrow page open tools would push the columns far down.
  const wide = matchMedia('(min-width: 56rem)').matches;
  const read = createMemo(() => readTools(props.draft.tools));
  return (
    <>
      <MessageList {...props} />
      <details class="write-panel" open={wide}>
        <summary>{words().tools.title}</summary>
        <ToolsEditor
          text={props.draft.tools}
          read={read()}
          problem={props.problem?.path.startsWith('tools') ? props.problem : undefined}
          onText={(tools) => props.edit('tools', tools)}
        />
      </details>
    </>
  );
}
