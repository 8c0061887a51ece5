// Hostile texts, one click each.

import { For, Show } from 'solid-js';
import { words } from '../../words/words.js';
import { type HostileTarget, type HostileText, hostileTexts } from './hostile.js';

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
      <summary>{words().write.hostile}</summary>
      <p>{words().write.hostileAbout}</p>
      <For each={Object.keys(words().write.targets) as HostileTarget[]}>
        {(target) => (
          <fieldset aria-label={words().write.targets[target]}>
            <h3>{words().write.targets[target]}</h3>
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
          {words().write.takeOut}
        </button>
      </Show>
    </details>
  );
}
