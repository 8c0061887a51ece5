// The field for the gateway's API key. No request is sent while the key is being typed.

import { createSignal, createUniqueId } from 'solid-js';
import { key, setKey } from './own-gateway.js';
import './gateway.css';

/** `needed`: the gateway requires a key. */
export function KeyField(props: { needed: boolean; onUse(): void }) {
  const id = createUniqueId();
  const [text, setText] = createSignal(key());
  const use = (event: Event) => {
    event.preventDefault();
    setKey(text());
    props.onUse();
  };
  return (
    <details class="key-field" open={props.needed}>
      <summary>Key of the gateway: {key() === '' ? 'none' : 'set'}</summary>
      <form class="flow" onSubmit={use} autocomplete="off">
        <label for={id}>Key</label>
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-about`}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Use</button>
      </form>
      <p id={`${id}-about`} class="faint">
        Only if the gateway asks for one. It stays in this tab, and is never part of a link.
      </p>
    </details>
  );
}
