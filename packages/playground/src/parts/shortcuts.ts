// Keyboard shortcuts: single keys, which do nothing while somebody types.

import { createSignal, onCleanup } from 'solid-js';

export interface Shortcut {
  /** As `KeyboardEvent.key`. */
  key: string;
  words: () => string;
  run(): void;
}

const [shortcuts, setShortcuts] = createSignal<readonly Shortcut[]>([]);

export { shortcuts };

/** The shortcuts of a component hold as long as it is shown. */
export function addShortcuts(added: readonly Shortcut[]): void {
  setShortcuts((before) => [...before, ...added]);
  onCleanup(() => setShortcuts((before) => before.filter((one) => !added.includes(one))));
}

export function runShortcut(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const found = shortcuts().findLast(({ key }) => key === event.key);
  if (!found) return;
  event.preventDefault();
  found.run();
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, dialog *, [role=treeitem]'))
  );
}
