// The tools that were offered, as JSON. A problem is shown with its line and column, and marked in the text.

import type { Range } from '@dragoman/core';
import { createMemo, createSignal, Show } from 'solid-js';
import { Menu } from '../../parts/menu.jsx';
import type { ReadTools } from '../../reading/index.js';
import { TextEditor } from '../../reading/text-editor.jsx';
import { words } from '../../words/words.js';

export function ToolsMenu(props: { text: string; read: ReadTools; onText(text: string): void }) {
  const problem = () => ('problem' in props.read ? props.read.problem : undefined);
  const names = () => ('names' in props.read ? props.read.names : []);
  const range = createMemo<Range | undefined>(() => {
    const found = problem();
    return found && [found.start, found.end];
  });
  const [seek, setSeek] = createSignal<Range>();
  const title = () => (
    <>
      {words().tools.title} <b class="amount">{problem() ? words().tools.broken : names().length}</b>
    </>
  );
  return (
    <Menu class="tools-menu" title={title()}>
      <p class="nothing" id="tools-hint">
        {words().tools.hint}
      </p>
      <TextEditor
        class="box tools-text"
        label={words().tools.label}
        describedBy="tools-hint tools-status"
        text={props.text}
        lit={range()}
        seek={seek()}
        onText={(text) => props.onText(text)}
        placeholder="[]"
      />
      <div id="tools-status" role="status">
        <Show
          when={problem()}
          fallback={names().length > 0 ? words().tools.offered(names()) : words().tools.nobody}
        >
          {(found) => (
            <button type="button" class="note issue" onClick={() => setSeek([found().start, found().end])}>
              {words().tools.problem(found().line, found().column, found().message)}
            </button>
          )}
        </Show>
      </div>
      <button type="button" disabled={props.text === ''} onClick={() => props.onText('')}>
        {words().tools.clear}
      </button>
    </Menu>
  );
}
