// The page: a head, five tabs, and the view that is chosen.

import { about } from 'virtual:about';
import { createSignal, For, onCleanup, onMount, Show, Suspense } from 'solid-js';
import { type Link, readLink, writeLink } from './link.js';
import { OptionList } from './parts/option-list.jsx';
import { addShortcuts, runShortcut } from './parts/shortcuts.js';
import { ThemeChoice } from './parts/theme-choice.jsx';
import { ShortcutList } from './shortcut-list.jsx';
import type { PageView, ViewName } from './view.js';
import { chooseLanguage, type Language, language, languages, words } from './words/words.js';
import './page.css';

export function Page(props: { views: readonly PageView[] }) {
  const [link, setLink] = createSignal<Link>();
  const view = () => props.views.find(({ name }) => name === link()?.view) ?? props.views[0];
  const [isBroken, setBroken] = createSignal(false);
  const follow = async () => {
    const found = asLeft(location.hash) ?? (await readLink(location.hash));
    setBroken(found.broken ?? false);
    setLink(found);
  };
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
  addEventListener('keydown', runShortcut);
  onCleanup(() => removeEventListener('keydown', runShortcut));
  const visit = (name: ViewName) => {
    if (view()?.name !== name) void open(name, left.get(name)?.state);
  };
  addShortcuts(
    props.views.map(({ name }, at) => ({
      key: String(at + 1),
      words: () => words().page.openView(words().page[name]),
      run: () => visit(name),
    })),
  );
  return (
    <>
      <header class="head">
        <h1 class="logo">
          <Logo />
          Dragoman
        </h1>
        <nav aria-label={words().page.views}>
          <For each={props.views}>
            {({ name }) => (
              <a
                href={`#${name}`}
                aria-current={view()?.name === name ? 'page' : undefined}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  visit(name);
                }}
              >
                {words().page[name]}
              </a>
            )}
          </For>
        </nav>
        <p class="tagline">{words().page.tagline}</p>
        <Choices />
      </header>
      <main>
        <Show when={isBroken()}>
          <div class="box page-note" role="alert">
            <p>{words().page.brokenLink}</p>
            <button type="button" onClick={() => setBroken(false)}>
              {words().page.dismiss}
            </button>
          </div>
        </Show>
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
            const address = async () => {
              await keeper.settle();
              return location.href;
            };
            return (
              <Suspense fallback={<p class="faint">{words().page.loading}</p>}>
                <chosen.Component state={link()?.state} keep={keep} open={open} address={address} />
              </Suspense>
            );
          }}
        </Show>
      </main>
    </>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M9 5 3 12l6 7" />
      <path d="m15 5 6 7-6 7" />
      <circle cx="12" cy="12" r="1" />
    </svg>
  );
}

function Choices() {
  return (
    <div class="right">
      <a href={language() === 'zh' ? 'site/docs/zh-CN/index.html' : 'site/docs/index.html'}>
        {words().page.docs}
      </a>
      <Show
        when={about.repository}
        fallback={
          <a class="to-project" href={readMe()}>
            {words().page.project}
          </a>
        }
      >
        {(repository) => (
          <a class="to-project" href={repository()}>
            {words().page.repository}
          </a>
        )}
      </Show>
      <select
        aria-label={words().page.language}
        onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
      >
        <OptionList of={Object.entries(languages)} chosen={language()} />
      </select>
      <ThemeChoice />
      <ShortcutList />
    </div>
  );
}

/** The front page of the project, where package.json names no repository. */
const readMe = () => (language() === 'zh' ? 'site/index.zh-CN.html' : 'site/index.html');

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
