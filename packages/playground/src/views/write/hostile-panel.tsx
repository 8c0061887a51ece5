// Hostile texts, one click each.

import { For, Show } from 'solid-js';
import { type HostileTarget, type HostileText, hostileTexts, targetNames } from './hostile.js';

export interface HostilePanelProps {
  /** The message after a text was inserted. */
  status: string;
  canUndo: boolean;
  onDrop(text: HostileText): void;
  onUndo(): void;
}

export function HostilePanel(props: HostilePanelProps) {
  return (
    <details class="write-panel">
      <summary>Drop in hostile text</summary>
      <p>
        Text from outside may try to look like the dialect’s own markup: to end a message, to forge a call.
        Drop some in and look for it on the other side.
      </p>
      <For each={Object.keys(targetNames) as HostileTarget[]}>
        {(target) => (
          <fieldset aria-label={targetNames[target]}>
            <h3>{targetNames[target]}</h3>
            <div class="flow write-row">
              <For each={hostileTexts.filter((text) => text.target === target)}>
                {(text) => (
                  <button type="button" title={text.texts.join(' + ')} onClick={() => props.onDrop(text)}>
                    {text.title}
                  </button>
                )}
              </For>
            </div>
          </fieldset>
        )}
      </For>
      <p role="status">{props.status}</p>
      <Show when={props.canUndo}>
        <button type="button" onClick={props.onUndo}>
          Take it all out again
        </button>
      </Show>
    </details>
  );
}
