// Shows an error between the page and its gateway, with what to do.

import { For, Show } from 'solid-js';
import { words } from '../words/words.js';
import { key } from './own-gateway.js';
import type { Trouble } from './trouble.js';
import './gateway.css';

export function TroubleNote(props: { trouble: Trouble | undefined; again?: () => void }) {
  return (
    <div role="alert">
      <Show when={props.trouble}>
        {(trouble) => (
          <div class="box trouble">
            <p>
              <strong>{words().gateway.troubles[trouble().kind]}</strong> <Words text={trouble().message} />
            </p>
            <Show when={trouble().advice}>
              <p>
                <Words text={trouble().advice} />
              </p>
            </Show>
            <Show when={trouble().kind === 'key' && key() !== ''}>
              <p>{words().gateway.wrongKey}</p>
            </Show>
            <Show when={props.again}>
              <button type="button" onClick={() => props.again?.()}>
                {words().gateway.again}
              </button>
            </Show>
          </div>
        )}
      </Show>
    </div>
  );
}

/** Shows text between backticks as code. */
export function Words(props: { text: string }) {
  return <For each={props.text.split('`')}>{(part, at) => (at() % 2 ? <code>{part}</code> : part)}</For>;
}
