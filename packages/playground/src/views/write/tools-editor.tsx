// The tools as JSON, with problems shown at their place.

import { createMemo, createSignal, Show } from 'solid-js';
import type { TextRange } from '../../parts/editor-text.js';
import { lineOf, offsetOf, placeOf } from '../../parts/json-place.js';
import { words } from '../../words/words.js';
import type { DraftProblem } from './draft.js';
import { TextField } from './text-field.js';

export function ToolsEditor(props: {
  tools: string;
  problem: DraftProblem | undefined;
  onInput(tools: string): void;
}) {
  const [select, setSelect] = createSignal<TextRange>();
  const mine = () => (props.problem?.path.startsWith('tools') ? props.problem : undefined);
  const place = createMemo(() => {
    const problem = mine();
    return problem && toolsPlace(props.tools, problem);
  });
  return (
    <div class="write-tools">
      <TextField
        label={words().write.toolsLabel}
        code
        value={props.tools}
        problem={mine()?.message}
        select={select()}
        onInput={props.onInput}
      />
      <Show when={place()}>
        {(found) => (
          <button type="button" onClick={() => setSelect({ ...found() })}>
            {words().write.goTo(lineOf(props.tools, found().from))}
          </button>
        )}
      </Show>
    </div>
  );
}

/** Finds the place of a problem: by the message for invalid JSON, by the path for invalid tools. */
function toolsPlace(tools: string, { path, message }: DraftProblem): TextRange {
  if (path !== 'tools') return placeOf(tools, path.slice('tools'.length));
  const at = offsetOf(tools, message);
  return { from: at, to: Math.min(at + 1, tools.length) };
}
