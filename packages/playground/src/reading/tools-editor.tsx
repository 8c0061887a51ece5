// The tools that a model is offered, as JSON: the one editor for them in all views. A problem is shown with its line and
// column, and marked in the text.

import type { EditorView } from '@codemirror/view';
import type { Range } from '@dragoman/core';
import { createMemo, createUniqueId, Show } from 'solid-js';
import { words } from '../words/words.js';
import { reveal } from './paint.js';
import { TextEditor } from './text-editor.jsx';
import { type ReadTools, type ToolsProblem, toolsProblem } from './tools.js';
import './tools-editor.css';

export interface ToolsEditorProps {
  text: string;
  read: ReadTools;
  /** A problem that shows only when the tools are used. Its path begins with `tools`. */
  problem?: { path: string; message: string } | undefined;
  /** What they are for, behind the shapes that they may have. */
  about?: string;
  /** What becomes of tools that cannot be read. */
  otherwise?: string;
  /** Tools to begin with. */
  example?: string;
  onText(text: string): void;
}

export function ToolsEditor(props: ToolsEditorProps) {
  const id = createUniqueId();
  let view: EditorView | undefined;
  const problem = createMemo((): ToolsProblem | undefined => {
    if ('problem' in props.read) return props.read.problem;
    return props.problem && toolsProblem(props.text, props.problem.path, props.problem.message);
  });
  const names = () => ('names' in props.read ? props.read.names : []);
  const range = createMemo<Range | undefined>(() => {
    const found = problem();
    return found && [found.start, found.end];
  });
  const goTo = ({ start, end }: ToolsProblem) => {
    if (!view) return;
    const { length } = view.state.doc;
    const selection = { anchor: Math.min(start, length), head: Math.min(end, length) };
    view.dispatch({ selection, effects: reveal(view.state, [start, end]) });
    view.focus();
  };
  return (
    <div class="tools-editor">
      <p class="faint" id={`${id}-hint`}>
        {words().tools.shapes} {props.about}
      </p>
      <TextEditor
        class="box tools-text"
        label={words().tools.label}
        describedBy={`${id}-hint ${id}-status`}
        text={props.text}
        lit={range()}
        invalid={problem() !== undefined}
        onText={(text) => text !== props.text && props.onText(text)}
        onView={(made) => {
          view = made;
        }}
        placeholder="[]"
      />
      <div class="tools-status" id={`${id}-status`} role="status">
        <Show
          when={problem()}
          fallback={names().length > 0 ? words().tools.offered(names()) : words().tools.nobody}
        >
          {(found) => (
            <button type="button" class="tools-problem" onClick={() => goTo(found())}>
              {words().tools.problem(found().line, found().column, found().message)} {props.otherwise}
            </button>
          )}
        </Show>
      </div>
      <div class="flow tools-actions">
        <Show when={props.example}>
          {(example) => (
            <button type="button" disabled={props.text === example()} onClick={() => props.onText(example())}>
              {words().tools.example}
            </button>
          )}
        </Show>
        <button type="button" disabled={props.text === ''} onClick={() => props.onText('')}>
          {words().tools.clear}
        </button>
      </div>
    </div>
  );
}
