// The tools that were offered, as JSON. A problem is shown with its line and column, and marked in the text.

import type { Range } from '@dragoman/core';
import { createMemo, createSignal, Show } from 'solid-js';
import type { ReadTools } from '../../reading/index.js';
import { TextEditor } from '../../reading/text-editor.jsx';

export function ToolsEditor(props: { text: string; read: ReadTools; onText(text: string): void }) {
  const problem = () => ('problem' in props.read ? props.read.problem : undefined);
  const names = () => ('names' in props.read ? props.read.names : []);
  const range = createMemo<Range | undefined>(() => {
    const found = problem();
    return found && [found.start, found.end];
  });
  const [seek, setSeek] = createSignal<Range>();
  const [open, setOpen] = createSignal(false);
  return (
    <details class="box tools-editor" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Tools <span class="amount">{problem() ? 'cannot be read' : names().length}</span>
      </summary>
      <p class="hint" id="tools-hint">
        What the model was offered, as JSON, in the shape of OpenAI, Anthropic, MCP or the AI SDK. A schema
        tells the reader the types of values.
      </p>
      <Show when={open()}>
        <TextEditor
          class="tools-text"
          label="Tools as JSON"
          describedBy="tools-hint tools-status"
          text={props.text}
          lit={range()}
          seek={seek()}
          onText={props.onText}
          placeholder="[]"
        />
      </Show>
      <div id="tools-status" role="status">
        <Show
          when={problem()}
          fallback={<Show when={names().length > 0}>Offered: {names().join(', ')}.</Show>}
        >
          {(found) => (
            <button type="button" class="note issue" onClick={() => setSeek([found().start, found().end])}>
              Line {found().line}, column {found().column}: {found().message}. The text is read without tools.
            </button>
          )}
        </Show>
      </div>
    </details>
  );
}
