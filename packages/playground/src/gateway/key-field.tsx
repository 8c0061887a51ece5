// The field for the gateway's API key. No request is sent while the key is being typed.

import { createSignal, createUniqueId } from 'solid-js';
import { Menu } from '../parts/menu.jsx';
import { words } from '../words/words.js';
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
    <Menu class="key-field" open={props.needed} title={words().gateway.keyState(key() !== '')}>
      <form class="flow" onSubmit={use} autocomplete="off">
        <label for={id}>{words().gateway.key}</label>
        <input
          id={id}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-about`}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{words().gateway.use}</button>
      </form>
      <p id={`${id}-about`} class="faint">
        {words().gateway.about}
      </p>
    </Menu>
  );
}
