// The page: a head, five tabs, and the view that is chosen.

import { createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import { type Link, readLink, writeLink } from './link.js';
import type { PageView, ViewName } from './view.js';

export function Page(props: { views: readonly PageView[] }) {
  const [link, setLink] = createSignal<Link>();
  const view = () => props.views.find(({ name }) => name === link()?.view) ?? props.views[0];
  const follow = async () => setLink(asLeft(location.hash) ?? (await readLink(location.hash)));
  onMount(follow);
  // Back, forward and an address that was typed or pasted all fire popstate.
  addEventListener('popstate', follow);
  onCleanup(() => removeEventListener('popstate', follow));

  /** The last state of each view, to restore it. */
  const left = new Map<ViewName, Left>();
  /** Finds the state that belongs to a fragment: a link may carry less than the page still has. */
  const asLeft = (fragment: string): Link | undefined => {
    for (const [name, { state, link }] of left) if (link === fragment) return { view: name, state };
    return undefined;
  };
  let settle = () => Promise.resolve();
  const open = async (name: ViewName, state?: unknown) => {
    await settle();
    history.pushState(null, '', await writeLink({ view: name, state }));
    setLink({ view: name, state });
    scrollTo(0, 0);
  };
  return (
    <>
      <header class="flow head">
        <h1>Dragoman</h1>
        <nav aria-label="Views">
          <For each={props.views}>
            {(one) => (
              <a
                href={`#${one.name}`}
                aria-current={view()?.name === one.name ? 'page' : undefined}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  if (view()?.name !== one.name) void open(one.name, left.get(one.name)?.state);
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
          {(chosen) => {
            const keeper = createKeeper(chosen.name);
            // Before another view is opened, so that going back leads to this one as it was left.
            settle = keeper.settle;
            const keep = (state: unknown, linked = state) => {
              const now: Left = { state };
              left.set(chosen.name, now);
              keeper.keep(linked, (written) => {
                now.link = written;
              });
            };
            return (
              <>
                <p class="about">{chosen.about}</p>
                <chosen.Component state={link()?.state} keep={keep} open={open} />
              </>
            );
          }}
        </Show>
      </main>
    </>
  );
}

/** The last state of a view, and the fragment written for it. */
interface Left {
  state: unknown;
  link?: string;
}

type Tell = (fragment: string) => void;

/** Milliseconds of rest before the link is written: typing changes the state with every key. */
const REST = 300;

function createKeeper(view: ViewName) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gone = false;
  let waiting: { state: unknown; tell: Tell } | undefined;
  let writing = Promise.resolve();
  onCleanup(() => {
    gone = true;
    clearTimeout(timer);
  });
  /** Writes the waiting state at once. Resolves when it is in the link. */
  const settle = (): Promise<void> => {
    clearTimeout(timer);
    if (waiting) writing = write(waiting.state, waiting.tell);
    waiting = undefined;
    return writing;
  };
  const write = async (state: unknown, tell: Tell) => {
    const fragment = await writeLink({ view, state });
    // Writing takes a moment for a long text; another view may be open by then.
    if (gone) return;
    history.replaceState(null, '', fragment);
    tell(fragment);
  };
  const keep = (state: unknown, tell: Tell) => {
    waiting = { state, tell };
    clearTimeout(timer);
    timer = setTimeout(settle, REST);
  };
  return { keep, settle };
}
