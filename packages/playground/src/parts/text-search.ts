// The search of an editor. The browser's own finds only the part of a text that is drawn. It is loaded when it is first
// used: see search-key.ts.

import {
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  search,
  searchPanelOpen,
} from '@codemirror/search';
import { Compartment, EditorState, StateEffect } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { words } from '../words/words.js';
import './text-search.css';

/** The words of the panel, in the language of the page. */
const phrases = new Compartment();

const scope = 'editor search-panel';
const keys = keymap.of([
  { key: 'F3', run: findNext, shift: findPrevious, scope, preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, scope, preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope },
]);

export function openSearch(view: EditorView): void {
  const spoken = EditorState.phrases.of(words().search);
  const isThere = phrases.get(view.state) !== undefined;
  if (!isThere)
    view.dispatch({
      effects: StateEffect.appendConfig.of([search({ top: true }), keys, phrases.of(spoken)]),
    });
  else if (!searchPanelOpen(view.state)) view.dispatch({ effects: phrases.reconfigure(spoken) });
  openSearchPanel(view);
}
