// Light, dark, or as the system has it.

import { createSignal } from 'solid-js';
import { words } from '../words/words.js';
import { OptionList } from './option-list.jsx';

const PLACE = 'dragoman-theme';

const [theme, setTheme] = createSignal('system');

function choose(next: string): void {
  setTheme(next);
  const { dataset } = document.documentElement;
  if (next === 'system') delete dataset.theme;
  else dataset.theme = next;
}

export function restoreTheme(): void {
  try {
    const found = localStorage.getItem(PLACE);
    if (found === 'light' || found === 'dark') choose(found);
  } catch {
    // Without localStorage the system decides.
  }
}

export function ThemeChoice() {
  const keep = (next: string) => {
    choose(next);
    try {
      localStorage.setItem(PLACE, next);
    } catch {
      // The choice holds as long as the page is open.
    }
  };
  return (
    <select aria-label={words().page.theme} onChange={(event) => keep(event.currentTarget.value)}>
      <OptionList
        of={[
          ['system', words().page.system],
          ['light', words().page.light],
          ['dark', words().page.dark],
        ]}
        chosen={theme()}
      />
    </select>
  );
}
