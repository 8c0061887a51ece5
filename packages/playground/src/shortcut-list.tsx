// The shortcuts of the page and of the view that is open, shown by `?`.

import { For } from 'solid-js';
import { addShortcuts, shortcuts } from './parts/shortcuts.js';
import { words } from './words/words.js';

export function ShortcutList() {
  let dialog!: HTMLDialogElement;
  addShortcuts([{ key: '?', words: () => words().page.shortcuts, run: () => dialog.showModal() }]);
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label={words().page.shortcuts}
        title={words().page.shortcuts}
        onClick={() => dialog.showModal()}
      >
        ?
      </button>
      <dialog class="shortcuts" ref={dialog} aria-label={words().page.shortcuts}>
        <header>
          <h2>{words().page.shortcuts}</h2>
          <button type="button" onClick={() => dialog.close()}>
            {words().page.close}
          </button>
        </header>
        <dl>
          <For each={shortcuts()}>
            {(one) => (
              <>
                <dt>
                  <kbd>{one.key === ' ' ? 'Space' : one.key}</kbd>
                </dt>
                <dd>{one.words()}</dd>
              </>
            )}
          </For>
        </dl>
      </dialog>
    </>
  );
}
