// Where a person enters a key of the gateway. Nothing is asked while it is being typed.

import { createSignal, createUniqueId } from 'solid-js';
import { key, setKey } from './own-gateway.js';
import './gateway.css';

export function KeyField(props: { onUse: () => void }) {
  const id = createUniqueId();
  const [text, setText] = createSignal(key());
  const use = (event: Event) => {
    event.preventDefault();
    setKey(text());
    props.onUse();
  };
  return (
    <form class="key-field" onSubmit={use} autocomplete="off">
      <label for={id}>Key</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="none"
        aria-describedby={`${id}-about`}
        value={text()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Use</button>
      <span id={`${id}-about`} class="faint">
        Only if the gateway asks for one. It stays in this tab.
      </span>
    </form>
  );
}
