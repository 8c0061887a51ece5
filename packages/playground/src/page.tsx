// The page: a head, four tabs, and the view that is chosen.

import { createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import { type Link, readLink, writeLink } from './link.js';
import type { View, ViewName } from './view.js';

export function Page(props: { views: readonly View[] }) {
  const [link, setLink] = createSignal<Link>();
  const view = () => props.views.find(({ name }) => name === link()?.view) ?? props.views[0];
  const follow = async () => setLink(await readLink(location.hash));
  onMount(follow);
  addEventListener('hashchange', follow);
  onCleanup(() => removeEventListener('hashchange', follow));

  const open = async (name: ViewName, state?: unknown) => {
    history.pushState(null, '', await writeLink({ view: name, state }));
    setLink({ view: name, state });
  };
  return (
    <>
      <header class="head">
        <h1>Dragoman</h1>
        <nav aria-label="Views">
          <For each={props.views}>
            {(one) => (
              <a
                href={`#${one.name}`}
                aria-current={view()?.name === one.name ? 'page' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  void open(one.name);
                }}
              >
                {one.title}
              </a>
            )}
          </For>
        </nav>
      </header>
      <main>
        <Show when={link() && view()} keyed>
          {(chosen) => (
            <>
              <p class="about">{chosen.about}</p>
              <chosen.Component state={link()?.state} keep={keeper(chosen.name)} open={open} />
            </>
          )}
        </Show>
      </main>
    </>
  );
}

/** Milliseconds of rest before the link is written: typing changes the state with every key. */
const REST = 300;

function keeper(view: ViewName): (state: unknown) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  return (state) => {
    clearTimeout(timer);
    timer = setTimeout(async () => history.replaceState(null, '', await writeLink({ view, state })), REST);
  };
}
