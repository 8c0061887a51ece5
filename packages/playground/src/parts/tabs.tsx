// Tabs over one panel, with the keys of the pattern: arrows, Home, End.

import { For, type JSX, Show } from 'solid-js';
import './tabs.css';

interface Tab<Name extends string> {
  name: Name;
  title: string;
  amount?: number | undefined;
}

export interface TabsProps<Name extends string> {
  /** For screen readers, and the start of ids. */
  id: string;
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  onChoose(name: Name): void;
  children: JSX.Element;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  let list!: HTMLDivElement;
  const move = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex(({ name }) => name === props.chosen);
    const goals: Record<string, number> = {
      ArrowRight: (at + 1) % props.tabs.length,
      ArrowLeft: (at - 1 + props.tabs.length) % props.tabs.length,
      Home: 0,
      End: props.tabs.length - 1,
    };
    const goal = Object.hasOwn(goals, event.key) ? props.tabs[goals[event.key] as number] : undefined;
    if (!goal) return;
    event.preventDefault();
    props.onChoose(goal.name);
    list.querySelector<HTMLElement>(`#${props.id}-${goal.name}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={props.label} ref={list} onKeyDown={move}>
        <For each={props.tabs.map(({ name }) => name)}>
          {(name) => {
            const tab = () => props.tabs.find((one) => one.name === name);
            return (
              <button
                type="button"
                role="tab"
                id={`${props.id}-${name}`}
                aria-selected={props.chosen === name}
                aria-controls={`${props.id}-panel`}
                tabindex={props.chosen === name ? 0 : -1}
                onClick={() => props.onChoose(name)}
              >
                {tab()?.title}
                <Show when={tab()?.amount !== undefined}>
                  {' '}
                  <span class="amount">{tab()?.amount}</span>
                </Show>
              </button>
            );
          }}
        </For>
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${props.id}-panel`}
        aria-labelledby={`${props.id}-${props.chosen}`}
        tabindex="0"
      >
        {props.children}
      </div>
    </>
  );
}
